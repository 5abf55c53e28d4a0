"""Reads single values of replies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Jackpot:
    """A jackpot by the provider's names."""

    id: str
    tier: str | None
    """None: it has no tiers."""

    @classmethod
    def read_or_none(cls, data: Json | None) -> Jackpot | None:
        return None if data is None else cls(data["id"], data["tier"])


def instant(text: str) -> datetime:
    """Reads a time in RFC 3339, in UTC."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def instant_or_none(text: str | None) -> datetime | None:
    return None if text is None else instant(text)


def decimal_or_none(value: Any) -> Decimal | None:
    return None if value is None else Decimal(value)
