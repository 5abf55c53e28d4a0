from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from service import SECRET, Call, Given, service

from game_aggregator import (
    AuthenticationError,
    Client,
    ConnectionFailedError,
    InvalidRequestError,
    RateLimitedError,
    RetryPolicy,
    UnavailableError,
    UnreadableReplyError,
)
from game_aggregator.errors import api_error

QUICK = RetryPolicy(first_pause_s=0.01)
MERCHANT = {
    "code": "shop",
    "currency": "BRL",
    "brand": "b",
    "products": ["slot"],
    "default_language": "pt",
    "wallet_configured": True,
    "environment": "development",
    "sportsbook": {"url": None, "script_url": None, "integrity_url": None},
    "server_time": 1767225600000,
    "a_later_field": {},
}
UNAVAILABLE = Given(503, code="SERVICE_UNAVAILABLE")


_clients: list[Client] = []


def new_client(origin: str, retry: RetryPolicy = QUICK, timeout_s: float = 5) -> Client:
    _clients.append(Client(origin, "shop", SECRET, retry=retry, timeout_s=timeout_s))
    return _clients[-1]


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Closes the connections after each test."""
    yield
    while _clients:
        _clients.pop().close()


def transaction(tx_id: str, **fields: Any) -> dict[str, Any]:
    at = "2026-01-01T00:00:00.120Z"
    empty = dict.fromkeys(("ref_tx_id", "error", "balance", "last_result", "next_attempt_at", "resolved_by"))
    own = {"tx_id": tx_id, "round_id": "r", "action": "bet", "amount": 2.5, "currency": "BRL", "status": "success"}
    who = {"provider": "ACME", "game": "x", "player_id": "ana", "attempts": 1, "created_at": at, "updated_at": at}
    return {**empty, **own, **who, **fields}


def test_every_call_is_signed_anew_over_the_target_as_it_is_sent() -> None:
    with service(lambda n, _: UNAVAILABLE if n == 0 else Given(200, MERCHANT)) as (origin, calls):
        with new_client(f"{origin}/api/") as client:
            assert client.merchant().currency == "BRL"
        assert [call.target for call in calls] == ["/api/v1/merchant", "/api/v1/merchant"]
        assert all(call.is_genuine for call in calls)
        assert calls[0].headers["X-Nonce"] != calls[1].headers["X-Nonce"]
        assert calls[0].headers["Accept-Encoding"] == "identity"


def test_parameters_and_ids_are_escaped() -> None:
    page = Given(200, {"items": [], "next_cursor": None})
    with service(lambda *_: page) as (origin, calls), new_client(origin) as client:
        since = datetime(2026, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))
        list(client.transactions(from_=since, player_id="joão & +1", order="asc", limit=7))
        client.games_page(demo_available=True, q="a b")
        assert calls[0].target == (
            "/v1/transactions?from=2026-01-01T00%3A00%3A00.000Z&player_id=jo%C3%A3o%20%26%20%2B1&order=asc&limit=7"
        )
        assert calls[1].target == "/v1/games?demo_available=true&q=a%20b"
        assert all(call.is_genuine for call in calls)
        with pytest.raises(ValueError, match="from_: a datetime needs a time zone"):
            list(client.transactions(from_=datetime(2026, 1, 1)))


def test_ids_in_a_path_are_one_segment() -> None:
    with service(lambda *_: Given(200, transaction("A:1/2 ã"))) as (origin, calls), new_client(origin) as client:
        client.transaction("A:1/2 ã?#%")
        assert calls[0].target == "/v1/transactions/A%3A1%2F2%20%C3%A3%3F%23%25"
        assert calls[0].is_genuine
        for name in ("", ".", ".."):
            with pytest.raises(ValueError, match="cannot stand in a path"):
                client.round("ACME", name)
        assert len(calls) == 1


def test_amounts_are_exact_decimals() -> None:
    raw = b'{"data":{"items":[%s],"next_cursor":null}}'
    item = b'{"amount":9999999999.99,"balance":0.1,' + json.dumps(transaction("A:1")).encode()[1:]
    item = item.replace(b'"amount": 2.5, ', b"").replace(b'"balance": null, ', b"")
    with service(lambda *_: Given(200, raw=raw % item)) as (origin, _), new_client(origin) as client:
        (one,) = client.transactions()
        assert (one.amount, one.balance) == (Decimal("9999999999.99"), Decimal("0.1"))
        assert one.created_at == datetime(2026, 1, 1, 0, 0, 0, 120_000, timezone.utc)


def test_pages_follow_the_cursor() -> None:
    def answer(n: int, _: Call) -> Given:
        return Given(200, {"items": [transaction(f"A:{n}")], "next_cursor": f"c{n}" if n < 2 else None})

    with service(answer) as (origin, calls), new_client(origin) as client:
        assert [one.tx_id for one in client.transactions(limit=1, status="success")] == ["A:0", "A:1", "A:2"]
        assert calls[2].target == "/v1/transactions?cursor=c1&limit=1&status=success"


@pytest.mark.parametrize("given", [UNAVAILABLE, Given(500, code="INTERNAL_ERROR"), Given(502, raw=b"<html>"), Given(0)])
def test_what_may_succeed_later_is_sent_again(given: Given) -> None:
    with service(lambda n, _: given if n < 3 else Given(200, MERCHANT)) as (origin, calls):
        assert new_client(origin).merchant().code == "shop"
        assert len(calls) == 4


def test_after_the_last_try_the_error_is_raised() -> None:
    with service(lambda *_: UNAVAILABLE) as (origin, calls):
        with pytest.raises(UnavailableError):
            new_client(origin).merchant()
        assert len(calls) == 4


@pytest.mark.parametrize("asked, pause_s", [(1.0, 1.0), (301.0, 300.0), (2_592_000.0, 300.0), (math.inf, 300.0)])
def test_a_retry_after_of_days_is_waited_for_five_minutes(asked: float, pause_s: float) -> None:
    assert RetryPolicy().pause_s(1, api_error(429, {"code": "RATE_LIMITED"}, asked)) == pause_s


def test_retry_after_is_waited() -> None:
    limited = Given(429, {"limit": "catalog"}, "RATE_LIMITED", {"Retry-After": "1"})
    with service(lambda n, _: limited if n == 0 else Given(200, MERCHANT)) as (origin, calls):
        new_client(origin).merchant()
        assert 1 <= calls[1].at - calls[0].at < 2


def test_a_pause_of_minutes_is_left_to_the_caller() -> None:
    limited = Given(429, None, "RATE_LIMITED", {"Retry-After": "600"})
    with service(lambda *_: limited) as (origin, calls):
        with pytest.raises(RateLimitedError) as caught:
            new_client(origin).merchant()
        assert caught.value.retry_after == 600 and len(calls) == 1


@pytest.mark.parametrize("given", [UNAVAILABLE, Given(0), Given(429, code="RATE_LIMITED")])
def test_a_launch_is_never_sent_twice(given: Given) -> None:
    with service(lambda *_: given) as (origin, calls):
        with pytest.raises((UnavailableError, ConnectionFailedError, RateLimitedError)):
            new_client(origin).launch("ana", "book-of-x")
        assert len(calls) == 1


def test_a_launch_sends_what_was_given_and_nothing_else() -> None:
    reply = Given(200, {"launch_url": "https://x", "game": "g", "provider": "ACME", "demo": True})
    with service(lambda *_: reply) as (origin, calls):
        assert new_client(origin).launch("joão", "g", demo=True, lang="pt").demo is True
        assert calls[0].body == b'{"player_id": "jo\\u00e3o", "game": "g", "lang": "pt", "demo": true}'
        assert calls[0].is_genuine and calls[0].headers["Content-Type"] == "application/json"


def test_a_refusal_is_not_repeated_and_has_what_support_needs() -> None:
    faults = [{"field": "player_id", "rule": "required", "message": "player_id é obrigatório."}]
    with service(lambda *_: Given(422, faults, "VALIDATION_ERROR")) as (origin, calls):
        with pytest.raises(InvalidRequestError) as caught:
            new_client(origin).merchant()
        assert (caught.value.code, caught.value.request_id) == ("VALIDATION_ERROR", "r-1")
        assert [one.field for one in caught.value.faults] == ["player_id"]
        assert len(calls) == 1


def test_another_servers_page_is_no_reply() -> None:
    with service(lambda *_: Given(200, raw=b"<html>hello</html>")) as (origin, _):
        with pytest.raises(UnreadableReplyError, match=r"HTTP 200.*hello"):
            new_client(origin).merchant()
    with service(lambda *_: Given(404, raw=b"not here")) as (origin, calls):
        with pytest.raises(UnreadableReplyError, match="HTTP 404"):
            new_client(origin).merchant()
        assert len(calls) == 1


def test_nobody_there_is_a_failed_connection() -> None:
    with service(lambda *_: UNAVAILABLE) as (origin, _):
        pass
    with pytest.raises(ConnectionFailedError):
        new_client(origin, RetryPolicy(tries=1)).merchant()


def test_a_reply_that_was_cut_is_no_reply() -> None:
    with service(lambda n, _: Given(200, MERCHANT, cut=20 if n == 0 else None)) as (origin, calls):
        assert new_client(origin).merchant().code == "shop"
        assert len(calls) == 2


def test_a_silent_service_times_out() -> None:
    release = threading.Event()

    def answer(*_: object) -> Given:
        release.wait(10)
        return Given(0)

    with service(answer) as (origin, _):
        with pytest.raises(ConnectionFailedError, match="timed out"):
            new_client(origin, RetryPolicy(tries=1), timeout_s=0.2).merchant()
        release.set()


def test_a_connection_is_used_again_and_a_secret_may_change() -> None:
    secrets = iter([SECRET, "sk_next"])
    with service(lambda *_: Given(200, MERCHANT)) as (origin, calls):
        with Client(origin, "shop", lambda: next(secrets)) as client:
            client.merchant()
            client.merchant()
            assert len(client._transport._idle) == 1
        assert [call.is_genuine for call in calls] == [True, False]


def test_an_unchanged_catalog_is_none() -> None:
    def answer(n: int, call: Call) -> Given:
        if call.headers.get("If-None-Match") == '"t1"':
            return Given(304, raw=b"")
        return Given(200, {"items": [], "next_cursor": None, "total": 0}, headers={"ETag": '"t1"'})

    with service(answer) as (origin, _), new_client(origin) as client:
        page = client.games_page()
        assert page is not None and page.etag == '"t1"' and page.total == 0
        assert client.games_page(if_none_match=page.etag) is None
        assert list(client.games()) == []


def test_an_export_without_its_last_line_is_not_taken_for_complete() -> None:
    line = json.dumps(transaction("A:1")).encode() + b"\n"
    whole = line * 2 + b'{"complete":true,"items":2}\n'
    with service(lambda *_: Given(200, raw=whole)) as (origin, calls), new_client(origin) as client:
        assert [one.tx_id for one in client.export_transactions(status="success")] == ["A:1", "A:1"]
        assert calls[0].target == "/v1/transactions?status=success&format=ndjson"
    for given in (Given(200, raw=line * 2), Given(200, raw=whole, cut=len(whole) - 5)):
        with service(lambda *_, given=given: given) as (origin, _), new_client(origin) as client:
            with pytest.raises(ConnectionFailedError):
                list(client.export_transactions())


def test_csv_comes_in_pieces_and_a_refusal_is_an_error() -> None:
    def answer(n: int, _: Call) -> Given:
        return Given(200, raw=b"key,bets\r\n") if n == 0 else Given(401, code="INVALID_SIGNATURE")

    with service(answer) as (origin, calls), new_client(origin) as client:
        day = date(2026, 1, 31)
        assert b"".join(client.ggr_report_csv(day, day, group_by="game")) == b"key,bets\r\n"
        assert calls[0].target == "/v1/reports/ggr?from=2026-01-31&to=2026-01-31&group_by=game&format=csv"
        with pytest.raises(AuthenticationError):
            b"".join(client.export_transactions_csv())


class TestFeed:
    def test_it_goes_on_from_the_stored_cursor(self) -> None:
        feed = {"": (["A:1"], "c1"), "c1": (["A:2"], "c2"), "c2": ([], "c2")}

        def answer(_: int, call: Call) -> Given:
            cursor = call.target.partition("cursor=")[2]
            items, following = feed[cursor]
            data = {"items": [transaction(one) for one in items], "next_cursor": following, "behind_ms": 12}
            return Given(200, data)

        with service(answer) as (origin, calls), new_client(origin) as client:
            pages = client.changes(limit=1, action="bet")
            first = next(pages)
            assert ([one.tx_id for one in first.items], first.cursor, first.at_end) == (["A:1"], "c1", False)
            assert calls[0].target == "/v1/transactions?limit=1&updated_since=1970-01-01T00%3A00%3A00.000Z&action=bet"
            later = client.changes(limit=1, cursor=first.cursor)
            assert [one.tx_id for one in next(later).items] == ["A:2"]
            assert next(later).at_end is True
            assert len(calls) == 3

    def test_it_waits_at_the_end_and_stops_when_told(self) -> None:
        stop = threading.Event()
        empty = Given(200, {"items": [], "next_cursor": "c1", "behind_ms": 0})
        with service(lambda *_: empty) as (origin, calls), new_client(origin) as client:
            pages = client.changes(cursor="c1", poll_s=0.3, stop=stop)
            next(pages), next(pages)
            assert 0.3 <= calls[1].at - calls[0].at < 2
            stop.set()
            assert list(pages) == []
            assert len(calls) == 2

    def test_it_waits_out_trouble_and_raises_a_refusal(self) -> None:
        empty = Given(200, {"items": [], "next_cursor": "c1", "behind_ms": 0})
        limited = Given(429, None, "RATE_LIMITED", {"Retry-After": "1"})
        trouble = [UNAVAILABLE, Given(0), limited, *[UNAVAILABLE] * 6, empty, Given(401, code="INVALID_SIGNATURE")]
        with service(lambda n, _: trouble[n]) as (origin, calls):
            pages = new_client(origin, RetryPolicy(first_pause_s=0.01, longest_pause_s=0.05)).changes(
                cursor="c1", poll_s=0
            )
            assert next(pages).items == []
            assert calls[3].at - calls[2].at >= 1
            with pytest.raises(AuthenticationError):
                next(pages)
            assert len({call.headers["X-Nonce"] for call in calls}) == len(calls) == len(trouble)


@pytest.mark.parametrize("url", ["api.example", "ftp://api.example", "https://api.example?x=1", ""])
def test_a_wrong_address_is_named(url: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        Client(url, "shop", SECRET)
