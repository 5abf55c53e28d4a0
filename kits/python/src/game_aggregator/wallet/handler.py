"""The wallet: turns a received callback into the reply."""

from __future__ import annotations

import json
import logging
import secrets as random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from .. import signing
from ..money import decimals, shortest, to_decimal
from .callback import Callback, UnreadableCallback, read_callback
from .rules import Accepted, Answer, Refused, judge
from .storage import Conflict, Storage

_log = logging.getLogger("game_aggregator")

MAX_BODY = 64 * 1024
"""Much more than the size of a callback. An adapter need not read more than one byte beyond this limit."""

_TRIES = 5
"""The maximum number of attempts of a callback that conflicts with concurrent transactions."""


@dataclass(frozen=True)
class Merchant:
    """One of your merchants. Raises ValueError when the currency is not one of the seven, or there is no secret."""

    code: str
    secrets: Sequence[str]
    """The current secret; both secrets during a change of the secret."""
    currency: str
    answer_503: bool = False
    """Answer a wrong signature with 503 instead of 401, while a secret is changed without an overlap."""

    def __post_init__(self) -> None:
        decimals(self.currency)
        if isinstance(self.secrets, str) or not self.secrets or not all(self.secrets):
            raise ValueError(f"secrets of merchant {self.code!r}: it must be a list of at least one secret")


@dataclass(frozen=True)
class Reply:
    status: int
    body: bytes
    """JSON: send it as application/json."""


class Wallet:
    """Answers callbacks. Threads may share it.

    `merchants`: all merchants, or a function that finds a merchant by its code, for settings that change. Raises
    ValueError when two merchants have the same code.
    """

    def __init__(self, storage: Storage, merchants: Iterable[Merchant] | Callable[[str], Merchant | None]) -> None:
        self._storage = storage
        self._merchant = merchants if callable(merchants) else _by_code(merchants).get

    def handle(self, method: str, target: str, headers: signing.Headers, body: bytes) -> Reply:
        """Answers one request. It never raises.

        `target`: path and query as on the request line, or as in your walletUrl. `body`: the raw bytes. A header that
        came twice must be passed twice or left out.
        """
        try:
            return self._handle(method, target, headers, body)
        except Exception:
            # The outcome is unknown, so the reply must not be a rejection. After a 5xx the
            # transaction stays pending and may come again.
            _log.exception("callback failed")
            return _error(HTTPStatus.INTERNAL_SERVER_ERROR, "INTERNAL_ERROR")

    def _handle(self, method: str, target: str, headers: signing.Headers, body: bytes) -> Reply:
        if method != "POST":
            return _error(HTTPStatus.METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED")
        if len(body) > MAX_BODY:
            return _error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "PAYLOAD_TOO_LARGE")
        pairs = list(headers.items() if hasattr(headers, "items") else headers)
        merchant = self._merchant(signing.once(pairs).get("x-merchant-id", ""))
        # The check of an unknown merchant takes the same time as a wrong signature.
        secrets = [random.token_hex(32)] if merchant is None else merchant.secrets
        fault = signing.fault(secrets, pairs, method, target, body)
        if merchant is None or fault is not None:
            code = "unknown merchant" if merchant is None else merchant.code
            _log.warning("callback refused (%s): %s", code, fault)
            is_changing = merchant is not None and merchant.answer_503
            status = HTTPStatus.SERVICE_UNAVAILABLE if is_changing else HTTPStatus.UNAUTHORIZED
            return _error(status, "INVALID_SIGNATURE")
        try:
            callback = read_callback(body, merchant.currency)
        except UnreadableCallback as cause:
            _log.warning("callback of %s is unreadable: %s", merchant.code, cause)
            return _error(HTTPStatus.BAD_REQUEST, "INVALID_REQUEST")
        return _reply(self._answer(merchant, callback), merchant.currency)

    def _answer(self, merchant: Merchant, callback: Callback) -> Answer:
        if callback.action == "balance":
            if callback.currency != merchant.currency:
                return Refused("CURRENCY_MISMATCH")
            player = self._storage.player(merchant.code, callback.player_id)
            return Refused("PLAYER_NOT_FOUND") if player is None else Accepted(player.balance_minor)
        for _ in range(_TRIES - 1):
            try:
                return self._judge(merchant, callback)
            except Conflict:
                continue
        return self._judge(merchant, callback)

    def _judge(self, merchant: Merchant, callback: Callback) -> Answer:
        with self._storage.transaction(merchant.code, callback.player_id) as transaction:
            return judge(callback, merchant.currency, transaction)


def _by_code(merchants: Iterable[Merchant]) -> dict[str, Merchant]:
    by_code: dict[str, Merchant] = {}
    for merchant in merchants:
        if merchant.code in by_code:
            raise ValueError(f"merchant {merchant.code!r} is in the list twice: list it once, with all of its secrets")
        by_code[merchant.code] = merchant
    return by_code


def _reply(answer: Answer, currency: str) -> Reply:
    if isinstance(answer, Refused):
        return _error(HTTPStatus.OK, answer.error)
    balance = shortest(to_decimal(answer.balance_minor, currency))
    return Reply(HTTPStatus.OK, f'{{"ok":true,"balance":{balance}}}'.encode())


def _error(status: HTTPStatus, error: str) -> Reply:
    return Reply(status, json.dumps({"ok": False, "error": error}).encode())
