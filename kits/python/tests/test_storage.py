"""The tests that every storage must pass."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from conftest import AnyStorage

from game_aggregator.wallet import Applied, Conflict, Entry, Player, Rejected, Tombstone


def bet(tx_id: str, ref: str | None = None) -> Applied:
    return Applied(tx_id, "bet", "ana", 100, ref, 900)


@pytest.fixture(autouse=True)
def players(storage: AnyStorage) -> None:
    storage.add_player("shop", "ana", balance_minor=1_000)
    storage.add_player("other", "ana", balance_minor=5, blocked=True)


def test_a_player_is_read_with_balance_and_block(storage: AnyStorage) -> None:
    assert storage.player("shop", "ana") == Player(1_000, False)
    assert storage.player("other", "ana") == Player(5, True)
    assert storage.player("shop", "nobody") is None
    assert storage.player("nowhere", "ana") is None


def test_a_player_who_is_there_stays_as_they_are(storage: AnyStorage) -> None:
    storage.add_player("shop", "ana", balance_minor=7, blocked=True)
    assert storage.player("shop", "ana") == Player(1_000, False)


def test_what_became_of_a_transaction_is_found_with_every_field(storage: AnyStorage) -> None:
    entries = [
        Applied("ACME:1", "refund", "ana", 100, "ACME:0", 1_100),
        Applied("ACME:2", "win", "ana", 999_999_999_999, None, -99_999_999_999_999),
        Rejected("ACME:3", "INSUFFICIENT_FUNDS"),
        Tombstone("ACME:4"),
    ]
    with storage.transaction("shop", "ana") as tx:
        assert tx.player == Player(1_000, False)
        for entry in entries:
            assert tx.find(entry.tx_id) is None
            tx.add(entry)
        tx.set_balance(1_100)
    with storage.transaction("shop", "ana") as tx:
        assert [tx.find(entry.tx_id) for entry in entries] == entries
        assert tx.is_reversed("ACME:0") and not tx.is_reversed("ACME:1")
        assert tx.player == Player(1_100, False)


def test_merchants_have_nothing_in_common(storage: AnyStorage) -> None:
    with storage.transaction("shop", "ana") as tx:
        tx.add(bet("ACME:1", ref="ACME:0"))
        tx.set_balance(900)
    with storage.transaction("other", "ana") as tx:
        assert tx.player == Player(5, True)
        assert tx.find("ACME:1") is None and not tx.is_reversed("ACME:0")


def test_an_exception_undoes_everything(storage: AnyStorage) -> None:
    with pytest.raises(RuntimeError, match="on purpose"), storage.transaction("shop", "ana") as tx:
        tx.add(bet("ACME:1", ref="ACME:0"))
        tx.set_balance(900)
        raise RuntimeError("on purpose")
    with storage.transaction("shop", "ana") as tx:
        assert tx.player == Player(1_000, False)
        assert tx.find("ACME:1") is None and not tx.is_reversed("ACME:0")


@pytest.mark.parametrize(
    "again",
    [bet("ACME:1"), bet("ACME:9", ref="ACME:0"), Rejected("ACME:1", "X"), Tombstone("ACME:1"), bet("ACME:2")],
)
def test_a_second_of_what_is_unique_is_a_conflict_and_changes_nothing(storage: AnyStorage, again: Entry) -> None:
    with storage.transaction("shop", "ana") as tx:
        tx.add(bet("ACME:1", ref="ACME:0"))
        tx.add(Tombstone("ACME:2"))
    with pytest.raises(Conflict), storage.transaction("shop", "ana") as tx:
        tx.set_balance(1)
        tx.add(again)
    assert storage.player("shop", "ana") == Player(1_000, False)


@pytest.mark.parametrize(
    "one, another",
    [
        ("ACME:abc", "ACME:ABC"),
        ("ACME:acao", "ACME:ação"),
        ("ACME:\u00e9", "ACME:e\u0301"),
        ("ACME:x", "ACME:x "),
        ("ACME:1", "ACME:01"),
        ("ACME:" + "x" * 122 + "a", "ACME:" + "x" * 122 + "b"),
        ("ACME:🎰", "ACME:🎲"),
        ("ACME:'\";--\\%_?", "ACME:'\";--\\%__"),
    ],
)
def test_ids_are_compared_byte_by_byte(storage: AnyStorage, one: str, another: str) -> None:
    with storage.transaction("shop", "ana") as tx:
        tx.add(bet(one, ref=one))
    with storage.transaction("shop", "ana") as tx:
        assert tx.find(one) == bet(one, ref=one) and tx.is_reversed(one)
        assert tx.find(another) is None and not tx.is_reversed(another)
    storage.add_player("shop", one, balance_minor=1)
    assert storage.player("shop", another) is None


def test_a_second_transaction_of_the_player_waits_for_the_first(storage: AnyStorage) -> None:
    is_inside, may_end = threading.Event(), threading.Event()
    seen: list[int] = []

    def first() -> None:
        with storage.transaction("shop", "ana") as tx:
            is_inside.set()
            assert may_end.wait(10)
            tx.set_balance(900)

    def second() -> None:
        with storage.transaction("shop", "ana") as tx:
            assert tx.player is not None
            seen.append(tx.player.balance_minor)

    with ThreadPoolExecutor(2) as threads:
        one = threads.submit(first)
        assert is_inside.wait(10)
        other = threads.submit(second)
        assert not may_end.wait(0.3) and seen == []
        may_end.set()
        one.result(10)
        other.result(10)
    assert seen == [900]


def test_players_without_a_row_conflict_instead_of_both_being_stored(storage: AnyStorage) -> None:
    gate = threading.Barrier(2, timeout=10)

    def reject() -> str:
        try:
            with storage.transaction("shop", "nobody") as tx:
                if tx.find("ACME:1") is None:
                    with suppress(threading.BrokenBarrierError):
                        gate.wait(0.5)
                    tx.add(Rejected("ACME:1", "PLAYER_NOT_FOUND"))
                    return "stored"
                return "found"
        except Conflict:
            return "conflict"

    with ThreadPoolExecutor(2) as threads:
        results = sorted(one.result(20) for one in [threads.submit(reject), threads.submit(reject)])
    assert results[1] == "stored" and results[0] in ("conflict", "found")
