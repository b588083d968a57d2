"""Questions to an OpenAI-style endpoint: what may pass by itself is tried again, ever later."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sk2d.errors import UserError

TRIES: Final = 5
_AGAIN: Final = (408, 409, 429)


class EndpointError(UserError):
    """The endpoint does not answer as one that speaks the protocol."""


class UnreachableError(EndpointError):
    """The endpoint cannot be reached or stays busy, after all tries: asking more is of no use."""


@dataclass(frozen=True)
class Service:
    """An endpoint, and how to speak of it.

    Attributes:
        url: Address up to `/v1`.
        name: What messages call it.
        key: Secret, where the endpoint wants one.
        seconds: Longest time for one reply.
        remedy: What to do when it refuses.
    """

    url: str
    name: str = "the endpoint"
    key: str | None = None
    seconds: float = 120.0
    remedy: str = "Check the address, the model's name and the key"

    def post(self, path: str, question: Mapping[str, Any]) -> bytes:
        """Ask, again where that may help.

        Args:
            path: What is asked for, such as `chat/completions`.
            question: Body of the question.

        Returns:
            The reply's body.

        Raises:
            EndpointError: It refuses.
            UnreachableError: It cannot be reached, or stays busy.
        """  # noqa: DOC502, DOC503
        for again in range(TRIES):
            try:
                return self._post(path, question)
            except _BusyError as error:
                if again == TRIES - 1:
                    raise UnreachableError(str(error), where=self.url) from error
                time.sleep(error.seconds if error.seconds is not None else 2.0**again)
        raise AssertionError("the loop returns or raises")

    def _post(self, path: str, question: Mapping[str, Any]) -> bytes:
        request = urllib.request.Request(  # noqa: S310  (the scheme is checked by whoever was told)
            f"{self.url.rstrip('/')}/{path}",
            json.dumps(question).encode(),
            {"Content-Type": "application/json"}
            | ({"Authorization": f"Bearer {self.key}"} if self.key else {}),
        )
        try:
            with urllib.request.urlopen(request, timeout=self.seconds) as response:  # noqa: S310
                body: bytes = response.read()
                return body
        except urllib.error.HTTPError as error:
            raise self._refused(error) from error
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise _BusyError(f"{self.name} cannot be reached ({reason})") from error

    def _refused(self, error: urllib.error.HTTPError) -> Exception:
        said = error.read(2_000).decode(errors="replace").strip().replace("\n", " ")
        what = f"{self.name} answers with {error.code} {error.reason}: {said[:300] or 'no word'}"
        if error.code in _AGAIN or error.code >= 500:
            after = error.headers.get("Retry-After", "")
            return _BusyError(what, float(after) if after.isdecimal() else None)
        return EndpointError(what, where=self.url, remedy=self.remedy)


class _BusyError(Exception):
    """What may go better the next time.

    Args:
        what: What went wrong.
        seconds: When to try again, where the endpoint says so.
    """

    def __init__(self, what: str, seconds: float | None = None) -> None:
        super().__init__(what)
        self.seconds = seconds
