# Generated out of contract/transactions/ by `npm run generate`. Do not edit.
"""A transaction in the merchant's lists."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from .attempt import Attempt
from .values import Jackpot, Json, decimal_or_none, instant, instant_or_none


@dataclass(frozen=True)
class Transaction:
    tx_id: str
    """The idempotency key, unique for the merchant."""
    round_id: str
    """The round's id; for the sportsbook, the bet's id."""
    ref_tx_id: str | None
    """The bet or win that a refund or rollback reverses."""
    action: str
    """bet, win, refund or rollback."""
    amount: Decimal
    """Above 0, in the major unit, exact. The action shows whether the balance goes up or down."""
    currency: str
    """The merchant's currency."""
    status: str
    """success, pending or failed."""
    error: str | None
    """The code of the wallet's rejection."""
    provider: str
    """The provider's code."""
    game: str
    """The game's code."""
    player_id: str
    """The player's id, as the merchant sent it at the launch."""
    balance: Decimal | None
    """The balance in the wallet's reply. It is not the player's balance now."""
    attempts: int
    """How often the service has called the wallet for this transaction."""
    last_result: str | None
    """How the last of these calls ended. Absent: none has ended."""
    next_attempt_at: datetime | None
    """The time of the next automatic call. Absent: no call is planned."""
    resolved_by: str | None
    """What made the state final. Absent: the first call, or the transaction is pending."""
    created_at: datetime
    """When the transaction reached the service."""
    updated_at: datetime
    """When the transaction last changed."""
    kind: str | None
    """What the money is for. Absent: an ordinary bet or win, or a reversal."""
    promo_id: str | None
    """The provider's id for the promotion."""
    jackpot: Jackpot | None
    """The jackpot that a bet pays into, or that pays the win."""
    jackpot_contribution_micros: int | None
    """The part of a bet for the jackpot, in millionths of the major unit."""
    settled_by: str | None
    """The win that is the only settlement of this bet. A settlement of 0 is in no list."""
    attempt_log: list[Attempt]
    """The calls of the wallet; filled only when you read one transaction."""

    @classmethod
    def read(cls, data: Json) -> Transaction:
        return cls(
            tx_id=data["tx_id"],
            round_id=data["round_id"],
            ref_tx_id=data.get("ref_tx_id"),
            action=data["action"],
            amount=Decimal(data["amount"]),
            currency=data["currency"],
            status=data["status"],
            error=data.get("error"),
            provider=data["provider"],
            game=data["game"],
            player_id=data["player_id"],
            balance=decimal_or_none(data.get("balance")),
            attempts=data["attempts"],
            last_result=data.get("last_result"),
            next_attempt_at=instant_or_none(data.get("next_attempt_at")),
            resolved_by=data.get("resolved_by"),
            created_at=instant(data["created_at"]),
            updated_at=instant(data["updated_at"]),
            kind=data.get("kind"),
            promo_id=data.get("promo_id"),
            jackpot=Jackpot.read_or_none(data.get("jackpot")),
            jackpot_contribution_micros=data.get("jackpot_contribution_micros"),
            settled_by=data.get("settled_by"),
            attempt_log=[Attempt.read(row) for row in data.get("attempt_log", [])],
        )
