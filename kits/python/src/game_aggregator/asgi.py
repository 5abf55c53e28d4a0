"""The wallet as an ASGI application: for FastAPI and Starlette, or alone under uvicorn, hypercorn, daphne.

app.router.routes.append(Route("/wallet", WalletApp(wallet)))
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

from .wallet.handler import MAX_BODY, Reply, Wallet

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


ARRIVES_WITHIN_S = 10.0
"""A body that does not arrive within this time is given up. The service waits 8 s for the whole reply."""


class WalletApp:
    """Answers callbacks on every path where it is mounted.

    `target`: path and query of your walletUrl. Set it if a proxy changes them. By default the received path and query
    are used.
    `threads`: the number of callbacks at the same time. Each server of the service makes up to 64 calls at the same
    time.
    """

    def __init__(self, wallet: Wallet, *, target: str | None = None, threads: int = 64) -> None:
        self._wallet = wallet
        self._target = target
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="wallet")

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _live(receive, send)
            return
        if scope["type"] != "http":
            raise TypeError(f"the wallet answers HTTP, not {scope['type']}")
        try:
            body = await asyncio.wait_for(_read(receive), ARRIVES_WITHIN_S)
        except asyncio.TimeoutError:
            # The service has given the call up. A rejection could be final, so this is none.
            await _answer(send, Reply(503, b'{"ok":false,"error":"INTERNAL_ERROR"}'), (b"connection", b"close"))
            return
        if body is None:
            return
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        loop = asyncio.get_running_loop()
        # A callback that has begun is finished, even if the caller disconnects.
        request = (scope["method"], self._target or target_of(scope), headers, body)
        reply = await loop.run_in_executor(self._threads, self._wallet.handle, *request)
        await _answer(send, reply)


def target_of(scope: MutableMapping[str, Any]) -> str:
    """Path and query as received."""
    raw = scope.get("raw_path")
    path = raw.decode("latin-1").partition("?")[0] if raw else quote(scope["path"])
    query = scope.get("query_string", b"").decode("latin-1")
    return f"{path}?{query}" if query else str(path)


async def _read(receive: Receive) -> bytes | None:
    """The body; a body that is too large is cut after the limit. None when the caller disconnected before the end."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False) or len(body) > MAX_BODY:
            return bytes(body)


async def _answer(send: Send, reply: Reply, *more: tuple[bytes, bytes]) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(reply.body)).encode()), *more]
    await send({"type": "http.response.start", "status": int(reply.status), "headers": headers})
    await send({"type": "http.response.body", "body": reply.body})


async def _live(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
