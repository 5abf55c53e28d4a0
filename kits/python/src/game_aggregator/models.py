"""The service's replies. Money is Decimal in the major unit, times are aware datetimes.

Unknown fields are ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Generic, TypeVar

from .attempt import Attempt as Attempt
from .transaction import Transaction as Transaction
from .values import Json, decimal_or_none, instant, instant_or_none

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a listing. `next_cursor` is None on the last page."""

    items: list[Item]
    next_cursor: str | None
    total: int | None = None
    """The number of items on all pages, if the listing has it."""
    etag: str | None = None
    """Send it as `if_none_match` to learn whether this page changed. Only pages of the catalog have it."""

    @classmethod
    def read(cls, data: Json, item: Callable[[Json], Item], etag: str | None = None) -> Page[Item]:
        return cls([item(row) for row in data["items"]], data["next_cursor"], data.get("total"), etag)


@dataclass(frozen=True)
class Sportsbook:
    """Each is None when no sportsbook is connected."""

    url: str | None
    script_url: str | None
    integrity_url: str | None


@dataclass(frozen=True)
class MerchantInfo:
    code: str
    currency: str
    brand: str
    products: list[str]
    default_language: str
    wallet_configured: bool
    environment: str
    """`development`, `staging` or `production`."""
    sportsbook: Sportsbook
    server_time_ms: int
    """The service's clock, in milliseconds since 1970."""
    capabilities: list[str]
    """What the service can send and show beyond its first release."""

    @classmethod
    def read(cls, data: Json) -> MerchantInfo:
        sportsbook = data["sportsbook"]
        return cls(
            code=data["code"],
            currency=data["currency"],
            brand=data["brand"],
            products=list(data["products"]),
            default_language=data["default_language"],
            wallet_configured=data["wallet_configured"],
            environment=data["environment"],
            sportsbook=Sportsbook(sportsbook["url"], sportsbook["script_url"], sportsbook["integrity_url"]),
            server_time_ms=data["server_time"],
            capabilities=list(data.get("capabilities", [])),
        )


@dataclass(frozen=True)
class Launch:
    """Use `launch_url` at once, and only once."""

    launch_url: str
    game: str
    provider: str
    demo: bool

    @classmethod
    def read(cls, data: Json) -> Launch:
        return cls(data["launch_url"], data["game"], data["provider"], data["demo"])


@dataclass(frozen=True)
class Images:
    thumb: str | None
    square: str | None
    background: str | None


@dataclass(frozen=True)
class Game:
    """A field is None when the provider gave no value."""

    code: str
    provider: str
    name: str
    type: str
    """`slot`, `live` or `sportsbook`."""
    demo_available: bool
    active: bool
    images: Images | None
    tags: list[str] | None
    rtp: Decimal | None
    """Return to player, in percent."""
    volatility: str | None
    free_rounds: bool | None
    jackpot: bool | None
    platforms: list[str] | None
    languages: list[str] | None
    blocked_countries: list[str] | None
    released_at: datetime | None
    updated_at: datetime
    names: dict[str, str]
    """The name by language, if the catalog has names by language."""

    @classmethod
    def read(cls, data: Json) -> Game:
        images = data["images"]
        return cls(
            code=data["code"],
            provider=data["provider"],
            name=data["name"],
            type=data["type"],
            demo_available=data["demo_available"],
            active=data["active"],
            images=None if images is None else Images(images["thumb"], images["square"], images["background"]),
            tags=data["tags"],
            rtp=decimal_or_none(data["rtp"]),
            volatility=data["volatility"],
            free_rounds=data["free_rounds"],
            jackpot=data["jackpot"],
            platforms=data["platforms"],
            languages=data["languages"],
            blocked_countries=data["blocked_countries"],
            released_at=instant_or_none(data["released_at"]),
            updated_at=instant(data["updated_at"]),
            names=dict(data.get("names") or {}),
        )


@dataclass(frozen=True)
class Provider:
    code: str
    name: str
    active: bool
    games: int
    """The number of active games of the merchant's products."""

    @classmethod
    def read(cls, data: Json) -> Provider:
        return cls(data["code"], data["name"], data["active"], data["games"])


@dataclass(frozen=True)
class ChangePage:
    """A page of the feed. Store `cursor` and the items in one database transaction."""

    items: list[Transaction]
    cursor: str
    behind_ms: int
    """The age of the oldest change that is not in the feed yet, in milliseconds."""
    at_end: bool
    """True if there were no more changes when this page was read."""


@dataclass(frozen=True)
class Pending:
    """The number and the amounts of transactions without a final answer."""

    count: int
    bets: Decimal
    refunds: Decimal
    wins: Decimal
    rollbacks: Decimal

    @classmethod
    def read(cls, data: Json) -> Pending:
        return cls(data["count"], *(Decimal(data[key]) for key in ("bets", "refunds", "wins", "rollbacks")))


@dataclass(frozen=True)
class RoundSums:
    """The sums of a round's successful transactions."""

    bets: Decimal
    refunds: Decimal
    wins: Decimal
    rollbacks: Decimal
    pending: Pending

    @classmethod
    def read(cls, data: Json) -> RoundSums:
        bets, refunds, wins, rollbacks = (Decimal(data[key]) for key in ("bets", "refunds", "wins", "rollbacks"))
        return cls(bets, refunds, wins, rollbacks, Pending.read(data["pending"]))


@dataclass(frozen=True)
class ListedRound:
    """A round whose provider says when its rounds end."""

    provider: str
    round_id: str
    state: str
    """`open` or `ended`."""
    opened_at: datetime
    ended_at: datetime | None
    """None: the round is open."""

    @classmethod
    def read(cls, data: Json) -> ListedRound:
        opened_at, ended_at = instant(data["opened_at"]), instant_or_none(data["ended_at"])
        return cls(data["provider"], data["round_id"], data["state"], opened_at, ended_at)


@dataclass(frozen=True)
class Round:
    """A page of a round's transactions, the oldest first. The sums are of the whole round."""

    provider: str
    round_id: str
    items: list[Transaction]
    sums: RoundSums
    next_cursor: str | None
    state: str | None = None
    """`open`, `ended` or `unknown`. None: the service is older than the ends of rounds."""
    ended_at: datetime | None = None
    """None unless the round has ended."""

    @classmethod
    def read(cls, data: Json) -> Round:
        return cls(
            provider=data["provider"],
            round_id=data["round_id"],
            items=[Transaction.read(row) for row in data["items"]],
            sums=RoundSums.read(data["sums"]),
            next_cursor=data["next_cursor"],
            state=data.get("state"),
            ended_at=instant_or_none(data.get("ended_at")),
        )


@dataclass(frozen=True)
class KindSum:
    """The sum of the bets or wins of one kind."""

    action: str
    """`bet` or `win`."""
    kind: str
    """For example `jackpot`. Later releases may add kinds."""
    count: int
    amount: Decimal

    @classmethod
    def read(cls, data: Json) -> KindSum:
        return cls(data["action"], data["kind"], data["count"], Decimal(data["amount"]))


@dataclass(frozen=True)
class GgrTotals:
    """The sums of successful transactions. `ggr` is (bets - refunds) - (wins - rollbacks)."""

    bets: Decimal
    bets_count: int
    refunds: Decimal
    refunds_count: int
    wins: Decimal
    wins_count: int
    rollbacks: Decimal
    rollbacks_count: int
    ggr: Decimal
    pending: Pending
    of_which: list[KindSum] = field(default_factory=list)
    """The parts of the bets and wins that have a kind."""

    @classmethod
    def read(cls, data: Json) -> GgrTotals:
        return cls(
            bets=Decimal(data["bets"]),
            bets_count=data["bets_count"],
            refunds=Decimal(data["refunds"]),
            refunds_count=data["refunds_count"],
            wins=Decimal(data["wins"]),
            wins_count=data["wins_count"],
            rollbacks=Decimal(data["rollbacks"]),
            rollbacks_count=data["rollbacks_count"],
            ggr=Decimal(data["ggr"]),
            pending=Pending.read(data["pending"]),
            of_which=[KindSum.read(row) for row in data.get("of_which", [])],
        )


@dataclass(frozen=True)
class GgrReport:
    currency: str
    tz: str
    group_by: str
    rows: dict[str, GgrTotals]
    """Sorted by key: the day, the provider's code, `<PROVIDER>/<game>`, the type or the player_id."""
    totals: GgrTotals
    as_of: datetime

    @classmethod
    def read(cls, data: Json) -> GgrReport:
        return cls(
            currency=data["currency"],
            tz=data["tz"],
            group_by=data["group_by"],
            rows={row["key"]: GgrTotals.read(row) for row in data["rows"]},
            totals=GgrTotals.read(data["totals"]),
            as_of=instant(data["as_of"]),
        )
