"""Signed calls over kept connections, with one retry policy.

http.client sends the signed request target byte by byte. Other clients normalise addresses and would break the
signature.
"""

from __future__ import annotations

import http.client
import json
import random
import ssl
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from .connection import Connection
from .connection import Reply as Response
from .errors import (
    AggregatorError,
    ApiError,
    ConnectionFailedError,
    RateLimitedError,
    UnavailableError,
    UnreadableReplyError,
    api_error,
)
from .signing import sign

_LONGEST_WAIT_S = 60.0
"""If the service requests a longer pause, the call fails at once."""

_LONGEST_PAUSE_S = 300.0
"""The longest accepted `Retry-After`, because a proxy may send a value of days."""

_CHUNK = 64 * 1024

_LARGEST_REPLY = 64 * 1024 * 1024
"""Far above a page of 1,000 transactions. An export has no limit, because it is streamed."""


@dataclass(frozen=True)
class RetryPolicy:
    """The maximum number of attempts of a repeatable call, and the pauses between the attempts.

    A pause lasts as long as `Retry-After`, if the service sends it, but at most five minutes. Otherwise the pause begins
    at `first_pause_s` and doubles up to `longest_pause_s`. Each such pause is shortened by up to 25 % at random.
    """

    tries: int = 4
    first_pause_s: float = 0.25
    longest_pause_s: float = 10.0

    def pause_s(self, tries: int, error: AggregatorError) -> float:
        """The pause after this many tries."""
        if isinstance(error, ApiError) and error.retry_after is not None:
            return min(error.retry_after, _LONGEST_PAUSE_S)
        longest = min(self.first_pause_s * 2.0 ** min(tries - 1, 32), self.longest_pause_s)
        return longest * random.uniform(0.75, 1)


def may_succeed_later(error: AggregatorError) -> bool:
    """Whether the very same call, signed anew, may succeed later."""
    if isinstance(error, UnreadableReplyError):
        return error.status >= 500 or error.status == 429
    return isinstance(error, (ConnectionFailedError, RateLimitedError, UnavailableError))


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    """Keyed by name in lower case."""
    body: bytes

    def data(self) -> Any:
        """The `data` of a success. Numbers with a fraction are Decimal. Raises UnreadableReplyError."""
        try:
            return json.loads(self.body, parse_float=Decimal)["data"]
        except (ValueError, KeyError, TypeError):
            raise UnreadableReplyError(self.status, self.body.decode(errors="replace")) from None


class Transport:
    """Thread-safe. Threads that call at the same time use different connections. So do forked processes.

    `headers`: sent with every call, besides its signature.
    """

    def __init__(
        self,
        base_url: str,
        headers: Mapping[str, str],
        secret: Callable[[], str],
        timeout_s: float,
        retry: RetryPolicy,
        ssl_context: ssl.SSLContext | None,
    ) -> None:
        url = urlsplit(base_url)
        if url.scheme not in ("http", "https") or url.hostname is None or url.query or url.fragment:
            raise ValueError(f"base_url: {base_url!r} is no http or https address such as https://api.example")
        self._is_tls = url.scheme == "https"
        self._host, self._port = url.hostname, url.port or (443 if self._is_tls else 80)
        self._prefix = url.path.rstrip("/")
        self._headers = headers
        self._secret = secret
        self._timeout_s = timeout_s
        self._retry = retry
        self._ssl_context = (ssl_context or ssl.create_default_context()) if self._is_tls else None
        # A deque needs no lock, which a process might fork with while another thread holds it.
        self._idle: deque[Connection] = deque()

    def call(
        self,
        method: str,
        target: str,
        body: bytes = b"",
        *,
        headers: Mapping[str, str] | None = None,
        is_repeatable: bool = True,
    ) -> Reply:
        """Sends the call, and repeats it if that is allowed. Each repeat is signed anew.

        `target`: path and query, beginning with `/v1`. Raises ApiError, ConnectionFailedError or UnreadableReplyError.
        """
        tries = 0
        while True:
            tries += 1
            try:
                return self.once(method, target, body, headers)
            except AggregatorError as error:
                is_last = not is_repeatable or tries >= self._retry.tries
                pause = self._retry.pause_s(tries, error)
                if is_last or pause > _LONGEST_WAIT_S or not may_succeed_later(error):
                    raise
                time.sleep(pause)

    def once(self, method: str, target: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Reply:
        """Sends the call once."""
        connection = self._take()
        try:
            response = self._send(connection, method, target, body, headers or {})
            content = bytearray()
            for piece in response.pieces(_CHUNK):
                content += piece
                if len(content) > _LARGEST_REPLY:
                    raise http.client.HTTPException(f"the reply has more than {_LARGEST_REPLY} bytes")
        except BaseException as cause:
            # Whatever interrupted the call, its reply may still come on this connection.
            connection.drop()
            if not isinstance(cause, (OSError, http.client.HTTPException)):
                raise
            raise ConnectionFailedError(f"{method} {target}: {cause!r}") from cause
        self._give_back(connection)
        return _judge(response, bytes(content))

    def stream(self, target: str) -> Iterator[bytes]:
        """The body of a GET, streamed in pieces. Raises ConnectionFailedError when the reply is cut off."""
        connection = self._take()
        try:
            response = self._send(connection, "GET", target, b"", {})
            if response.status >= 300 or _coding(response):
                _judge(response, response.read(_CHUNK))
            for piece in response.pieces(_CHUNK):
                yield piece
                # A long export may take longer than a call. No piece of it may.
                connection.extend(self._timeout_s)
        except (OSError, http.client.HTTPException) as cause:
            raise ConnectionFailedError(f"GET {target}: {cause!r}. Discard what came and ask again") from cause
        finally:
            connection.drop()

    def close(self) -> None:
        while self._idle:
            self._idle.pop().drop()

    def _send(
        self, connection: Connection, method: str, target: str, body: bytes, headers: Mapping[str, str]
    ) -> Response:
        # No other coding is read.
        own = {**self._headers, "Accept-Encoding": "identity", **sign(self._secret(), method, target, body)}
        if body:
            own["Content-Type"] = "application/json"
        if method == "POST":
            own["Content-Length"] = str(len(body))
        return connection.call(method, self._prefix + target, {**own, **headers}, body, self._timeout_s)

    def _take(self) -> Connection:
        """An idle connection or a new one. No other call gets it until it is given back."""
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return Connection(self._host, self._port, self._ssl_context)
            if connection.is_usable():
                return connection
            connection.drop()

    def _give_back(self, connection: Connection) -> None:
        connection.end_call()
        if connection.is_usable():
            self._idle.append(connection)
        else:
            connection.drop()


def _judge(response: Response, content: bytes) -> Reply:
    """The reply of a success or a 304. Raises the error of a refusal."""
    headers = {name.lower(): value for name, value in response.getheaders()}
    if coding := _coding(response):
        raise UnreadableReplyError(response.status, f"Content-Encoding {coding}, although only identity was accepted")
    if response.status < 300 or response.status == 304:
        return Reply(response.status, headers, content)
    try:
        envelope = json.loads(content)
        error = envelope["error"]
        error["code"]
    except (ValueError, KeyError, TypeError):
        raise UnreadableReplyError(response.status, content.decode(errors="replace")) from None
    raise api_error(response.status, error, _seconds(headers.get("retry-after")))


def _coding(response: Response) -> str:
    """The coding of the body; empty: none."""
    coding = response.headers.get("Content-Encoding", "").strip().lower()
    return "" if coding == "identity" else coding


def _seconds(retry_after: str | None) -> float | None:
    return float(retry_after) if retry_after is not None and retry_after.isdecimal() else None
