"""A merchant's wallet that applies each transaction only once."""

from .callback import Callback
from .dialect import MYSQL, POSTGRESQL, SQLITE, Dialect
from .handler import Merchant, Reply, Wallet
from .memory import MemoryStorage
from .sql import SqlStorage
from .storage import Applied, Conflict, Entry, Player, Rejected, Storage, StorageTransaction, Tombstone

__all__ = [
    "MYSQL",
    "POSTGRESQL",
    "SQLITE",
    "Applied",
    "Callback",
    "Conflict",
    "Dialect",
    "Entry",
    "MemoryStorage",
    "Merchant",
    "Player",
    "Rejected",
    "Reply",
    "SqlStorage",
    "Storage",
    "StorageTransaction",
    "Tombstone",
    "Wallet",
]
