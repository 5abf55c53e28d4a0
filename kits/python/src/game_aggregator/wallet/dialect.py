"""All that differs between databases."""

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
    """What stands for a parameter: DB-API's qmark or format style."""
    on_connect: tuple[str, ...]
    """Statements for a new connection. Nothing may be read from a snapshot older than the player's lock."""
    begin: str
    """Begins a transaction; empty where the driver does it by itself."""
    lock: str
    """What a SELECT ends with that locks its rows."""
    parameter: Callable[[str], str | bytes] = lambda text: text
    """How a text is given to the driver."""

    @property
    def schema(self) -> list[str]:
        """The statements that create the tables, unless they are there."""
        script = files(__package__).joinpath("schema", f"{self.name}.sql").read_text(encoding="utf-8")
        lines = [line for line in script.splitlines() if not line.startswith("--")]
        return [statement.strip() for statement in "\n".join(lines).split(";") if statement.strip()]

    def is_conflict(self, error: Exception) -> bool:
        """Whether a concurrent transaction is the cause, so that the same one may succeed when it is tried again."""
        # DB-API gives every driver an IntegrityError, but no class that they have in common.
        if any(base.__name__ == "IntegrityError" for base in type(error).__mro__):
            return True
        if getattr(error, "sqlstate", None) in ("40001", "40P01", "55P03"):
            return True
        return error.args[:1] in ((1205,), (1213,))


SQLITE = Dialect(
    name="sqlite",
    placeholder="?",
    on_connect=("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"),
    begin="BEGIN IMMEDIATE",
    lock="",
)
"""With sqlite3 connections of `isolation_level=None`: see SqlStorage.sqlite."""

MYSQL = Dialect(
    name="mysql",
    placeholder="%s",
    on_connect=("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",),
    begin="START TRANSACTION",
    lock=" FOR UPDATE",
    # Compared with VARBINARY, and never converted by the connection's character set.
    parameter=str.encode,
)
"""MySQL and MariaDB, with PyMySQL or a driver of the same parameter style."""

POSTGRESQL = Dialect(
    name="postgresql",
    placeholder="%s",
    on_connect=("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED",),
    begin="",
    lock=" FOR UPDATE",
)
"""PostgreSQL, with psycopg. Its connections must not be in autocommit mode."""
