"""The rules of a wallet, with each storage."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest
from callbacks import CHILE, OTHER, Caller, new_id

from game_aggregator.wallet import Wallet


@pytest.fixture
def ana(wallet: Wallet) -> Caller:
    return Caller(wallet)


def test_each_action_moves_what_it_says(ana: Caller) -> None:
    assert ana.balance() == 100
    assert ana.bet(2.5, "ACME:b").balance == Decimal("97.5")
    assert ana.win(10, "ACME:w").balance == Decimal("107.5")
    assert ana.refund(2.5, "ACME:b").balance == Decimal("110")
    assert ana.rollback(10, "ACME:w").balance == Decimal("100")
    assert ana.balance() == 100


@pytest.mark.parametrize("action", ["bet", "win"])
def test_a_repeat_gets_the_stored_reply(ana: Caller, action: str) -> None:
    first = ana.move(action, 2.5, "ACME:1")
    ana.win(50)
    assert ana.move(action, 2.5, "ACME:1") == first
    assert ana.balance() == (147.5 if action == "bet" else 152.5)


def test_a_repeated_reversal_gets_the_stored_reply(ana: Caller) -> None:
    ana.bet(2.5, "ACME:b")
    first = ana.refund(2.5, "ACME:b", "ACME:r")
    ana.bet(1)
    assert ana.refund(2.5, "ACME:b", "ACME:r") == first
    assert ana.balance() == 99


def test_the_rejection_of_a_bet_is_kept(ana: Caller) -> None:
    rejected = ana.bet(100.01, "ACME:1")
    assert (rejected.status, rejected.ok, rejected.error) == (200, False, "INSUFFICIENT_FUNDS")
    ana.win(500)
    assert ana.bet(100.01, "ACME:1") == rejected
    assert ana.bet(100.01).ok
    assert ana.balance() == Decimal("499.99")


def test_the_rejection_of_a_win_is_judged_anew(wallet: Wallet, ana: Caller) -> None:
    assert Caller(wallet, player="nobody").win(5, "ACME:w").error == "PLAYER_NOT_FOUND"
    assert ana.win(5, "ACME:w").balance == 105


def test_the_rejection_of_a_bet_of_an_unknown_player_is_kept(wallet: Wallet, ana: Caller) -> None:
    for _ in range(2):
        assert Caller(wallet, player="nobody").bet(5, "ACME:b").error == "PLAYER_NOT_FOUND"
    assert ana.bet(5, "ACME:b").error == "PLAYER_NOT_FOUND"


@pytest.mark.parametrize("original, reversal", [("bet", "refund"), ("win", "rollback")])
class TestReversals:
    def test_one_of_an_unknown_transaction_leaves_a_tombstone(self, ana: Caller, original: str, reversal: str) -> None:
        for tx_id in ("ACME:r", "ACME:r", "ACME:r2"):
            assert ana.move(reversal, 5, tx_id, "ACME:o").error == "TRANSACTION_NOT_FOUND"
        for _ in range(2):
            assert ana.move(original, 5, "ACME:o").error == "TRANSACTION_REVERSED"
        assert ana.move(reversal, 5, "ACME:r", "ACME:o").error == "TRANSACTION_NOT_FOUND"
        assert ana.balance() == 100

    def test_a_transaction_is_reversed_once(self, ana: Caller, original: str, reversal: str) -> None:
        ana.move(original, 5, "ACME:o")
        assert ana.move(reversal, 5, "ACME:r", "ACME:o").ok
        assert ana.move(reversal, 5, "ACME:r2", "ACME:o").error == "ALREADY_REVERSED"
        assert ana.balance() == 100

    def test_the_whole_amount_is_reversed(self, ana: Caller, original: str, reversal: str) -> None:
        ana.move(original, 5, "ACME:o")
        for amount in (4.99, 5.01):
            assert ana.move(reversal, amount, new_id(), "ACME:o").error == "AMOUNT_MISMATCH"
        assert ana.move(reversal, 5, new_id(), "ACME:o").ok
        assert ana.balance() == 100

    def test_only_the_right_kind_of_the_right_player_is_reversed(
        self, wallet: Wallet, ana: Caller, original: str, reversal: str
    ) -> None:
        ana.move(original, 5, "ACME:o")
        ana.move("win" if original == "bet" else "bet", 5, "ACME:opposite")
        assert ana.move(reversal, 5, new_id(), "ACME:opposite").error == "TRANSACTION_NOT_FOUND"
        rui = Caller(wallet, player="rui")
        assert rui.move(reversal, 5, new_id(), "ACME:o").error == "TRANSACTION_NOT_FOUND"
        assert rui.balance() == 100
        assert ana.move(reversal, 5, new_id(), "ACME:o").ok


def test_a_rejected_bet_cannot_be_refunded(ana: Caller) -> None:
    ana.bet(1000, "ACME:b")
    assert ana.refund(1000, "ACME:b").error == "TRANSACTION_NOT_FOUND"
    assert ana.balance() == 100


def test_a_rejected_rollback_is_kept_and_a_rejected_refund_is_not(ana: Caller) -> None:
    ana.bet(5, "ACME:b")
    ana.win(5, "ACME:w")
    assert ana.refund(4, "ACME:b", "ACME:f").error == "AMOUNT_MISMATCH"
    assert ana.refund(5, "ACME:b", "ACME:f").ok
    assert ana.rollback(4, "ACME:w", "ACME:r").error == "AMOUNT_MISMATCH"
    assert ana.rollback(5, "ACME:w", "ACME:r").error == "AMOUNT_MISMATCH"
    assert ana.balance() == 105


@pytest.mark.parametrize("original, reversal", [("bet", "refund"), ("win", "rollback")])
def test_a_reversal_that_found_nothing_is_judged_anew(ana: Caller, original: str, reversal: str) -> None:
    ana.move(original, 5, "ACME:o")
    assert ana.move(reversal, 5, "ACME:r", "ACME:another").error == "TRANSACTION_NOT_FOUND"
    assert ana.move(reversal, 5, "ACME:r", "ACME:o").ok
    assert ana.balance() == 100


def test_a_rollback_may_leave_less_than_nothing(ana: Caller) -> None:
    ana.win(50, "ACME:w")
    ana.bet(150)
    assert ana.rollback(50, "ACME:w").balance == -50
    assert ana.bet(1).error == "INSUFFICIENT_FUNDS"
    assert ana.win(20).balance == -30


def test_a_block_stops_bets_and_never_credits(wallet: Wallet) -> None:
    eva = Caller(wallet, player="eva")
    assert eva.bet(1).error == "PLAYER_BLOCKED"
    assert eva.win(5, "ACME:w").balance == 105
    assert eva.rollback(5, "ACME:w").balance == 100


def test_merchants_have_nothing_in_common(wallet: Wallet, ana: Caller) -> None:
    other = Caller(wallet, OTHER)
    assert ana.bet(5, "ACME:1").balance == 95
    assert other.bet(7, "ACME:1").balance == 93
    assert other.refund(5, "ACME:1").error == "AMOUNT_MISMATCH"
    assert ana.balance() == 95


def test_another_currency_is_rejected(ana: Caller) -> None:
    assert ana.send("balance", currency="CLP").error == "CURRENCY_MISMATCH"
    assert ana.send("bet", currency="CLP", tx_id=new_id(), amount=1).error == "CURRENCY_MISMATCH"
    assert ana.balance() == 100


def test_a_bet_or_rollback_in_another_currency_is_rejected_for_good(ana: Caller) -> None:
    bet, win, rollback = new_id(), new_id(), new_id()
    assert ana.send("bet", currency="EUR", tx_id=bet, amount=0.001).error == "CURRENCY_MISMATCH"
    assert ana.bet(1, bet).error == "CURRENCY_MISMATCH"
    assert ana.send("win", currency="USD", tx_id=win, amount=1).error == "CURRENCY_MISMATCH"
    assert ana.win(1, win).balance == 101
    assert ana.send("win", currency="USD", tx_id=win, amount=1).balance == 101
    assert ana.send("rollback", currency="USD", tx_id=rollback, ref_tx_id=win, amount=1).error == "CURRENCY_MISMATCH"
    assert ana.rollback(1, win, rollback).error == "CURRENCY_MISMATCH"


def test_pesos_have_no_decimals(wallet: Wallet) -> None:
    ana = Caller(wallet, CHILE)
    assert ana.win(1500).balance == 1600
    assert ana.win(2.5).status == 400


def test_amounts_are_exact(ana: Caller) -> None:
    for amount in (0.1, 0.2, 0.07, 0.29, 0.57, 1.15, 4.35, 8.2, 9999999999.99):
        tx_id = new_id()
        assert ana.win(amount, tx_id).balance == 100 + Decimal(str(amount))
        assert ana.rollback(amount, tx_id).balance == 100


def test_fields_that_are_unknown_are_ignored(ana: Caller) -> None:
    more: dict[str, Any] = {"promotion": None, "session": {"amount": 9, "tx_id": "x"}, "tags": [1, {"ok": False}]}
    assert ana.send("win", tx_id=new_id(), amount=5, **more).balance == 105


@pytest.mark.parametrize("action", ["bet", "win"])
def test_fifty_copies_at_once_move_the_money_once(ana: Caller, action: str) -> None:
    with ThreadPoolExecutor(50) as threads:
        answers = list(threads.map(lambda _: ana.move(action, 2.5, "ACME:1"), range(50)))
    assert {(answer.status, answer.balance) for answer in answers} == {(200, ana.balance())}


def test_of_fifty_bets_at_once_thirty_are_paid_for(ana: Caller) -> None:
    ana.bet(25)
    with ThreadPoolExecutor(50) as threads:
        answers = list(threads.map(lambda _: ana.bet(2.5), range(50)))
    assert [answer.status for answer in answers] == [200] * 50
    assert sum(answer.ok for answer in answers) == 30
    assert {answer.error for answer in answers if not answer.ok} == {"INSUFFICIENT_FUNDS"}
    assert ana.balance() == 0


def test_of_ten_refunds_at_once_one_is_given(ana: Caller) -> None:
    ana.bet(5, "ACME:b")
    with ThreadPoolExecutor(10) as threads:
        answers = list(threads.map(lambda _: ana.refund(5, "ACME:b"), range(10)))
    assert sorted(answer.error or "" for answer in answers) == ["", *["ALREADY_REVERSED"] * 9]
    assert ana.balance() == 100


def test_a_bet_and_its_refund_at_once_end_where_they_began(ana: Caller) -> None:
    for _ in range(10):
        bet, refund = new_id(), new_id()
        with ThreadPoolExecutor(2) as threads:
            taken = threads.submit(ana.bet, 5, bet)
            given = threads.submit(ana.refund, 5, bet, refund)
        assert taken.result().ok is given.result().ok
        assert ana.balance() == 100


def test_one_id_for_two_players_at_once_moves_money_once(wallet: Wallet) -> None:
    callers = [Caller(wallet, player=player) for player in ("ana", "rui")]
    for _ in range(10):
        tx_id = new_id()
        with ThreadPoolExecutor(2) as threads:
            answers = list(threads.map(lambda caller: caller.bet(1, tx_id), callers))  # noqa: B023
        assert [answer.status for answer in answers] == [200, 200]
    balances = [caller.balance() or Decimal(0) for caller in callers]
    assert sum(balances) == 190


def test_many_players_at_once_keep_every_cent(wallet: Wallet) -> None:
    players = [Caller(wallet, player=player) for player in ("ana", "rui")]
    generator = random.Random(3)
    moves = [
        (generator.choice(players), generator.choice(["bet", "win"]), generator.randrange(1, 300)) for _ in range(200)
    ]
    with ThreadPoolExecutor(50) as threads:
        answers = list(threads.map(lambda move: move[0].move(move[1], move[2] / 100, new_id()), moves))
    assert all(answer.ok for answer in answers)
    for player in players:
        own = [(action, cents) for caller, action, cents in moves if caller is player]
        delta = sum(cents if action == "win" else -cents for action, cents in own)
        assert player.balance() == 100 + Decimal(delta) / 100
