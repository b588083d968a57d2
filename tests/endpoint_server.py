"""A local endpoint that speaks the OpenAI protocol as far as a test tells it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

Reply = Callable[[dict[str, Any]], tuple[int, str]]


class EndpointServer(ThreadingHTTPServer):
    """Replies as it is told, and notes what it was asked.

    Args:
        reply: Gives status and body for a question; `failures` come first.
    """

    def __init__(self, reply: Reply) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.reply = reply
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.failures: list[tuple[int, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: EndpointServer

    def do_POST(self) -> None:
        server = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.asked.append({"path": self.path, **body})
        server.keys.append(self.headers["Authorization"])
        failed = bool(server.failures)
        code, said = server.failures.pop(0) if failed else server.reply(body)
        self.send_response(code)
        if failed:
            self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(said.encode())

    def log_message(self, *args: Any) -> None:
        pass


S = TypeVar("S", bound=EndpointServer)


@contextmanager
def serving(server: S) -> Iterator[S]:
    """Serve until the block ends."""
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()
