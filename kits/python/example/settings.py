"""Reads the environment of the example wallets."""

import json
import os

from game_aggregator.wallet import MemoryStorage, Merchant, SqlStorage, Wallet

PATH = "/wallet"


def wallet_of_environment() -> Wallet:
    """The wallet of MERCHANTS and PLAYERS, in the SQLite file DATABASE or in memory."""
    storage: MemoryStorage | SqlStorage = MemoryStorage()
    if os.environ.get("DATABASE"):
        storage = SqlStorage.sqlite(os.environ["DATABASE"])
        storage.create_tables()
    for player in json.loads(os.environ["PLAYERS"]):
        storage.add_player(
            player["merchant"], player["id"], balance_minor=player["balance_minor"], blocked=player["blocked"]
        )
    merchants = [Merchant(one["code"], one["secrets"], one["currency"]) for one in json.loads(os.environ["MERCHANTS"])]
    return Wallet(storage, merchants)


def say_listening(port: int) -> None:
    print(f"listening on http://127.0.0.1:{port}{PATH}", flush=True)
