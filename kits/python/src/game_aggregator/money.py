"""Exact money: whole minor units (cents; pesos of CLP) and decimal numbers, never floating point."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal

DECIMALS = {"BRL": 2, "MXN": 2, "ARS": 2, "COP": 2, "CLP": 0, "PEN": 2, "USD": 2}
"""The number of decimals of each currency."""

MAX_AMOUNT = Decimal("9999999999.99")
"""The largest amount of a transaction, in the major unit."""

_EXACT = Context(prec=40, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
# The context of the program that uses this kit may have few digits, or traps. An amount must not depend on it.


def decimals(currency: str) -> int:
    """Raises ValueError when the currency is not one of the seven."""
    try:
        return DECIMALS[currency]
    except KeyError:
        raise ValueError(f"currency: {currency!r} is none of {', '.join(DECIMALS)}") from None


def to_minor(amount: Decimal | int, currency: str) -> int:
    """2.50 in BRL is 250, 1500 in CLP is 1500.

    Raises ValueError when the amount is not a whole number of minor units, or larger than the service can send.
    """
    value = Decimal(amount)
    # copy_abs is exact, while abs rounds, and overflows for 1e9999999.
    if not value.is_finite() or value.copy_abs() > MAX_AMOUNT:
        raise ValueError(f"amount: it must be a number of at most {MAX_AMOUNT}")
    minor = int(value.scaleb(decimals(currency), _EXACT))
    # The comparison is exact, but scaleb rounds to 40 digits.
    if to_decimal(minor, currency) != value:
        raise ValueError(f"amount: {currency} has {decimals(currency)} decimals")
    return minor


def to_decimal(minor: int, currency: str) -> Decimal:
    """250 in BRL is 2.50, with all decimals of the currency."""
    return Decimal((0 if minor >= 0 else 1, tuple(map(int, str(abs(minor)))), -decimals(currency)))


def shortest(amount: Decimal) -> str:
    """The shortest decimal text, as in JSON: 2.5, 1500, 0."""
    text = format(amount, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text
