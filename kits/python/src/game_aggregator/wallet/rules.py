"""The rules of a wallet (docs/specification/wallet-contract.md), inside one storage transaction."""

from __future__ import annotations

from dataclasses import dataclass

from .callback import Callback
from .storage import Applied, Rejected, StorageTransaction, Tombstone

_CREDITS = frozenset({"win", "refund"})
_REVERSES = {"refund": "bet", "rollback": "win"}


@dataclass(frozen=True)
class Accepted:
    balance_minor: int


@dataclass(frozen=True)
class Refused:
    error: str


Answer = Accepted | Refused


def judge(callback: Callback, currency: str, tx: StorageTransaction) -> Answer:
    """Answers a bet, win, refund or rollback, and stores the result if repeats need it."""
    known = tx.find(callback.tx_id)
    if isinstance(known, Applied):
        return Accepted(known.balance_minor)
    if isinstance(known, Rejected):
        return Refused(known.error)
    if isinstance(known, Tombstone):
        return Refused("TRANSACTION_REVERSED")
    error = _objection(callback, currency, tx)
    if error is not None:
        # A rejected win or refund is owed to the player, so the wallet decides again when it comes
        # again. After a TRANSACTION_NOT_FOUND it decides again, too. The tombstone prevents that
        # the original is applied later.
        if callback.action not in _CREDITS and error != "TRANSACTION_NOT_FOUND":
            tx.add(Rejected(callback.tx_id, error))
        return Refused(error)
    return Accepted(_apply(callback, tx))


def _objection(callback: Callback, currency: str, tx: StorageTransaction) -> str | None:
    """The code of the reason why the callback cannot be applied; None when it can be applied."""
    if callback.currency != currency:
        return "CURRENCY_MISMATCH"
    if tx.player is None:
        return "PLAYER_NOT_FOUND"
    if callback.action == "bet":
        if tx.player.blocked:
            return "PLAYER_BLOCKED"
        return "INSUFFICIENT_FUNDS" if tx.player.balance_minor < callback.amount_minor else None
    if callback.action == "win":
        return None
    return _objection_to_reversal(callback, tx)


def _objection_to_reversal(callback: Callback, tx: StorageTransaction) -> str | None:
    original = tx.find(callback.ref_tx_id)
    if original is None:
        # The original may still arrive, and the service will not reverse it again. The tombstone
        # prevents that it is applied later.
        tx.add(Tombstone(callback.ref_tx_id))
        return "TRANSACTION_NOT_FOUND"
    if not isinstance(original, Applied) or original.player_id != callback.player_id:
        return "TRANSACTION_NOT_FOUND"
    if original.action != _REVERSES[callback.action]:
        return "TRANSACTION_NOT_FOUND"
    if original.amount_minor != callback.amount_minor:
        return "AMOUNT_MISMATCH"
    return "ALREADY_REVERSED" if tx.is_reversed(callback.ref_tx_id) else None


def _apply(callback: Callback, tx: StorageTransaction) -> int:
    assert tx.player is not None
    delta = callback.amount_minor if callback.action in _CREDITS else -callback.amount_minor
    # A rollback may make the balance negative, because the player may have spent the win.
    balance_minor = tx.player.balance_minor + delta
    tx.add(
        Applied(
            callback.tx_id,
            callback.action,
            callback.player_id,
            callback.amount_minor,
            callback.ref_tx_id or None,
            balance_minor,
        )
    )
    tx.set_balance(balance_minor)
    return balance_minor
