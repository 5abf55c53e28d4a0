"""The differences between databases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Protocol

Row = Sequence[Any]


class Connection(Protocol):
    """The part of DB-API 2 (PEP 249) that the storage uses."""

    def cursor(self) -> Any: ...
    def commit(self) -> None: ...
    def rollback(self) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class Dialect:
    name: str
    """Its schema is the file `schema/<name>.sql`."""
    placeholder: str
    """The placeholder of a parameter, in DB-API's qmark or format style."""
    on_connect: tuple[str, ...]
    """Statements for a new connection. They must prevent reads from a snapshot older than the player's lock."""
    begin: str
    """The statement that begins a transaction; empty when the driver begins it by itself."""
    lock: str
    """The end of a SELECT that locks its rows."""
    parameter: Callable[[str], str | bytes] = lambda text: text
    """Converts a text for the driver."""

    @property
    def schema(self) -> list[str]:
        """The statements that create the missing tables."""
        script = files(__package__).joinpath("schema", f"{self.name}.sql").read_text(encoding="utf-8")
        lines = [line for line in script.splitlines() if not line.startswith("--")]
        return [statement.strip() for statement in "\n".join(lines).split(";") if statement.strip()]

    def is_conflict(self, error: Exception) -> bool:
        """Whether a concurrent transaction caused the error, so that a retry may succeed."""
        # Every DB-API driver has a class IntegrityError, but these classes have no common base.
        if any(base.__name__ == "IntegrityError" for base in type(error).__mro__):
            return True
        if getattr(error, "sqlstate", None) in ("40001", "40P01", "55P03"):
            return True
        # MySQL: a row has changed since the snapshot, lock wait timeout, deadlock.
        return error.args[:1] in ((1020,), (1205,), (1213,))


SQLITE = Dialect(
    name="sqlite",
    placeholder="?",
    on_connect=("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"),
    begin="BEGIN IMMEDIATE",
    lock="",
)
"""For sqlite3 connections with `isolation_level=None`: see SqlStorage.sqlite."""

MYSQL = Dialect(
    name="mysql",
    placeholder="%s",
    on_connect=("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",),
    begin="START TRANSACTION",
    lock=" FOR UPDATE",
    # Bytes compare with VARBINARY columns. The connection's character set does not convert them.
    parameter=str.encode,
)
"""MySQL and MariaDB, with PyMySQL or another driver of the same parameter style."""

POSTGRESQL = Dialect(
    name="postgresql",
    placeholder="%s",
    on_connect=("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED",),
    begin="",
    lock=" FOR UPDATE",
)
"""PostgreSQL, with psycopg. Its connections must not be in autocommit mode."""
