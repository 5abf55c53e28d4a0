"""What the wallet needs of a database. Implement it over your own tables, or use MemoryStorage or SqlStorage."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Player:
    balance_minor: int
    """In whole minor units. A rollback may leave less than nothing."""
    blocked: bool
    """Bets are rejected. Credits are paid all the same."""


@dataclass(frozen=True)
class Applied:
    """A transaction that moved money."""

    tx_id: str
    action: str
    player_id: str
    amount_minor: int
    ref_tx_id: str | None
    """What a refund or rollback reversed."""
    balance_minor: int
    """The balance after it, which every repeat is told."""


@dataclass(frozen=True)
class Rejected:
    """A bet or rollback that was rejected for good."""

    tx_id: str
    error: str


@dataclass(frozen=True)
class Tombstone:
    """A bet or win whose reversal came first, so that it must not be applied any more."""

    tx_id: str


Entry = Applied | Rejected | Tombstone
"""What became of a tx_id. Keep it for ever, or at least for a month longer than a bet may be open."""


class Conflict(Exception):
    """A concurrent transaction was faster. Nothing was stored, and the callback is judged once more."""


class StorageTransaction(Protocol):
    """One transaction of the database, for one merchant, with one player's row locked.

    All ids are compared byte by byte: case, accents and spaces at the end count.
    """

    player: Player | None
    """As the lock found it; nobody else can change it before this transaction ends. None: there is no such player."""

    def find(self, tx_id: str) -> Entry | None:
        """What became of this merchant's transaction, whoever its player is."""

    def is_reversed(self, tx_id: str) -> bool:
        """Whether an applied transaction has this `ref_tx_id`."""

    def add(self, entry: Entry) -> None:
        """Unique: (merchant, tx_id), and (merchant, ref_tx_id) where there is one; else Conflict."""

    def set_balance(self, balance_minor: int) -> None:
        """Of the locked player."""


class Storage(Protocol):
    def player(self, merchant: str, player_id: str) -> Player | None:
        """Reads without a lock, for a balance query."""

    def transaction(self, merchant: str, player_id: str) -> AbstractContextManager[StorageTransaction]:
        """Locks the player and begins. It commits at the end of the block; an exception undoes all of it.

        Raises Conflict, also from the commit.
        """
