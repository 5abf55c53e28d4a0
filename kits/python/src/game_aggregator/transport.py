"""Signed calls over kept connections, with one retry policy.

http.client sends the signed request target byte by byte. Other clients normalise addresses and would break the
signature.
"""

from __future__ import annotations

import http.client
import json
import random
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

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

IDLE_S = 50.0
"""The service keeps an idle connection for 65 s. The client closes a connection that was idle for longer than this."""

_LONGEST_WAIT_S = 60.0
"""If the service requests a longer pause, the call fails at once."""

_LONGEST_PAUSE_S = 300.0
"""The longest accepted `Retry-After`, because a proxy may send a value of days."""

_CHUNK = 64 * 1024


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


@dataclass
class _Connection:
    http: http.client.HTTPConnection
    used_at: float = field(default_factory=time.monotonic)


class Transport:
    """Thread-safe. Threads that call at the same time use different connections.

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
        self._host, self._port = url.hostname, url.port
        self._prefix = url.path.rstrip("/")
        self._headers = headers
        self._secret = secret
        self._timeout_s = timeout_s
        self._retry = retry
        self._ssl_context = ssl_context or (ssl.create_default_context() if self._is_tls else None)
        self._idle: list[_Connection] = []
        self._lock = threading.Lock()

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
            with self._send(connection, method, target, body, headers or {}) as response:
                content = response.read()
        except (OSError, http.client.HTTPException) as cause:
            connection.http.close()
            raise ConnectionFailedError(f"{method} {target}: {cause!r}") from cause
        self._give_back(connection, response)
        return _judge(response, content)

    def stream(self, target: str) -> Iterator[bytes]:
        """The body of a GET, streamed in pieces. Raises ConnectionFailedError when the reply is cut off."""
        connection = self._take()
        try:
            with self._send(connection, "GET", target, b"", {}) as response:
                if response.status >= 300:
                    _judge(response, response.read())
                while chunk := response.read(_CHUNK):
                    yield chunk
                if response.length:
                    raise http.client.IncompleteRead(b"", response.length)
        except (OSError, http.client.HTTPException) as cause:
            raise ConnectionFailedError(f"GET {target}: {cause!r}. Discard what came and ask again") from cause
        finally:
            connection.http.close()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.http.close()

    def _send(
        self, connection: _Connection, method: str, target: str, body: bytes, headers: Mapping[str, str]
    ) -> http.client.HTTPResponse:
        http_connection = connection.http
        http_connection.putrequest(method, self._prefix + target, skip_accept_encoding=True)
        signed = sign(self._secret(), method, target, body)
        own = {**self._headers, **signed}
        if body or method == "POST":
            own |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        for name, value in {**own, **headers}.items():
            http_connection.putheader(name, value)
        http_connection.endheaders(body or None)
        return http_connection.getresponse()

    def _take(self) -> _Connection:
        newest = None
        with self._lock:
            while self._idle and newest is None:
                connection = self._idle.pop()
                if time.monotonic() - connection.used_at < IDLE_S:
                    newest = connection
                else:
                    connection.http.close()
        return newest or self._connect()

    def _connect(self) -> _Connection:
        if self._is_tls:
            tls = http.client.HTTPSConnection(
                self._host, self._port, timeout=self._timeout_s, context=self._ssl_context
            )
            return _Connection(tls)
        return _Connection(http.client.HTTPConnection(self._host, self._port, timeout=self._timeout_s))

    def _give_back(self, connection: _Connection, response: http.client.HTTPResponse) -> None:
        if response.will_close:
            connection.http.close()
            return
        connection.used_at = time.monotonic()
        with self._lock:
            self._idle.append(connection)


def _judge(response: http.client.HTTPResponse, content: bytes) -> Reply:
    """The reply of a success or a 304. Raises the error of a refusal."""
    headers = {name.lower(): value for name, value in response.getheaders()}
    if response.status < 300 or response.status == 304:
        return Reply(response.status, headers, content)
    try:
        envelope = json.loads(content)
        error = envelope["error"]
        error["code"]
    except (ValueError, KeyError, TypeError):
        raise UnreadableReplyError(response.status, content.decode(errors="replace")) from None
    raise api_error(response.status, error, _seconds(headers.get("retry-after")))


def _seconds(retry_after: str | None) -> float | None:
    return float(retry_after) if retry_after is not None and retry_after.isdecimal() else None
