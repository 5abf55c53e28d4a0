"""The wallet under real servers."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest

from game_aggregator import asgi, sign, wsgi
from game_aggregator.asgi import WalletApp
from game_aggregator.wallet import MemoryStorage, Merchant, Wallet

SHOP = Merchant("shop", ["sk_shop"], "BRL")
EXAMPLE = Path(__file__).parents[1] / "example"


def new_wallet() -> Wallet:
    storage = MemoryStorage()
    storage.add_player("shop", "ana", balance_minor=10_000)
    return Wallet(storage, [SHOP])


def call(port: int, target: str, signed_target: str | None = None, method: str = "POST") -> tuple[int, Any]:
    body = '{"action":"balance","player_id":"ana","currency":"BRL","game":"ação"}'.encode()
    headers = {"X-Merchant-Id": "shop", **sign("sk_shop", method, signed_target or target, body)}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, target, body, headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


GENUINE = (200, {"ok": True, "balance": 100})
REFUSED = (401, {"ok": False, "error": "INVALID_SIGNATURE"})


@contextmanager
def uvicorn_with(app: Any) -> Iterator[int]:
    uvicorn = pytest.importorskip("uvicorn")
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


@pytest.mark.parametrize("target", ["/wallet", "/wallet?b=1&a=%C3%A3", "/wal%6Cet/a%2Fb?x=a+b"])
def test_asgi_alone_signs_over_the_target_as_it_came(target: str) -> None:
    with uvicorn_with(WalletApp(new_wallet())) as port:
        assert call(port, target) == GENUINE
        assert call(port, target, signed_target="/another") == REFUSED


def test_asgi_with_a_fixed_target_ignores_what_a_proxy_made_of_it() -> None:
    with uvicorn_with(WalletApp(new_wallet(), target="/hooks/wallet?b=1")) as port:
        assert call(port, "/internal", signed_target="/hooks/wallet?b=1") == GENUINE
        assert call(port, "/internal") == REFUSED


def test_fastapi_beside_routes_of_its_own() -> None:
    fastapi = pytest.importorskip("fastapi")
    from starlette.routing import Route

    app = fastapi.FastAPI()
    app.router.routes.append(Route("/wallet", WalletApp(new_wallet())))

    @app.get("/health")
    def health() -> str:
        return "fine"

    with uvicorn_with(app) as port:
        assert call(port, "/wallet") == GENUINE
        assert call(port, "/wallet?a=1") == GENUINE
        assert call(port, "/health", method="GET") == (200, "fine")


def test_starlette() -> None:
    applications = pytest.importorskip("starlette.applications")
    from starlette.routing import Mount, Route

    inner = [Route("/wallet", WalletApp(new_wallet()))]
    with uvicorn_with(applications.Starlette(routes=[Mount("/shop", routes=inner)])) as port:
        assert call(port, "/shop/wallet?a=1") == GENUINE


def test_asgi_does_nothing_with_half_a_body() -> None:
    handled: list[bytes] = []

    class Recording(Wallet):
        def handle(self, method: str, target: str, headers: Any, body: bytes) -> Any:
            handled.append(body)
            return super().handle(method, target, headers, body)

    with uvicorn_with(WalletApp(Recording(MemoryStorage(), [SHOP]))) as port:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"POST /wallet HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n" + b"x" * 50)
        assert call(port, "/wallet")[0] == 200
    assert [len(body) for body in handled if body.startswith(b"x")] == []


def test_asgi_gives_a_body_up_that_does_not_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "ARRIVES_WITHIN_S", 0.1)
    with uvicorn_with(WalletApp(new_wallet())) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            connection.sendall(b"POST /wallet HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n" + b"x" * 50)
            assert b" 503 " in connection.recv(100)
        assert call(port, "/wallet") == GENUINE


def test_a_body_that_is_too_large_is_refused() -> None:
    with uvicorn_with(WalletApp(new_wallet())) as port, _wsgi_server(wsgi.WalletApp(new_wallet())) as other:
        for one in (port, other):
            with socket.create_connection(("127.0.0.1", one), timeout=10) as connection:
                head = b"POST /wallet HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\nConnection: close\r\n\r\n"
                connection.sendall(head + b"x" * 70_000)
                assert b" 413 " in connection.recv(100)


class _Handler(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def _wsgi_server(app: Any) -> Iterator[int]:
    with make_server("127.0.0.1", 0, app, handler_class=_Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join(10)


def test_wsgi() -> None:
    with _wsgi_server(wsgi.WalletApp(new_wallet())) as port:
        assert call(port, "/wallet?b=1&a=%C3%A3") == GENUINE
        assert call(port, "/wallet", signed_target="/another") == REFUSED
    with _wsgi_server(wsgi.WalletApp(new_wallet(), target="/hooks/wallet")) as port:
        assert call(port, "/internal", signed_target="/hooks/wallet") == GENUINE


@pytest.mark.parametrize(
    "environ, target",
    [
        ({"RAW_URI": "/w%6C?a=%20", "PATH_INFO": "/wl", "QUERY_STRING": "a=%20"}, "/w%6C?a=%20"),
        ({"REQUEST_URI": "/wallet?", "PATH_INFO": "/wallet", "QUERY_STRING": ""}, "/wallet?"),
        ({"REQUEST_URI": "http://shop.example/wallet?a=1", "PATH_INFO": "/wallet"}, "/wallet?a=1"),
        ({"SCRIPT_NAME": "/shop", "PATH_INFO": "/wallet", "QUERY_STRING": "a=1"}, "/shop/wallet?a=1"),
        ({"SCRIPT_NAME": "", "PATH_INFO": "/\u00c3\u00a3"}, "/%C3%A3"),
    ],
)
def test_wsgi_takes_the_target_as_the_server_tells_it(environ: dict[str, str], target: str) -> None:
    assert wsgi.target_of(environ) == target


@pytest.mark.parametrize("program", ["wallet.py", "wallet_wsgi.py"])
def test_the_examples_serve_64_connections_at_once_and_end_on_sigterm(program: str) -> None:
    if program == "wallet.py":
        pytest.importorskip("fastapi")
        pytest.importorskip("uvicorn")
    environment = {
        **os.environ,
        "PORT": "0",
        "MERCHANTS": '[{"code":"shop","secrets":["sk_shop"],"currency":"BRL"}]',
        "PLAYERS": '[{"merchant":"shop","id":"ana","balance_minor":10000,"blocked":false}]',
    }
    with subprocess.Popen(
        [sys.executable, str(EXAMPLE / program)], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("listening on http://127.0.0.1:") and line.endswith("/wallet\n")
        port = int(line.split(":")[2].split("/")[0])
        connections = [socket.create_connection(("127.0.0.1", port)) for _ in range(64)]
        try:
            # 64 open connections are idle, so each of these requests needs a 65th connection.
            with ThreadPoolExecutor(64) as threads:
                assert list(threads.map(lambda _: call(port, "/wallet"), range(64))) == [GENUINE] * 64
        finally:
            for connection in connections:
                connection.close()
        process.send_signal(signal.SIGTERM)
        process.wait(10)
