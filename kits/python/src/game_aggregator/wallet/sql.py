"""Storage in SQL, over any DB-API 2 driver: SQLite, MySQL and MariaDB, PostgreSQL."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from .dialect import SQLITE, Connection, Dialect, Row
from .storage import Applied, Conflict, Entry, Player, Rejected, StorageTransaction, Tombstone

_PROBE_AFTER_S = 1.0
"""A connection that was idle for longer is checked before use, because the database may have closed it."""


_STATES = {Applied: "applied", Rejected: "rejected", Tombstone: "tombstone"}


class SqlStorage:
    """The wallet's tables in a database.

    `connect`: opens a connection that any thread may use. `connections`: the maximum number of open
    connections. A callback waits up to `wait_s` for a free connection. After that it gets a 500,
    and the transaction stays pending. The service waits 8 s for an answer.

    Players may stay in your own table: make a subclass and replace the three statements. The order of parameters and
    columns must stay the same.
    """

    SELECT_PLAYER = "SELECT balance, blocked FROM wallet_players WHERE merchant = ? AND player_id = ?"
    UPDATE_PLAYER = "UPDATE wallet_players SET balance = ? WHERE merchant = ? AND player_id = ?"
    INSERT_PLAYER = "INSERT INTO wallet_players (merchant, player_id, balance, blocked) VALUES (?, ?, ?, ?)"

    def __init__(
        self, connect: Callable[[], Connection], dialect: Dialect, *, connections: int = 16, wait_s: float = 8.0
    ) -> None:
        self._connect = connect
        self._dialect = dialect
        self._free = threading.BoundedSemaphore(connections)
        self._wait_s = wait_s
        self._idle: list[tuple[Connection, float]] = []

    @classmethod
    def sqlite(cls, path: str, *, wait_s: float = 8.0) -> SqlStorage:
        """A SQLite file. All callbacks share one connection, because SQLite has one writer at a time."""

        def connect() -> Connection:
            return sqlite3.connect(path, isolation_level=None, check_same_thread=False)

        return cls(connect, SQLITE, connections=1, wait_s=wait_s)

    def create_tables(self) -> None:
        """Creates the missing tables: see schema/."""
        with self._connection() as connection:
            for statement in self._dialect.schema:
                self.execute(connection, statement)
            connection.commit()

    def add_player(self, merchant: str, player_id: str, *, balance_minor: int = 0, blocked: bool = False) -> None:
        """Adds a player. If the player exists already, nothing changes."""
        with suppress(Conflict), self._connection() as connection:
            self.execute(connection, self.INSERT_PLAYER, merchant, player_id, balance_minor, int(blocked))
            connection.commit()

    def player(self, merchant: str, player_id: str) -> Player | None:
        with self._connection() as connection:
            row = self.execute(connection, self.SELECT_PLAYER, merchant, player_id)
            connection.commit()
            return _player(row)

    @contextmanager
    def transaction(self, merchant: str, player_id: str) -> Iterator[StorageTransaction]:
        with self._connection() as connection:
            if self._dialect.begin:
                self.execute(connection, self._dialect.begin)
            row = self.execute(connection, self.SELECT_PLAYER + self._dialect.lock, merchant, player_id)
            yield _SqlTransaction(self, connection, merchant, player_id, _player(row))
            connection.commit()

    def close(self) -> None:
        """Closes the idle connections."""
        while self._idle:
            self._idle.pop()[0].close()

    def execute(self, connection: Connection, statement: str, *parameters: Any) -> Row | None:
        """Runs a statement whose placeholders are question marks. Returns its first row, if it has rows."""
        dialect = self._dialect
        values = [dialect.parameter(one) if isinstance(one, str) else one for one in parameters]
        cursor = connection.cursor()
        try:
            cursor.execute(statement.replace("?", dialect.placeholder), values)
            row: Row | None = cursor.fetchone() if cursor.description is not None else None
            return row
        finally:
            cursor.close()

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        """A connection for one transaction. An error rolls it back."""
        if not self._free.acquire(timeout=self._wait_s):
            raise TimeoutError(f"no database connection was free within {self._wait_s} s")
        try:
            connection = self._take()
            try:
                yield connection
            except Exception as error:
                self._roll_back(connection)
                if self._dialect.is_conflict(error):
                    raise Conflict from error
                raise
            except BaseException:
                connection.close()
                raise
            self._idle.append((connection, time.monotonic()))
        finally:
            self._free.release()

    def _take(self) -> Connection:
        while self._idle:
            connection, since = self._idle.pop()
            if time.monotonic() - since < _PROBE_AFTER_S or self._is_alive(connection):
                return connection
        connection = self._connect()
        try:
            for statement in self._dialect.on_connect:
                self.execute(connection, statement)
            connection.commit()
        except BaseException:
            connection.close()
            raise
        return connection

    def _is_alive(self, connection: Connection) -> bool:
        try:
            self.execute(connection, "SELECT 1")
            connection.commit()
            return True
        except Exception:
            with suppress(Exception):
                connection.close()
            return False

    def _roll_back(self, connection: Connection) -> None:
        try:
            connection.rollback()
            self._idle.append((connection, time.monotonic()))
        except Exception:
            with suppress(Exception):
                connection.close()


class _SqlTransaction:
    def __init__(
        self, storage: SqlStorage, connection: Connection, merchant: str, player_id: str, player: Player | None
    ) -> None:
        self._storage = storage
        self._connection = connection
        self._merchant = merchant
        self._player_id = player_id
        self.player = player

    def find(self, tx_id: str) -> Entry | None:
        row = self._execute(
            "SELECT state, action, player_id, amount, ref_tx_id, balance, error"
            " FROM wallet_entries WHERE merchant = ? AND tx_id = ?",
            tx_id,
        )
        if row is None:
            return None
        state, action, player_id, amount, ref_tx_id, balance, error = map(_text, row)
        if state == "applied":
            return Applied(tx_id, action, player_id, int(amount), ref_tx_id, int(balance))
        return Rejected(tx_id, error) if state == "rejected" else Tombstone(tx_id)

    def is_reversed(self, tx_id: str) -> bool:
        statement = "SELECT 1 FROM wallet_entries WHERE merchant = ? AND ref_tx_id = ?"
        return self._execute(statement, tx_id) is not None

    def add(self, entry: Entry) -> None:
        applied = entry if isinstance(entry, Applied) else None
        self._execute(
            "INSERT INTO wallet_entries (merchant, tx_id, state, action, player_id, amount, ref_tx_id, balance, error)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            entry.tx_id,
            _STATES[type(entry)],
            applied and applied.action,
            applied and applied.player_id,
            applied and applied.amount_minor,
            applied and applied.ref_tx_id,
            applied and applied.balance_minor,
            entry.error if isinstance(entry, Rejected) else None,
        )

    def set_balance(self, balance_minor: int) -> None:
        update = self._storage.UPDATE_PLAYER
        self._storage.execute(self._connection, update, balance_minor, self._merchant, self._player_id)

    def _execute(self, statement: str, *parameters: Any) -> Row | None:
        """A statement whose first parameter is the merchant."""
        return self._storage.execute(self._connection, statement, self._merchant, *parameters)


def _player(row: Row | None) -> Player | None:
    return None if row is None else Player(int(row[0]), bool(row[1]))


def _text(value: Any) -> Any:
    """MySQL returns VARBINARY as bytes."""
    return value.decode() if isinstance(value, bytes) else value
