"""One kept HTTP/1.1 connection, on top of http.client.

http.client alone takes 102 and 103 for the reply, limits the time of each read instead of the call, tries each address
of a host for the whole limit, and drops the bytes that come after a reply. Here each call gets its own reply or an
error, and a connection with anything unread is never used again.
"""

from __future__ import annotations

import errno
import http.client
import io
import os
import selectors
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from typing import Any, cast

IDLE_S = 50.0
"""The service keeps an idle connection for 65 s. The client does not use one that was idle for longer than this."""

_STAGGER_S = 0.25
"""The attempt to connect to a host's next address begins so long after the attempt before, which goes on."""

_BUFFER = 64 * 1024


class Connection(http.client.HTTPConnection):
    """A connection to one server. Only one call may use it at a time."""

    def __init__(self, host: str, port: int, ssl_context: ssl.SSLContext | None) -> None:
        self.default_port = http.client.HTTP_PORT if ssl_context is None else http.client.HTTPS_PORT
        super().__init__(host, port)
        # http.client only calls it.
        self.response_class = self._reply  # type: ignore[assignment]
        self._ssl_context = ssl_context
        self._process = os.getpid()
        self._used_at = time.monotonic()
        self._input: _Input | None = None
        self._reader: _Reader | None = None
        self._deadline = 0.0

    def call(self, method: str, target: str, headers: Mapping[str, str], body: bytes, limit_s: float) -> Reply:
        """Sends a call, and reads the reply without its body. The limit also holds for the body."""
        self.extend(limit_s)
        if self.sock is None:
            self.connect()
        self.putrequest(method, target, skip_accept_encoding=True)
        for name, value in headers.items():
            self.putheader(name, value)
        self.sock.settimeout(_remaining(self._deadline))
        self.endheaders(body or None)
        return cast(Reply, self.getresponse())

    def extend(self, limit_s: float) -> None:
        """The reply may take so long from now on."""
        self._deadline = time.monotonic() + limit_s
        if self._input is not None:
            self._input.deadline = self._deadline

    def is_usable(self) -> bool:
        """Whether another call may use the connection: it is open, and no byte of a reply waits to be read.

        A forked process must not use the connections of its parent, because each would read the other's replies.
        """
        if self.sock is None or self._input is None or self._reader is None or self._process != os.getpid():
            return False
        if time.monotonic() - self._used_at > IDLE_S:
            return False
        self._input.deadline = None
        try:
            return not self._reader.peek(1) and not self._input.has_ended
        except OSError:
            return False

    def end_call(self) -> None:
        """The reply has been read."""
        self._used_at = time.monotonic()

    def drop(self) -> None:
        self.close()
        if self._input is not None:
            self._input.socket_file.close()

    def connect(self) -> None:
        sock = _connected(self.host, self.port, self._deadline)
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._ssl_context is not None:
                sock.settimeout(_remaining(self._deadline))
                sock = self._ssl_context.wrap_socket(sock, server_hostname=self.host)
        except BaseException:
            sock.close()
            raise
        self.sock = sock
        self._input = _Input(sock, self._deadline)
        self._reader = _Reader(self._input, _BUFFER)

    def _reply(self, _sock: socket.socket, **more: Any) -> Reply:
        assert self._reader is not None
        return Reply(self._reader, **more)


class Reply(http.client.HTTPResponse):
    """The final reply to a call."""

    def __init__(self, reader: _Reader, **more: Any) -> None:
        super().__init__(cast(socket.socket, reader), **more)

    def begin(self) -> None:
        super().begin()
        # RFC 9110, 15.2: interim replies may come before the final reply, even if the client did not ask for them.
        while self.status < 200:
            if self.status == http.client.SWITCHING_PROTOCOLS:
                raise http.client.HTTPException("HTTP 101, although the call asked for no other protocol")
            # Without headers, http.client reads the next reply.
            self.headers = self.msg = None  # type: ignore[assignment]
            super().begin()
        lengths = set(self.headers.get_all("Content-Length", []))
        codings = [one.strip().lower() for one in self.headers.get_all("Transfer-Encoding", [])]
        if len(lengths) > 1 or (lengths and codings) or codings not in ([], ["chunked"]):
            raise http.client.HTTPException("the length of the reply is ambiguous")

    def pieces(self, size: int) -> Iterator[bytes]:
        """The body in pieces. Raises IncompleteRead when it was cut off."""
        while piece := self.read(size):
            yield piece
        if self.length:
            raise http.client.IncompleteRead(b"", self.length)


class _Input(io.RawIOBase):
    """Reads from a socket until a deadline."""

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self.sock = sock
        # http.client closes the socket when a reply announces the connection's end. This file keeps it open.
        self.socket_file = sock.makefile("rb", buffering=0)
        self.deadline: float | None = deadline
        """None: only bytes that have already arrived are read."""
        self.has_ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int | None:
        self.sock.settimeout(0 if self.deadline is None else _remaining(self.deadline))
        try:
            count = self.socket_file.readinto(into)
        except ssl.SSLWantReadError:
            return None
        self.has_ended |= count == 0
        return count


class _Reader(io.BufferedReader):
    """http.client makes a reader for each reply and closes it. This one stays, so that it sees every byte."""

    def makefile(self, *_: object) -> _Reader:
        return self

    def close(self) -> None:
        pass


def _connected(host: str, port: int, deadline: float) -> socket.socket:
    """A connection to the first address of the host that answers."""
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    failure: OSError = OSError(errno.EHOSTUNREACH, f"{host} has no address")
    with selectors.DefaultSelector() as begun:
        try:
            while addresses or begun.get_map():
                if addresses:
                    try:
                        _begin(begun, *addresses.pop(0))
                    except OSError as cause:
                        failure = cause
                wait_s = _remaining(deadline)
                if not begun.get_map():
                    continue
                for key, _ in begun.select(min(wait_s, _STAGGER_S) if addresses else wait_s):
                    sock = cast(socket.socket, key.fileobj)
                    begun.unregister(sock)
                    code = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                    if code == 0:
                        return sock
                    sock.close()
                    failure = OSError(code, os.strerror(code))
        finally:
            for key in list(begun.get_map().values()):
                cast(socket.socket, key.fileobj).close()
    raise failure


def _begin(begun: selectors.BaseSelector, family: int, kind: int, protocol: int, _: str, address: Any) -> None:
    """Begins to connect to an address."""
    sock = socket.socket(family, kind, protocol)
    try:
        sock.setblocking(False)
        code = sock.connect_ex(address)
        if code not in (0, errno.EINPROGRESS, errno.EWOULDBLOCK):
            raise OSError(code, os.strerror(code))
        begun.register(sock, selectors.EVENT_WRITE)
    except BaseException:
        sock.close()
        raise


def _remaining(deadline: float) -> float:
    """The seconds until the deadline. Raises TimeoutError when it has passed."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("timed out")
    return left
