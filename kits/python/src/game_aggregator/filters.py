"""The parameters of listings. A datetime needs a time zone. `from_` means `from`, which is a keyword of Python."""

from __future__ import annotations

from datetime import date, datetime, timezone
from typing import Any, Literal, TypedDict
from urllib.parse import quote, urlencode

Action = Literal["bet", "win", "refund", "rollback"]
Status = Literal["success", "pending", "failed"]
Product = Literal["slot", "live", "sportsbook"]


class GameFilters(TypedDict, total=False):
    type: Product
    provider: str
    q: str
    """A part of the game's code or name: 1 to 128 characters."""
    demo_available: bool
    active: Literal["true", "false", "all"]
    """By default `true`: games that can be launched."""
    updated_since: datetime
    lang: str
    limit: int
    """Maximum number of items of a page: 1 to 500, by default 100."""


class FeedFilters(TypedDict, total=False):
    action: Action
    kind: str
    """Only bets and wins of this kind, for example `jackpot`."""
    player_id: str
    provider: str
    game: str
    tx_id: str
    round_id: str
    ref_tx_id: str


class ExportFilters(FeedFilters, total=False):
    from_: datetime
    """Created at this time or later; by default 24 hours ago. At most 31 days before `to`."""
    to: datetime
    """Created before this time; by default now."""
    status: Status
    order: Literal["desc", "asc"]
    """By default `desc`: the newest first."""


class TransactionFilters(ExportFilters, total=False):
    limit: int
    """Maximum number of items of a page: 1 to 1,000, by default 100."""


class RoundFilters(TypedDict, total=False):
    state: Literal["open", "ended"]
    """By default `open`; with `ended_since` by default `ended`."""
    older_than: datetime
    """Opened before this time."""
    ended_since: datetime
    """Ended at this time or later."""
    limit: int
    """Maximum number of items of a page: 1 to 1,000, by default 100."""


class ReportFilters(TypedDict, total=False):
    group_by: Literal["day", "provider", "game", "type", "player"]
    """By default `day`."""
    tz: str
    """An IANA time zone's name; by default UTC."""
    provider: str
    type: Product


def target(path: str, **query: Any) -> str:
    """Path and query. They are signed and sent in this form. None omits a parameter."""
    given = {name.removesuffix("_"): _text(name, value) for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(given, quote_via=quote, safe='')}" if given else path


def segment(text: str) -> str:
    """Escapes an id for use in a path. Raises ValueError for an id that no path can have."""
    if text in ("", ".", ".."):
        raise ValueError(f"the id {text!r} cannot stand in a path. No call was made")
    return quote(text, safe="")


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{name}: a datetime needs a time zone, such as datetime.now(timezone.utc)")
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, date) else str(value)
