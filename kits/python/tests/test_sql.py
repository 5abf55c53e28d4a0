"""Tests that apply to storage in SQL only."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest
from callbacks import SHOP, Caller

from game_aggregator.wallet import MYSQL, Applied, Conflict, Player, SqlStorage, Wallet


def test_a_file_is_remembered_by_the_next_process(tmp_path: Path) -> None:
    path = str(tmp_path / "wallet.db")
    first = SqlStorage.sqlite(path)
    first.create_tables()
    first.add_player("shop", "ana", balance_minor=10_000)
    reply = Caller(Wallet(first, [SHOP])).bet(2.5, "ACME:1")
    first.close()
    second = SqlStorage.sqlite(path)
    second.create_tables()
    caller = Caller(Wallet(second, [SHOP]))
    assert caller.bet(2.5, "ACME:1") == reply
    assert second.player("shop", "ana") == Player(9_750, False)
    second.close()


def test_players_may_stay_in_a_table_of_their_own(tmp_path: Path) -> None:
    class OwnPlayers(SqlStorage):
        SELECT_PLAYER = "SELECT cents, status = 'excluded' FROM accounts WHERE brand = ? AND login = ?"
        UPDATE_PLAYER = "UPDATE accounts SET cents = ? WHERE brand = ? AND login = ?"

    path = str(tmp_path / "shop.db")
    with sqlite3.connect(path) as own:
        own.execute("CREATE TABLE accounts (brand TEXT, login TEXT, cents INTEGER, status TEXT)")
        own.execute("INSERT INTO accounts VALUES ('shop', 'ana', 1000, 'active'), ('shop', 'eva', 1000, 'excluded')")
    own.close()
    storage = OwnPlayers.sqlite(path)
    storage.create_tables()
    wallet = Wallet(storage, [SHOP])
    assert Caller(wallet).bet(2.5).balance == 7.5
    assert Caller(wallet, player="eva").bet(2.5).error == "PLAYER_BLOCKED"
    assert storage.player("shop", "ana") == Player(750, False)
    storage.close()


def test_a_connection_that_the_database_closed_is_replaced(
    mariadb_storage: SqlStorage, mariadb_socket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pymysql

    monkeypatch.setattr("game_aggregator.wallet.sql._PROBE_AFTER_S", 0.0)
    mariadb_storage.add_player("shop", "ana", balance_minor=10_000)
    caller = Caller(Wallet(mariadb_storage, [SHOP]))
    assert caller.bet(2.5).ok
    with pymysql.connect(unix_socket=mariadb_socket, user="root") as admin, admin.cursor() as cursor:
        cursor.execute("SELECT id FROM information_schema.processlist WHERE db = 'wallet'")
        killed = [row[0] for row in cursor.fetchall()]
        for one in killed:
            cursor.execute(f"KILL {one}")
    assert len(killed) > 0
    assert caller.bet(2.5).balance == 95
    mariadb_storage.close()


def test_a_row_that_changed_since_the_snapshot_is_a_conflict(mariadb_storage: SqlStorage) -> None:
    # MariaDB raises 1020 with the setting innodb_snapshot_isolation.
    with pytest.raises(Conflict), mariadb_storage._connection() as connection:
        mariadb_storage.execute(connection, "SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1020")


@pytest.mark.parametrize("server", ["mariadb", "postgresql"])
def test_a_transaction_reads_what_another_one_has_committed_meanwhile(
    server: str, request: pytest.FixtureRequest
) -> None:
    storage: SqlStorage = request.getfixturevalue(f"{server}_storage")
    storage.add_player("shop", "ana")
    storage.add_player("shop", "rui")
    with storage.transaction("shop", "ana") as transaction:
        assert transaction.find("w1") is None
        assert Caller(Wallet(storage, [SHOP]), player="rui").win(1, "w1").ok
        assert isinstance(transaction.find("w1"), Applied)


def test_a_dead_database_is_no_rejection(tmp_path: Path) -> None:
    storage = SqlStorage.sqlite(str(tmp_path / "nowhere" / "wallet.db"))
    caller = Caller(Wallet(storage, [SHOP]))
    for answer in (caller.send("balance"), caller.bet(2.5)):
        assert (answer.status, answer.error) == (500, "INTERNAL_ERROR")


def test_a_callback_that_finds_no_free_connection_is_no_rejection(tmp_path: Path) -> None:
    path = str(tmp_path / "wallet.db")
    storage = SqlStorage.sqlite(path, wait_s=0.05)
    storage.create_tables()
    storage.add_player("shop", "ana", balance_minor=10_000)
    caller = Caller(Wallet(storage, [SHOP]))
    with storage.transaction("shop", "ana"):
        answers = []
        thread = threading.Thread(target=lambda: answers.append(caller.bet(2.5)))
        thread.start()
        thread.join(10)
    assert [answer.status for answer in answers] == [500]
    assert caller.bet(2.5).ok
    storage.close()


def test_the_schema_is_one_statement_at_a_time() -> None:
    assert len(MYSQL.schema) == 2
    assert all(statement.startswith("CREATE TABLE") and ";" not in statement for statement in MYSQL.schema)
