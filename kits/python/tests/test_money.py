from __future__ import annotations

import decimal
import random
from decimal import Decimal

import pytest

from game_aggregator.money import shortest, to_decimal, to_minor


@pytest.mark.parametrize(
    "amount, currency, minor",
    [("2.5", "BRL", 250), ("2.50", "BRL", 250), ("0.01", "USD", 1), ("1.15", "MXN", 115), ("1500", "CLP", 1500)],
)
def test_major_to_minor(amount: str, currency: str, minor: int) -> None:
    assert to_minor(Decimal(amount), currency) == minor


def test_the_largest_amount() -> None:
    assert to_minor(Decimal("9999999999.99"), "BRL") == 999_999_999_999
    with pytest.raises(ValueError, match="amount"):
        to_minor(Decimal("10000000000"), "BRL")


@pytest.mark.parametrize(
    "context",
    [
        decimal.Context(prec=2),
        decimal.Context(prec=4, rounding=decimal.ROUND_UP),
        decimal.Context(prec=6, traps=[decimal.Inexact, decimal.Rounded, decimal.Subnormal]),
        decimal.Context(Emax=3, Emin=-1),
        decimal.Context(prec=1, traps=list(decimal.Context().flags)),
    ],
)
def test_the_context_of_the_program_does_not_change_an_amount(context: decimal.Context) -> None:
    with decimal.localcontext(context):
        assert to_minor(Decimal("9999999999.99"), "BRL") == 999_999_999_999
        assert to_minor(Decimal("1234567.89"), "USD") == 123_456_789
        assert shortest(to_decimal(123_456_789_012, "BRL")) == "1234567890.12"
        with pytest.raises(ValueError, match="decimals"):
            to_minor(Decimal("12345.678"), "BRL")
        with pytest.raises(ValueError, match="amount"):
            to_minor(Decimal("10000000000"), "BRL")


@pytest.mark.parametrize(
    "amount, currency",
    [("2.505", "BRL"), ("2.5", "CLP"), ("2.50000000000000000000000000000000000001", "BRL"), ("1e-999999", "BRL")],
)
def test_a_part_of_a_minor_unit_is_refused(amount: str, currency: str) -> None:
    with pytest.raises(ValueError, match="decimals"):
        to_minor(Decimal(amount), currency)


@pytest.mark.parametrize("amount", ["NaN", "Infinity", "-Infinity", "1e400", "1e9999999"])
def test_what_is_no_amount_is_refused(amount: str) -> None:
    with pytest.raises(ValueError, match="amount"):
        to_minor(Decimal(amount), "BRL")


def test_an_unknown_currency_is_named() -> None:
    with pytest.raises(ValueError, match="currency: 'EUR'"):
        to_minor(1, "EUR")


def test_there_and_back_is_the_same() -> None:
    generator = random.Random(7)
    for _ in range(2_000):
        minor = generator.randrange(-(10**12) + 1, 10**12)
        for currency in ("BRL", "CLP"):
            if currency == "BRL" or abs(minor) < 10**10:
                assert to_minor(to_decimal(minor, currency), currency) == minor


@pytest.mark.parametrize(
    "minor, currency, text",
    [
        (9750, "BRL", "97.5"),
        (10000, "BRL", "100"),
        (0, "BRL", "0"),
        (1, "BRL", "0.01"),
        (-50, "BRL", "-0.5"),
        (-100000, "CLP", "-100000"),
        (99999999999999, "BRL", "999999999999.99"),
    ],
)
def test_the_shortest_text(minor: int, currency: str, text: str) -> None:
    assert shortest(to_decimal(minor, currency)) == text
