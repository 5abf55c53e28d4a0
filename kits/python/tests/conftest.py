from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from callbacks import MERCHANTS

from game_aggregator.wallet import MYSQL, POSTGRESQL, MemoryStorage, SqlStorage, Wallet

AnyStorage = MemoryStorage | SqlStorage


WAIT_S = 60.0
"""Seconds to wait for a free connection. On a busy machine, 50 callbacks at once take longer than the default."""


@pytest.fixture(scope="session")
def mariadb_socket() -> str:
    """The socket of a MariaDB. The user `root` needs no password. The tests empty the database `wallet`."""
    pytest.importorskip("pymysql")
    return _named_by("MARIADB_SOCKET")


@pytest.fixture(scope="session")
def postgresql_url() -> str:
    """A connection string of PostgreSQL. The tests empty its tables."""
    pytest.importorskip("psycopg")
    return _named_by("POSTGRESQL_URL")


def _named_by(variable: str) -> str:
    if variable not in os.environ:
        pytest.skip(f"{variable} names no database")
    return os.environ[variable]


@pytest.fixture
def mariadb_storage(mariadb_socket: str) -> Iterator[SqlStorage]:
    import pymysql

    with pymysql.connect(unix_socket=mariadb_socket, user="root") as admin, admin.cursor() as cursor:
        cursor.execute("CREATE DATABASE IF NOT EXISTS wallet")

    def connect() -> pymysql.Connection:
        return pymysql.connect(unix_socket=mariadb_socket, user="root", database="wallet")

    yield from _emptied(SqlStorage(connect, MYSQL, wait_s=WAIT_S), connect)


@pytest.fixture
def postgresql_storage(postgresql_url: str) -> Iterator[SqlStorage]:
    import psycopg

    def connect() -> psycopg.Connection:
        return psycopg.connect(postgresql_url)

    yield from _emptied(SqlStorage(connect, POSTGRESQL, wait_s=WAIT_S), connect)


@pytest.fixture
def sqlite_storage(tmp_path: Path) -> Iterator[SqlStorage]:
    storage = SqlStorage.sqlite(str(tmp_path / "wallet.db"), wait_s=WAIT_S)
    storage.create_tables()
    yield storage
    storage.close()


def _emptied(storage: SqlStorage, connect: Callable[[], Any]) -> Iterator[SqlStorage]:
    """All tests share one server and its tables."""
    storage.create_tables()
    with closing(connect()) as admin, admin.cursor() as cursor:
        for table in ("wallet_entries", "wallet_players"):
            cursor.execute(f"DELETE FROM {table}")
        admin.commit()
    yield storage
    storage.close()


@pytest.fixture
def memory_storage() -> MemoryStorage:
    return MemoryStorage()


@pytest.fixture(params=["memory", "sqlite", "mariadb", "postgresql"])
def storage(request: pytest.FixtureRequest) -> AnyStorage:
    """Runs the test with each storage."""
    storage: AnyStorage = request.getfixturevalue(f"{request.param}_storage")
    return storage


@pytest.fixture
def wallet(storage: AnyStorage) -> Wallet:
    """A wallet with each storage. `ana` and `rui` have 100 at each merchant. `eva` has 100 and is blocked."""
    for merchant in MERCHANTS:
        balance_minor = 100 if merchant.currency == "CLP" else 10_000
        storage.add_player(merchant.code, "ana", balance_minor=balance_minor)
        storage.add_player(merchant.code, "rui", balance_minor=balance_minor)
        storage.add_player(merchant.code, "eva", balance_minor=balance_minor, blocked=True)
    return Wallet(storage, MERCHANTS)
