"""The wallet as a WSGI application: for gunicorn, uWSGI, mod_wsgi, or mounted in Flask or Django.

app.wsgi_app = DispatcherMiddleware(app.wsgi_app, {"/wallet": WalletApp(wallet)})
"""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from .wallet.handler import MAX_BODY, Wallet

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


class WalletApp:
    """Answers callbacks on every path where it is mounted.

    `target`: path and query of your walletUrl. By default the received path and query are used, from RAW_URI (gunicorn)
    or REQUEST_URI (uWSGI, mod_wsgi). A server that provides neither loses the percent-encoding. Set `target` if your
    server provides neither and your walletUrl is percent-encoded, or if a proxy changes the path.
    """

    def __init__(self, wallet: Wallet, *, target: str | None = None) -> None:
        self._wallet = wallet
        self._target = target

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        headers = {
            name.removeprefix("HTTP_").replace("_", "-"): value
            for name, value in environ.items()
            if name.startswith("HTTP_X_")
        }
        target = self._target or target_of(environ)
        reply = self._wallet.handle(environ["REQUEST_METHOD"], target, headers, _read(environ))
        status = HTTPStatus(reply.status)
        start_response(
            f"{status.value} {status.phrase}",
            [("Content-Type", "application/json"), ("Content-Length", str(len(reply.body)))],
        )
        return [reply.body]


def target_of(environ: WSGIEnvironment) -> str:
    """Path and query as received, if the server provides them."""
    raw = str(environ.get("RAW_URI") or environ.get("REQUEST_URI") or "")
    if raw.startswith("/"):
        return raw
    if raw:
        url = urlsplit(raw)
        return f"{url.path or '/'}?{url.query}" if url.query else url.path or "/"
    path = quote((environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")).encode("latin-1"))
    query = environ.get("QUERY_STRING", "")
    return f"{path}?{query}" if query else path


def _read(environ: WSGIEnvironment) -> bytes:
    """The body, at most one byte longer than the limit. The signature does not match an incomplete body."""
    stream: Any = environ["wsgi.input"]
    length = environ.get("CONTENT_LENGTH") or ""
    if length.isdecimal():
        return bytes(stream.read(min(int(length), MAX_BODY + 1)))
    # Without a length, a body is sent in chunks. Only some servers mark the end of the chunks.
    return bytes(stream.read(MAX_BODY + 1)) if environ.get("wsgi.input_terminated") else b""
