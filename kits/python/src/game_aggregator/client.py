"""A client of the signed merchant API. `/openapi.json` and `/docs` of a running service describe every field."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from .errors import AggregatorError, ConnectionFailedError
from .filters import (
    ExportFilters,
    FeedFilters,
    GameFilters,
    ReportFilters,
    RoundFilters,
    TransactionFilters,
    segment,
    target,
)
from .models import (
    ChangePage,
    Game,
    GgrReport,
    Item,
    Launch,
    ListedRound,
    MerchantInfo,
    Page,
    Provider,
    Round,
    Transaction,
)
from .transport import RetryPolicy, Transport, may_succeed_later
from .values import Json

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Client:
    """The client. Make one client for the whole process. Threads may share it. In asyncio: `await
    asyncio.to_thread(client.launch, ...)`.

    `base_url`: the API's address without `/v1`. `secret`: the merchant's secret, or a function that returns the present
    secret, if it may change while the process runs. `timeout_s`: the limit of each call, from the connect to the last byte; of an export, the
    limit to its first byte and of each pause in it. `language`:
    the language of messages for people: `pt`, `es` or `en`. Every method raises AggregatorError: see
    game_aggregator.errors.
    """

    def __init__(
        self,
        base_url: str,
        merchant: str,
        secret: str | Callable[[], str],
        *,
        timeout_s: float = 15.0,
        retry: RetryPolicy | None = None,
        language: str | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._retry = retry or RetryPolicy()
        current = secret if callable(secret) else lambda: secret
        headers = {"X-Merchant-Id": merchant, "User-Agent": "game-aggregator-python/1.0.0"}
        if language is not None:
            headers["Accept-Language"] = language
        self._transport = Transport(base_url, headers, current, timeout_s, self._retry, ssl_context)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the idle connections."""
        self._transport.close()

    def merchant(self) -> MerchantInfo:
        """The merchant that makes the call. This is a good first call."""
        return MerchantInfo.read(self._get("/v1/merchant"))

    def launch(
        self,
        player_id: str,
        game: str,
        *,
        provider: str | None = None,
        currency: str | None = None,
        lang: str | None = None,
        country: str | None = None,
        demo: bool = False,
        lobby_url: str | None = None,
        player_ip: str | None = None,
        device: str | None = None,
        deposit_url: str | None = None,
        history_url: str | None = None,
        display_name: str | None = None,
    ) -> Launch:
        """Opens a game. The client never repeats this call, because each launch opens a session."""
        fields = {
            "player_id": player_id,
            "game": game,
            "provider": provider,
            "currency": currency,
            "lang": lang,
            "country": country,
            "demo": demo or None,
            "lobby_url": lobby_url,
            "player_ip": player_ip,
            "device": device,
            "deposit_url": deposit_url,
            "history_url": history_url,
            "display_name": display_name,
        }
        body = json.dumps({name: value for name, value in fields.items() if value is not None}).encode()
        return Launch.read(self._transport.call("POST", "/v1/game/launch", body, is_repeatable=False).data())

    def games_page(
        self, *, cursor: str | None = None, if_none_match: str | None = None, **filters: Unpack[GameFilters]
    ) -> Page[Game] | None:
        """A page of the catalog; None when the page still has the ETag `if_none_match`."""
        return self._catalog_page(target("/v1/games", cursor=cursor, **filters), Game.read, if_none_match)

    def games(self, **filters: Unpack[GameFilters]) -> Iterator[Game]:
        """The whole catalog, page by page."""
        return _items(lambda cursor: _there(self.games_page(cursor=cursor, **filters)))

    def game(self, provider: str, code: str, *, lang: str | None = None) -> Game:
        return Game.read(self._get(target(f"/v1/games/{segment(provider)}/{segment(code)}", lang=lang)))

    def providers_page(
        self, *, cursor: str | None = None, limit: int | None = None, if_none_match: str | None = None
    ) -> Page[Provider] | None:
        """A page of the providers; None when the page still has the ETag `if_none_match`."""
        return self._catalog_page(target("/v1/providers", cursor=cursor, limit=limit), Provider.read, if_none_match)

    def providers(self, *, limit: int | None = None) -> Iterator[Provider]:
        return _items(lambda cursor: _there(self.providers_page(cursor=cursor, limit=limit)))

    def transactions_page(
        self, *, cursor: str | None = None, **filters: Unpack[TransactionFilters]
    ) -> Page[Transaction]:
        """A page of the transactions that match the filters; by default those of the last 24 hours."""
        return Page.read(self._get(target("/v1/transactions", cursor=cursor, **filters)), Transaction.read)

    def transactions(self, **filters: Unpack[TransactionFilters]) -> Iterator[Transaction]:
        """All transactions that match the filters, page by page; by default those of the last 24 hours."""
        return _items(lambda cursor: self.transactions_page(cursor=cursor, **filters))

    def export_transactions(self, **filters: Unpack[ExportFilters]) -> Iterator[Transaction]:
        """A whole listing in one reply, as NDJSON. It is complete when the iterator ends without an error."""
        for line in _lines(self._transport.stream(target("/v1/transactions", **filters, format="ndjson"))):
            row = json.loads(line, parse_float=Decimal)
            if row.get("complete") is True:
                return
            yield Transaction.read(row)
        raise ConnectionFailedError("the export ended without its last line: discard what came and ask again")

    def export_transactions_csv(self, **filters: Unpack[ExportFilters]) -> Iterator[bytes]:
        """A whole listing as CSV, streamed in pieces."""
        return self._transport.stream(target("/v1/transactions", **filters, format="csv"))

    def transaction(self, tx_id: str) -> Transaction:
        """One transaction, with its `attempt_log`."""
        return Transaction.read(self._get(f"/v1/transactions/{segment(tx_id)}"))

    def resend(self, tx_id: str) -> Transaction:
        """Makes the service send a pending or failed win or refund now. It is safe to call it twice."""
        return Transaction.read(self._transport.call("POST", f"/v1/transactions/{segment(tx_id)}/resend").data())

    def rounds_page(self, *, cursor: str | None = None, **filters: Unpack[RoundFilters]) -> Page[ListedRound]:
        """A page of the rounds that are open or have ended, of providers that say when a round ends."""
        return Page.read(self._get(target("/v1/rounds", cursor=cursor, **filters)), ListedRound.read)

    def rounds(self, **filters: Unpack[RoundFilters]) -> Iterator[ListedRound]:
        """All rounds that match the filters, page by page; by default those that are open."""
        return _items(lambda cursor: self.rounds_page(cursor=cursor, **filters))

    def round(self, provider: str, round_id: str, *, cursor: str | None = None, limit: int | None = None) -> Round:
        """A page of a round's transactions (1,000 by default), with the sums of the whole round."""
        path = f"/v1/rounds/{segment(provider)}/{segment(round_id)}"
        return Round.read(self._get(target(path, cursor=cursor, limit=limit)))

    def ggr_report(self, from_: date, to: date, **filters: Unpack[ReportFilters]) -> GgrReport:
        """Gross gaming revenue from the first to the last day. Both days are included. At most 92 days."""
        return GgrReport.read(self._get(target("/v1/reports/ggr", from_=from_, to=to, **filters)))

    def ggr_report_csv(self, from_: date, to: date, **filters: Unpack[ReportFilters]) -> Iterator[bytes]:
        """The rows of the report as CSV, streamed in pieces."""
        return self._transport.stream(target("/v1/reports/ggr", from_=from_, to=to, **filters, format="csv"))

    def changes(
        self,
        *,
        cursor: str | None = None,
        since: datetime | None = None,
        limit: int = 1000,
        poll_s: float = 1.0,
        stop: threading.Event | None = None,
        **filters: Unpack[FeedFilters],
    ) -> Iterator[ChangePage]:
        """The feed: every change of every transaction, without end.

        `cursor`: the cursor that you stored with the last page. Without a cursor the feed begins at `since`. Without
        both it begins with the first transaction. At the end the iterator waits `poll_s` before the next call. After a
        temporary error (no connection, 429, 503) it waits and repeats the call without limit. It raises any other
        error. It ends when `stop` is set. The filters belong to the cursor: the filters of the first call stay valid.
        """
        stop = stop or threading.Event()
        begin = since or datetime(1970, 1, 1, tzinfo=timezone.utc)
        failures = 0
        while not stop.is_set():
            asked = {"cursor": cursor} if cursor else {"updated_since": begin, **filters}
            try:
                data = self._transport.once("GET", target("/v1/transactions", limit=limit, **asked)).data()
            except AggregatorError as error:
                if not may_succeed_later(error):
                    raise
                failures += 1
                stop.wait(self._retry.pause_s(failures, error))
                continue
            failures = 0
            at_end = data["next_cursor"] == cursor
            cursor = data["next_cursor"]
            items = [Transaction.read(row) for row in data["items"]]
            yield ChangePage(items, str(cursor), data["behind_ms"], at_end)
            if at_end:
                stop.wait(poll_s)

    def _get(self, target: str) -> Any:
        return self._transport.call("GET", target).data()

    def _catalog_page(self, target: str, item: Callable[[Json], Item], if_none_match: str | None) -> Page[Item] | None:
        headers = {} if if_none_match is None else {"If-None-Match": if_none_match}
        reply = self._transport.call("GET", target, headers=headers)
        return None if reply.status == 304 else Page.read(reply.data(), item, reply.headers.get("etag"))


def _items(page: Callable[[str | None], Page[Item]]) -> Iterator[Item]:
    cursor: str | None = None
    while True:
        current = page(cursor)
        yield from current.items
        cursor = current.next_cursor
        if cursor is None:
            return


def _there(page: Page[Item] | None) -> Page[Item]:
    if page is None:
        raise ConnectionFailedError("304 came as an answer to a call without If-None-Match")
    return page


def _lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Whole lines. Text after the last line end is dropped, because that line was cut off."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
