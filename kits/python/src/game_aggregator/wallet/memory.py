"""Storage in memory, for tests and first steps. Its content is lost when the process ends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from .storage import Applied, Conflict, Entry, Player, StorageTransaction

_Key = tuple[str, str]
"""A merchant's code and an id."""


class MemoryStorage:
    """One lock covers all callbacks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.players: dict[_Key, Player] = {}
        self.entries: dict[_Key, Entry] = {}
        self.reversed: set[_Key] = set()

    def add_player(self, merchant: str, player_id: str, *, balance_minor: int = 0, blocked: bool = False) -> None:
        """Adds a player. If the player exists already, nothing changes."""
        with self._lock:
            self.players.setdefault((merchant, player_id), Player(balance_minor, blocked))

    def player(self, merchant: str, player_id: str) -> Player | None:
        return self.players.get((merchant, player_id))

    @contextmanager
    def transaction(self, merchant: str, player_id: str) -> Iterator[StorageTransaction]:
        with self._lock:
            transaction = _MemoryTransaction(self, merchant, player_id)
            yield transaction
            transaction.commit()


class _MemoryTransaction:
    """Collects the changes until the commit. The wallet's rules never read changes of the same transaction."""

    def __init__(self, storage: MemoryStorage, merchant: str, player_id: str) -> None:
        self._storage = storage
        self._merchant = merchant
        self._player_id = player_id
        self.player = storage.player(merchant, player_id)
        self._balance_minor: int | None = None
        self._entries: list[Entry] = []

    def find(self, tx_id: str) -> Entry | None:
        return self._storage.entries.get((self._merchant, tx_id))

    def is_reversed(self, tx_id: str) -> bool:
        return (self._merchant, tx_id) in self._storage.reversed

    def add(self, entry: Entry) -> None:
        ref_tx_id = entry.ref_tx_id if isinstance(entry, Applied) else None
        if self.find(entry.tx_id) is not None or (ref_tx_id is not None and self.is_reversed(ref_tx_id)):
            raise Conflict
        self._entries.append(entry)

    def set_balance(self, balance_minor: int) -> None:
        self._balance_minor = balance_minor

    def commit(self) -> None:
        if self.player is not None and self._balance_minor is not None:
            player = replace(self.player, balance_minor=self._balance_minor)
            self._storage.players[(self._merchant, self._player_id)] = player
        for entry in self._entries:
            self._storage.entries[(self._merchant, entry.tx_id)] = entry
            if isinstance(entry, Applied) and entry.ref_tx_id is not None:
                self._storage.reversed.add((self._merchant, entry.ref_tx_id))
