"""The wallet's interface to a database. Implement it with your own tables, or use MemoryStorage or SqlStorage."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Player:
    balance_minor: int
    """In whole minor units. A rollback may make it negative."""
    blocked: bool
    """Bets of a blocked player are rejected. Wins and refunds are applied."""


@dataclass(frozen=True)
class Applied:
    """A transaction that moved money."""

    tx_id: str
    action: str
    player_id: str
    amount_minor: int
    ref_tx_id: str | None
    """The transaction that a refund or rollback reversed."""
    balance_minor: int
    """The balance after the transaction. Every repeat gets this balance."""


@dataclass(frozen=True)
class Rejected:
    """A bet or rollback with a final rejection."""

    tx_id: str
    error: str


@dataclass(frozen=True)
class Tombstone:
    """A bet or win whose reversal came first. It must never be applied."""

    tx_id: str


Entry = Applied | Rejected | Tombstone
"""The result of a tx_id. Keep it for ever, or at least one month longer than a bet may stay open."""


class Conflict(Exception):
    """A concurrent transaction was faster. Nothing was stored, and the wallet handles the callback again."""


class StorageTransaction(Protocol):
    """One transaction of the database, for one merchant, with one player's row locked.

    All ids are compared byte by byte: case, accents and spaces at the end count.
    """

    player: Player | None
    """The locked player. No other transaction can change it before this one ends. None: the player does not exist."""

    def find(self, tx_id: str) -> Entry | None:
        """The stored result of this merchant's transaction, for any player."""

    def is_reversed(self, tx_id: str) -> bool:
        """Whether an applied transaction has this `ref_tx_id`."""

    def add(self, entry: Entry) -> None:
        """Raises Conflict unless (merchant, tx_id) is new, and (merchant, ref_tx_id) is new or empty."""

    def set_balance(self, balance_minor: int) -> None:
        """Sets the balance of the locked player."""


class Storage(Protocol):
    def player(self, merchant: str, player_id: str) -> Player | None:
        """Reads a player without a lock, for a balance query."""

    def transaction(self, merchant: str, player_id: str) -> AbstractContextManager[StorageTransaction]:
        """Begins a transaction and locks the player. It commits at the end of the block. An exception undoes all
        changes.

        The begin, the block and the commit may raise Conflict.
        """
