"""Which connection a call uses. test/kits/ in the project's root has the replies that no HTTP library sends."""

from __future__ import annotations

import os
import socket
import threading
import time
import warnings
from typing import Any

import pytest
from service import SECRET, Call, Given, service
from test_client import MERCHANT

from game_aggregator import Client, ConnectionFailedError, RetryPolicy
from game_aggregator.connection import Reply

ONCE = RetryPolicy(tries=1)


def launch(_: int, call: Call) -> Given:
    player = call.body.decode().split('"')[3]
    return Given(200, {"launch_url": player, "game": "g", "provider": "ACME", "demo": False})


def test_calls_use_one_connection_after_the_other() -> None:
    with service(launch) as (origin, calls), Client(origin, "shop", SECRET) as client:
        assert [client.launch(player, "g").launch_url for player in ("ana", "bia", "caio")] == ["ana", "bia", "caio"]
        assert len({call.peer for call in calls}) == 1


def test_threads_never_share_a_connection() -> None:
    with service(launch) as (origin, calls), Client(origin, "shop", SECRET) as client:
        wrong: list[str] = []

        def play(player: str) -> None:
            for _ in range(20):
                if (url := client.launch(player, "g").launch_url) != player:
                    wrong.append(f"{player} got {url}")

        threads = [threading.Thread(target=play, args=(f"player-{n}",)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []
        assert len(calls) == 160


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_does_not_use_the_connections_of_its_parent() -> None:
    with service(launch) as (origin, calls), Client(origin, "shop", SECRET) as client:
        client.launch("ana", "g")
        with warnings.catch_warnings():
            # Later versions of Python warn because the service of this test is a thread.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            os._exit(0 if client.launch("bia", "g").launch_url == "bia" else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert client.launch("caio", "g").launch_url == "caio"
        ana, bia, caio = (call.peer for call in calls)
        assert ana == caio != bia


@pytest.mark.parametrize("interruption", [KeyboardInterrupt(), RuntimeError("a bug"), MemoryError()])
def test_an_interrupted_call_leaves_no_connection(
    monkeypatch: pytest.MonkeyPatch, interruption: BaseException
) -> None:
    def interrupted(*_: object) -> Any:
        raise interruption

    with service(launch) as (origin, calls), Client(origin, "shop", SECRET) as client:
        client.launch("ana", "g")
        with monkeypatch.context() as patch, pytest.raises(type(interruption)):
            patch.setattr(Reply, "pieces", interrupted)
            client.launch("bia", "g")
        assert client.launch("caio", "g").launch_url == "caio"
        assert calls[0].peer == calls[1].peer != calls[2].peer


def test_an_abandoned_export_leaves_no_connection() -> None:
    with service(lambda *_: Given(200, raw=b"a,b\n" * 100_000)) as (origin, calls):
        with Client(origin, "shop", SECRET) as client:
            next(client.export_transactions_csv())
            next(client.export_transactions_csv())
            assert calls[0].peer != calls[1].peer


def silent_address() -> tuple[list[socket.socket], tuple[str, int]]:
    """An address of this machine at which no connection is ever made: its queue is full."""
    server = socket.create_server(("127.0.0.1", 0), backlog=0)
    waiting = [server]
    for _ in range(4):
        waiting.append(socket.socket())
        waiting[-1].setblocking(False)
        waiting[-1].connect_ex(server.getsockname())
    return waiting, server.getsockname()


def test_a_silent_address_does_not_keep_a_call_from_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with service(lambda *_: Given(200, MERCHANT)) as (origin, _):
        sockets, silent = silent_address()
        good = ("127.0.0.1", int(origin.rpartition(":")[2]))
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", address) for address in (silent, silent, good)]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: list(found))
        with Client(origin, "shop", SECRET, timeout_s=30, retry=ONCE) as client:
            assert client.merchant().code == "shop"
        found.pop()
        with Client(origin, "shop", SECRET, timeout_s=0.4, retry=ONCE) as client:
            began = time.monotonic()
            with pytest.raises(ConnectionFailedError, match="timed out"):
                client.merchant()
            assert time.monotonic() - began < 5
        found.clear()
        with Client(origin, "shop", SECRET, retry=ONCE) as client:
            with pytest.raises(ConnectionFailedError, match="has no address"):
                client.merchant()
        for one in sockets:
            one.close()


def test_a_variable_of_the_environment_names_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with service(lambda *_: Given(200, MERCHANT)) as (origin, _), Client(origin, "shop", SECRET) as client:
        assert client.merchant().code == "shop"
