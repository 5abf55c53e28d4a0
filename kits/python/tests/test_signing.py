from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from game_aggregator import sign, verify
from game_aggregator.signing import fault, signature

VECTORS = json.loads((Path(__file__).parents[3] / "test/domain/signing/vectors.json").read_text(encoding="utf-8"))
SECRET = VECTORS["secret"]
NOW = 1767225600000


def headers_of(case: dict[str, Any]) -> dict[str, str]:
    return {"X-Timestamp": case["timestamp"], "X-Nonce": case["nonce"], "X-Signature": case["signature"]}


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["name"])
def test_vector(case: dict[str, Any]) -> None:
    body = case["body"].encode()
    assert verify([SECRET], headers_of(case), case["method"], case["target"], body, now=NOW) is case["valid"]
    if case["valid"]:
        made = sign(SECRET, case["method"], case["target"], body, timestamp=case["timestamp"], nonce=case["nonce"])
        assert made == headers_of(case)


def test_there_are_vectors_of_both_kinds() -> None:
    assert {case["valid"] for case in VECTORS["cases"]} == {True, False}


def test_what_is_signed_is_genuine_now() -> None:
    headers = sign("sk_a", "POST", "/wallet", b"{}")
    assert verify(["sk_a"], headers, "POST", "/wallet", b"{}")
    assert not verify(["sk_b"], headers, "POST", "/wallet", b"{}")
    assert not verify([], headers, "POST", "/wallet", b"{}")
    assert sign("sk_a", "GET", "/")["X-Nonce"] != sign("sk_a", "GET", "/")["X-Nonce"]


@pytest.mark.parametrize("off, is_genuine", [(300_000, True), (-300_000, True), (300_001, False), (-300_001, False)])
def test_a_timestamp_may_be_five_minutes_off_either_way(off: int, is_genuine: bool) -> None:
    headers = sign("sk_a", "POST", "/wallet", b"", timestamp=str(NOW))
    assert verify(["sk_a"], headers, "POST", "/wallet", b"", now=NOW + off) is is_genuine


@pytest.mark.parametrize("nonce", ["a" * 15, "a" * 65, "a" * 16 + "\n", "é" * 16, "0011223344556677.8899"])
def test_a_nonce_of_another_form_is_refused(nonce: str) -> None:
    headers = sign("sk_a", "POST", "/wallet", b"", nonce=nonce)
    assert not verify(["sk_a"], headers, "POST", "/wallet", b"")


@pytest.mark.parametrize("timestamp", ["1767225600000\n", "+767225600000", "١٧٦٧٢٢٥٦٠٠٠٠٠"])
def test_a_timestamp_of_another_form_is_refused(timestamp: str) -> None:
    headers = sign("sk_a", "POST", "/wallet", b"", timestamp=timestamp)
    assert not verify(["sk_a"], headers, "POST", "/wallet", b"", now=NOW)


@pytest.mark.parametrize("name", ["X-Timestamp", "X-Nonce", "X-Signature"])
def test_each_header_must_be_there_once(name: str) -> None:
    headers = sign("sk_a", "POST", "/wallet", b"")
    without = {key: value for key, value in headers.items() if key != name}
    assert not verify(["sk_a"], without, "POST", "/wallet", b"")
    twice = [*headers.items(), (name.lower(), headers[name])]
    assert not verify(["sk_a"], twice, "POST", "/wallet", b"")
    assert verify(["sk_a"], {key.upper(): value for key, value in headers.items()}, "POST", "/wallet", b"")


def test_while_a_secret_changes_either_header_may_fit_either_secret() -> None:
    old = sign("sk_old", "POST", "/wallet", b"{}")
    signature_next = signature("sk_new", old["X-Timestamp"], old["X-Nonce"], "POST", "/wallet", b"{}")
    both = {**old, "X-Signature-Next": signature_next}
    for known in (["sk_old"], ["sk_new"], ["sk_old", "sk_new"], ["sk_new", "sk_old"]):
        assert verify(known, both, "POST", "/wallet", b"{}"), known
    assert verify(["sk_new", "sk_old"], old, "POST", "/wallet", b"{}")
    assert not verify(["sk_new"], old, "POST", "/wallet", b"{}")
    assert not verify(["sk_before", "sk_after"], both, "POST", "/wallet", b"{}")


def test_an_empty_secret_proves_nothing() -> None:
    empty = sign("", "POST", "/wallet", b"{}")
    assert not verify([""], empty, "POST", "/wallet", b"{}")
    assert not verify(["sk_a", ""], empty, "POST", "/wallet", b"{}")
    assert verify(["", "sk_a"], sign("sk_a", "POST", "/wallet", b"{}"), "POST", "/wallet", b"{}")


def test_a_fault_is_told_in_words() -> None:
    headers = sign("sk_a", "POST", "/wallet", b"", timestamp=str(NOW))
    assert "clock" in str(fault(["sk_a"], headers, "POST", "/wallet", b"", now=NOW + 400_000))
    assert "secret" in str(fault(["sk_b"], headers, "POST", "/wallet", b"", now=NOW))
    assert fault(["sk_a"], headers, "POST", "/wallet", b"", now=NOW) is None
