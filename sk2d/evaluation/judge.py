"""A language model as a judge of readability: 1 to 5, by an OpenAI-style endpoint.

A reply without a mark is counted as such and never scored. Replies are kept, so that nothing is
paid for twice.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from sk2d.endpoint import EndpointError, Service
from sk2d.errors import UserError
from sk2d.evaluation.journal import Journal

TEMPLATE: Final = """\
You review C functions that were recovered from a binary. Mark how easily a C programmer can read \
the function below, whatever it computes:

5: reads like well-written source: telling names, plain types, structured control flow
4: easy to follow, with a few names or constructs that a person would not have written
3: can be followed with some effort
2: hard to follow: meaningless names, casts, gotos or needless variables throughout
1: cannot be followed, or is no C function

```c
{code}
```

Give one sentence of reason. Then end with a line of its own: Rating: N
"""
TEMPLATE_HASH: Final = hashlib.sha256(TEMPLATE.encode()).hexdigest()[:16]
CHARACTERS_PER_TOKEN: Final = 4
"""Roughly, of C text; the cost that is shown beforehand rests on it."""
REPLY_TOKENS: Final = 60
REMEDY: Final = "Check --judge, --judge_model and the key"
_MARK: Final = re.compile(r"\brating\W{1,6}([1-5])(?:\s*/\s*5)?(?![0-9/]|\.[0-9])", re.IGNORECASE)


@dataclass(frozen=True)
class Endpoint:
    """Who judges.

    Attributes:
        url: Address up to `/v1`, without `/chat/completions`.
        model: Name of the model.
        key: Secret, where the endpoint wants one.
        seconds: Longest time for one reply.
        price: Price of a million tokens that are read, and of a million that are written; in
            whatever currency the endpoint asks for. None where it is not known.
        requests: Questions that are asked at the same time.
    """

    url: str
    model: str
    key: str | None = None
    seconds: float = 120.0
    price: tuple[float, float] | None = None
    requests: int = 4


@dataclass(frozen=True)
class Cost:
    """What judging will take, before it starts.

    Attributes:
        requests: Questions that were not asked before.
        tokens: Tokens that will be read, by a rough count.
        reply_tokens: Tokens that will be written, by a rougher one.
        money: Price of them; None where none is known.
    """

    requests: int
    tokens: int
    reply_tokens: int
    money: float | None


class NoJudgeError(UserError):
    """The endpoint does not answer as one that speaks the protocol."""


class Judge:
    """Marks texts.

    Args:
        endpoint: Who judges.
        journal: Replies that are known, and where new ones are written.
        announce: Told the cost before anything is asked.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        journal: Journal,
        announce: Callable[[Cost], None] = lambda cost: None,
    ) -> None:
        self.endpoint = endpoint
        self.journal = journal
        self.announce = announce

    def about(self) -> dict[str, str]:
        """Say what marks depend on beside the texts."""
        endpoint = self.endpoint
        return {"url": endpoint.url, "model": endpoint.model, "template": TEMPLATE_HASH}

    def cost(self, codes: Sequence[str]) -> Cost:
        """Estimate what judging will take.

        Args:
            codes: C texts.

        Returns:
            The cost of those that were not judged before.
        """
        left = self._left(codes)
        characters = sum(len(TEMPLATE) + len(code) for code in left.values())
        read, written = characters // CHARACTERS_PER_TOKEN, REPLY_TOKENS * len(left)
        price = self.endpoint.price
        money = None if price is None else (read * price[0] + written * price[1]) / 1e6
        return Cost(len(left), read, written, money)

    def mark(
        self, codes: Sequence[str], tell: Callable[[int, int], None] = lambda done, total: None
    ) -> list[int | None]:
        """Mark texts; equal ones are asked about once.

        Args:
            codes: C texts.
            tell: Called with the number of texts that are done, and of all.

        Returns:
            For each its mark, 1 to 5; None where the reply holds none.

        Raises:
            NoJudgeError: The endpoint cannot be reached, refuses, or replies with something else.
        """  # noqa: DOC502, DOC503
        self.announce(self.cost(codes))
        left = self._left(codes)
        total = len({self._key(code) for code in codes})
        tell(total - len(left), total)
        lock, done = threading.Lock(), itertools.count(total - len(left) + 1)

        def ask(item: tuple[str, str]) -> None:
            reply = self._reply(item[1])
            with lock:  # written here: another question's failure must not cost this reply
                self.journal.add(item[0], reply)
                tell(next(done), total)

        with ThreadPoolExecutor(self.endpoint.requests) as pool:
            try:
                list(pool.map(ask, left.items()))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return [mark_in(self.journal.found[self._key(code)]) for code in codes]

    def _left(self, codes: Sequence[str]) -> dict[str, str]:
        keys = {self._key(code): code for code in codes}
        return {key: code for key, code in keys.items() if key not in self.journal.found}

    def _key(self, code: str) -> str:
        asked = [TEMPLATE, self.endpoint.url, self.endpoint.model, code]
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()

    def _reply(self, code: str) -> str:
        endpoint = self.endpoint
        question = {"role": "user", "content": TEMPLATE.replace("{code}", code)}
        body = {"model": endpoint.model, "messages": [question], "temperature": 0}
        service = Service(endpoint.url, "the judge", endpoint.key, endpoint.seconds, REMEDY)
        try:
            reply = service.post("chat/completions", body)
        except EndpointError as error:
            raise NoJudgeError(error.what, where=error.where, remedy=error.remedy) from error
        return _content(reply, endpoint.url)


def _content(body: bytes, url: str) -> str:
    try:
        reply: Any = json.loads(body)
        content = reply["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError) as error:
        said = body[:200].decode(errors="replace")
        what = f"the judge's reply is no chat completion: {said!r}"
        raise NoJudgeError(what, where=url, remedy="Give the address up to /v1") from error
    return content if isinstance(content, str) else ""


def mark_in(reply: str) -> int | None:
    """Read the mark of a reply.

    Args:
        reply: What the model wrote.

    Returns:
        The last mark in it; None where there is none, or no whole number from 1 to 5.
    """
    marks = _MARK.findall(reply)
    return int(marks[-1]) if marks else None
