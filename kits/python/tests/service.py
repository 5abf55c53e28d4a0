"""A fake service, to test the client's handling of errors. The project's own tests use the real service."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from game_aggregator import verify

SECRET = "sk_client"


@dataclass
class Call:
    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    peer: object
    """The client's address, which names the connection."""
    at: float = field(default_factory=time.monotonic)

    @property
    def is_genuine(self) -> bool:
        signed = self.target[self.target.index("/v1") :]
        return verify([SECRET], self.headers, self.method, signed, self.body)


@dataclass
class Given:
    """With `status` 0 the connection is closed without a reply. `cut`: close it after this many bytes of the body."""

    status: int
    data: Any = None
    code: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    cut: int | None = None

    def body(self) -> bytes:
        if self.raw is not None:
            return self.raw
        if self.status < 300:
            return json.dumps({"success": True, "statusCode": self.status, "data": self.data}).encode()
        error = {"code": self.code, "message": "Texto.", "details": self.data, "request_id": "r-1"}
        return json.dumps({"success": False, "statusCode": self.status, "error": error}).encode()


@contextmanager
def service(answer: Callable[[int, Call], Given]) -> Iterator[tuple[str, list[Call]]]:
    """Yields the server's origin and the recorded calls. `answer` gets the number of the call, from 0."""
    calls: list[Call] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            call = Call(self.command, self.path, dict(self.headers.items()), body, self.client_address)
            calls.append(call)
            given = answer(len(calls) - 1, call)
            if given.status == 0:
                self.close_connection = True
                return
            content = given.body()
            self.send_response(given.status)
            for name, value in given.headers.items():
                self.send_header(name, value)
            if given.status != 304:
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: given.cut])
            if given.cut is not None:
                self.close_connection = True

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", calls
        finally:
            server.shutdown()
            thread.join(10)
