"""The log of a transaction's wallet calls."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from .values import Json, instant


@dataclass(frozen=True)
class Attempt:
    """One call of the wallet. A value is None when a process died before it could record the value."""

    n: int
    at: datetime
    duration_ms: int | None
    http_status: int | None
    result: str | None
    request_id: str | None
    reply_start: str | None
    """The beginning of a reply that was unreadable as an answer."""

    @classmethod
    def read(cls, data: Json) -> Attempt:
        return cls(
            data["n"],
            instant(data["at"]),
            data["duration_ms"],
            data["http_status"],
            data["result"],
            data["request_id"],
            data.get("reply_start"),
        )
