"""The wallet's checks of a request, and its replies to bad requests."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from callbacks import SHOP, TARGET, Caller, signed

from game_aggregator import sign
from game_aggregator.wallet import MemoryStorage, Merchant, Wallet

BALANCE = b'{"action":"balance","player_id":"ana","currency":"BRL","provider":"ACME","game":"x"}'


@pytest.fixture
def storage() -> MemoryStorage:
    storage = MemoryStorage()
    storage.add_player("shop", "ana", balance_minor=10_000)
    return storage


@pytest.fixture
def wallet(storage: MemoryStorage) -> Wallet:
    return Wallet(storage, [SHOP, Merchant("other", ["sk_other"], "BRL")])


def test_a_genuine_callback_is_answered(wallet: Wallet) -> None:
    reply = wallet.handle("POST", TARGET, signed(BALANCE), BALANCE)
    assert (reply.status, reply.body) == (200, b'{"ok":true,"balance":100}')


@pytest.mark.parametrize(
    "headers, method, target, body",
    [
        ({}, "POST", TARGET, BALANCE),
        (signed(BALANCE, secret="sk_wrong"), "POST", TARGET, BALANCE),
        (signed(BALANCE, merchant="nobody"), "POST", TARGET, BALANCE),
        (signed(BALANCE, secret="sk_other"), "POST", TARGET, BALANCE),
        (signed(BALANCE), "POST", "/wallet?a=1", BALANCE),
        (signed(BALANCE), "POST", TARGET, BALANCE + b" "),
        ([*signed(BALANCE).items(), ("x-merchant-id", "shop")], "POST", TARGET, BALANCE),
    ],
)
def test_what_is_not_genuine_is_refused(wallet: Wallet, headers: Any, method: str, target: str, body: bytes) -> None:
    reply = wallet.handle(method, target, headers, body)
    assert reply.status == 401
    assert json.loads(reply.body) == {"ok": False, "error": "INVALID_SIGNATURE"}


def test_a_refused_callback_leaves_nothing_behind(wallet: Wallet) -> None:
    body = b'{"action":"bet","player_id":"ana","currency":"BRL","tx_id":"ACME:1","amount":2.5}'
    assert wallet.handle("POST", TARGET, signed(body, secret="sk_wrong"), body).status == 401
    assert wallet.handle("POST", TARGET, signed(body), body).body == b'{"ok":true,"balance":97.5}'


def test_while_a_secret_changes_without_overlap_the_answer_is_503(storage: MemoryStorage) -> None:
    wallet = Wallet(storage, [Merchant("shop", ["sk_old"], "BRL", answer_503=True)])
    assert wallet.handle("POST", TARGET, signed(BALANCE), BALANCE).status == 503
    assert wallet.handle("POST", TARGET, signed(BALANCE, secret="sk_old"), BALANCE).status == 200


def test_merchants_may_change_while_the_wallet_runs(storage: MemoryStorage) -> None:
    known = {"shop": Merchant("shop", ["sk_old"], "BRL")}
    wallet = Wallet(storage, known.get)
    assert wallet.handle("POST", TARGET, signed(BALANCE), BALANCE).status == 401
    known["shop"] = SHOP
    assert wallet.handle("POST", TARGET, signed(BALANCE), BALANCE).status == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"[]",
        b'"text"',
        b"\xff\xfe{}",
        b"\xef\xbb\xbf" + BALANCE,
        b"[" * 50_000,
        b'{"action":"bonus","player_id":"ana","currency":"BRL"}',
        b'{"action":"balance","player_id":7,"currency":"BRL"}',
        b'{"action":"balance","player_id":"","currency":"BRL"}',
        b'{"action":"balance","player_id":"\\ud800","currency":"BRL"}',
        b'{"action":"balance","player_id":"a\\u0000b","currency":"BRL"}',
        b'{"action":"balance","player_id":"ana","currency":["BRL"]}',
        b'{"action":"balance","player_id":"ana","currency":""}',
        b'{"action":"bet","player_id":"ana","currency":"BRL","tx_id":"t","amount":1e9999999}',
        b'{"action":"bet","player_id":"ana","currency":"BRL","tx_id":"a\xff","amount":1}',
        b'{"action":"bet","player_id":"ana","currency":"BRL","tx_id":"a\\ud800","amount":1}',
        b'{"action":{},"player_id":"ana","currency":"BRL"}',
        b'{"action":"bet","player_id":"ana","currency":"BRL","amount":1}',
        b'{"action":"refund","player_id":"ana","currency":"BRL","tx_id":"t","amount":1}',
        *(
            b'{"action":"bet","player_id":"ana","currency":"BRL","tx_id":"t","amount":%s}' % amount
            for amount in (b'"1"', b"null", b"true", b"0", b"-1", b"2.505", b"1e400", b"NaN", b"9" * 5_000, b"1e-400")
        ),
        b'{"action":"bet","player_id":"ana","currency":"BRL","tx_id":"%s","amount":1}' % (b"x" * 129),
    ],
    ids=lambda body: repr(body[:80]),
)
def test_a_body_that_the_service_never_sends_is_rejected_and_moves_nothing(
    wallet: Wallet, storage: MemoryStorage, body: bytes
) -> None:
    reply = wallet.handle("POST", TARGET, signed(body), body)
    assert reply.status == 400
    assert json.loads(reply.body) == {"ok": False, "error": "INVALID_REQUEST"}
    assert storage.entries == {}


def test_a_body_that_is_too_large_is_refused_before_anything_else(wallet: Wallet) -> None:
    assert wallet.handle("POST", TARGET, {}, b"x" * (64 * 1024 + 1)).status == 413
    assert wallet.handle("POST", TARGET, {}, b"x" * (64 * 1024)).status == 401


def test_another_method_is_refused_before_anything_else(wallet: Wallet) -> None:
    reply = wallet.handle("PUT", TARGET, signed(BALANCE), BALANCE)
    assert (reply.status, json.loads(reply.body)["error"]) == (405, "METHOD_NOT_ALLOWED")


def test_the_last_of_two_equal_keys_is_read(wallet: Wallet) -> None:
    body = b'{"player_id":"nobody",' + BALANCE[1:]
    assert wallet.handle("POST", TARGET, signed(body), body).status == 200


class _Broken(MemoryStorage):
    def player(self, merchant: str, player_id: str) -> None:
        raise RuntimeError("password=hunter2")


def test_an_unknown_exception_is_logged_and_never_told(caplog: pytest.LogCaptureFixture) -> None:
    caller = Caller(Wallet(_Broken(), [SHOP]))
    with caplog.at_level(logging.ERROR, "game_aggregator"):
        for answer in (caller.send("balance"), caller.bet(1)):
            assert (answer.status, answer.ok, answer.error) == (500, False, "INTERNAL_ERROR")
    assert "hunter2" in caplog.text


def test_no_secret_is_logged(wallet: Wallet, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        wallet.handle("POST", TARGET, signed(BALANCE, secret="sk_wrong"), BALANCE)
    assert "shop" in caplog.text and "sk_" not in caplog.text


def test_two_merchants_of_one_code_are_refused(storage: MemoryStorage) -> None:
    with pytest.raises(ValueError, match="merchant 'shop' is in the list twice"):
        Wallet(storage, [SHOP, Merchant("shop", ["sk_new"], "BRL")])


@pytest.mark.parametrize("secrets", ["sk_shop", [], [""]])
def test_a_merchant_needs_a_list_of_secrets(secrets: Any) -> None:
    with pytest.raises(ValueError, match="secrets of merchant 'shop'"):
        Merchant("shop", secrets, "BRL")


def test_a_merchant_needs_a_known_currency() -> None:
    with pytest.raises(ValueError, match="currency: 'EUR'"):
        Merchant("shop", ["sk_shop"], "EUR")


def test_either_secret_is_accepted_while_one_is_being_changed(storage: MemoryStorage) -> None:
    wallet = Wallet(storage, [Merchant("shop", ["sk_old", "sk_new"], "BRL")])
    for secret in ("sk_old", "sk_new"):
        headers = {"X-Merchant-Id": "shop", **sign(secret, "POST", TARGET, BALANCE)}
        assert wallet.handle("POST", TARGET, headers, BALANCE).status == 200
