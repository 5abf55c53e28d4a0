"""Callbacks in the service's form, and a wallet that answers them."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from game_aggregator import sign
from game_aggregator.wallet import Merchant, Wallet

TARGET = "/wallet"
SHOP = Merchant("shop", ["sk_shop"], "BRL")
OTHER = Merchant("other", ["sk_other"], "BRL")
CHILE = Merchant("chile", ["sk_chile"], "CLP")
MERCHANTS = [SHOP, OTHER, CHILE]

_ids = itertools.count(1)


def new_id() -> str:
    return f"ACME:t{next(_ids)}"


@dataclass
class Answer:
    status: int
    ok: bool
    balance: Decimal | None
    error: str | None


def signed(body: bytes, merchant: str = "shop", secret: str = "sk_shop") -> dict[str, str]:
    return {"X-Merchant-Id": merchant, **sign(secret, "POST", TARGET, body)}


class Caller:
    """Calls a wallet like the service."""

    def __init__(self, wallet: Wallet, merchant: Merchant = SHOP, player: str = "ana") -> None:
        self.wallet = wallet
        self.merchant = merchant
        self.player = player

    def send(self, action: str, **fields: Any) -> Answer:
        body = {
            "action": action,
            "player_id": self.player,
            "currency": self.merchant.currency,
            "provider": "ACME",
            "game": "book-of-x",
            **fields,
        }
        return self.send_raw(json.dumps(body).encode())

    def send_raw(self, body: bytes) -> Answer:
        headers = signed(body, self.merchant.code, self.merchant.secrets[0])
        reply = self.wallet.handle("POST", TARGET, headers, body)
        answer = json.loads(reply.body, parse_float=Decimal)
        balance = answer.get("balance")
        return Answer(reply.status, answer["ok"], None if balance is None else Decimal(balance), answer.get("error"))

    def balance(self) -> Decimal | None:
        return self.send("balance").balance

    def move(self, action: str, amount: float | int, tx_id: str, ref_tx_id: str | None = None) -> Answer:
        reversal = {} if ref_tx_id is None else {"ref_tx_id": ref_tx_id}
        return self.send(action, tx_id=tx_id, round_id="r-1", amount=amount, **reversal)

    def bet(self, amount: float | int, tx_id: str | None = None) -> Answer:
        return self.move("bet", amount, tx_id or new_id())

    def win(self, amount: float | int, tx_id: str | None = None) -> Answer:
        return self.move("win", amount, tx_id or new_id())

    def refund(self, amount: float | int, ref_tx_id: str, tx_id: str | None = None) -> Answer:
        return self.move("refund", amount, tx_id or new_id(), ref_tx_id)

    def rollback(self, amount: float | int, ref_tx_id: str, tx_id: str | None = None) -> Answer:
        return self.move("rollback", amount, tx_id or new_id(), ref_tx_id)
