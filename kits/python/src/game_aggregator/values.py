"""Reads single values of replies."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

Json = Mapping[str, Any]


def instant(text: str) -> datetime:
    """Reads a time in RFC 3339, in UTC."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def instant_or_none(text: str | None) -> datetime | None:
    return None if text is None else instant(text)


def decimal_or_none(value: Any) -> Decimal | None:
    return None if value is None else Decimal(value)
