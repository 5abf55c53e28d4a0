"""Reads the body of a callback."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ..money import to_minor

ACTIONS = ("balance", "bet", "win", "refund", "rollback")
_REVERSALS = ("refund", "rollback")


class UnreadableCallback(Exception):
    """The body is not a callback of the service."""


@dataclass(frozen=True)
class Callback:
    action: str
    """`balance`, `bet`, `win`, `refund` or `rollback`."""
    player_id: str
    currency: str
    tx_id: str = ""
    """Empty for `balance`."""
    amount_minor: int = 0
    """0 for `balance`, and when `currency` is not the merchant's: such a callback moves no money."""
    ref_tx_id: str = ""
    """Empty unless the callback is a reversal."""


def read_callback(body: bytes, merchant_currency: str) -> Callback:
    """Reads the known fields and ignores others. Raises UnreadableCallback, which names the field.

    `merchant_currency`: the currency in which amounts are read.
    """
    fields = _object(body)
    action = fields.get("action")
    if action not in ACTIONS:
        raise UnreadableCallback(f"action: {action!r} is none of {', '.join(ACTIONS)}")
    player_id = _id(fields, "player_id", 512)
    currency = fields.get("currency")
    if not isinstance(currency, str) or not currency:
        raise UnreadableCallback("currency: it must be a text")
    if action == "balance":
        return Callback(action, player_id, currency)
    ref_tx_id = _id(fields, "ref_tx_id", 128) if action in _REVERSALS else ""
    amount_minor = _amount(fields, currency) if currency == merchant_currency else 0
    return Callback(action, player_id, currency, _id(fields, "tx_id", 128), amount_minor, ref_tx_id)


def _object(body: bytes) -> dict[str, Any]:
    try:
        # NaN and Infinity are not JSON, but json.loads accepts them.
        fields = json.loads(body.decode(), parse_float=Decimal, parse_constant=_refuse)
    except (ValueError, ArithmeticError, RecursionError) as cause:
        raise UnreadableCallback(f"the body is not JSON in UTF-8: {cause}") from cause
    if not isinstance(fields, dict):
        raise UnreadableCallback("the body is no JSON object")
    return fields


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _id(fields: dict[str, Any], name: str, max_bytes: int) -> str:
    text = fields.get(name)
    try:
        if isinstance(text, str) and 0 < len(text.encode()) <= max_bytes and "\0" not in text:
            return text
    except UnicodeEncodeError:
        pass
    raise UnreadableCallback(f"{name}: it must be a text of 1 to {max_bytes} bytes")


def _amount(fields: dict[str, Any], currency: str) -> int:
    amount = fields.get("amount")
    if isinstance(amount, bool) or not isinstance(amount, (int, Decimal)):
        raise UnreadableCallback("amount: it must be a number")
    try:
        minor = to_minor(amount, currency)
    except ValueError as cause:
        raise UnreadableCallback(str(cause)) from cause
    if minor <= 0:
        raise UnreadableCallback("amount: it must be above 0")
    return minor
