"""The client's errors. Each kind of refusal has its own class, chosen by `error.code`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .error_kinds import ERROR_KINDS


class AggregatorError(Exception):
    """The base class: a call did not succeed."""


class ConnectionFailedError(AggregatorError):
    """No complete reply came: no address, no connection, a time-out, a cut. The service may have executed the call."""


class UnreadableReplyError(AggregatorError):
    """A reply that does not come from the service, such as a proxy's page. `status` is its HTTP status."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"HTTP {status} without the service's envelope: {text[:200]!r}. Is the base address right?")
        self.status = status


class ApiError(AggregatorError):
    """The service refused the call. Decide by `code`; give `request_id` to support."""

    def __init__(self, status: int, error: Mapping[str, Any], retry_after: float | None) -> None:
        self.status = status
        """The HTTP status."""
        self.code = str(error.get("code", ""))
        self.message = str(error.get("message", ""))
        """Text for people. Do not decide by it."""
        self.details: Any = error.get("details")
        """A list of faults for VALIDATION_ERROR; an object or None for other codes."""
        self.request_id: str | None = error.get("request_id")
        self.retry_after = retry_after
        """The number of seconds after which the same call may succeed, if the service sent it."""
        super().__init__(f"{self.code} (HTTP {status}, request {self.request_id}): {self.message} {self.details or ''}")


class AuthenticationError(ApiError):
    """Headers, timestamp, nonce or signature are wrong: check the secret and the clock."""


class ForbiddenError(ApiError):
    """The merchant may not make this call: it is disabled, calls from another address, or lacks the product or
    currency."""


class NotFoundError(ApiError):
    """The game, transaction, round or path does not exist."""


class InvalidRequestError(ApiError):
    """The request itself is wrong. `faults` names each field of a VALIDATION_ERROR."""

    @property
    def faults(self) -> list[Fault]:
        rows = self.details if isinstance(self.details, list) else []
        return [Fault(row["field"], row["rule"], row["message"]) for row in rows]


@dataclass(frozen=True)
class Fault:
    """One wrong field."""

    field: str
    rule: str
    message: str


class ConflictError(ApiError):
    """The present state does not allow the call.

    An ambiguous game, a provider that opens no games, no walletUrl, a transaction that cannot be resent.
    """


class LaunchFailedError(ApiError):
    """The provider did not open the game."""


class RateLimitedError(ApiError):
    """Too many calls. The service did nothing; call again after `retry_after` seconds."""


class UnavailableError(ApiError):
    """The service cannot work now, or has a fault. The same call may succeed later."""


BY_KIND: dict[str, type[ApiError]] = {
    "authentication": AuthenticationError,
    "permission": ForbiddenError,
    "not_found": NotFoundError,
    "validation": InvalidRequestError,
    "conflict": ConflictError,
    "launch": LaunchFailedError,
    "rate_limited": RateLimitedError,
    "unavailable": UnavailableError,
}

BY_CODE: dict[str, type[ApiError]] = {code: BY_KIND[kind] for code, kind in ERROR_KINDS.items()}
"""The class of each code. A code that is not in it becomes a plain ApiError."""


def api_error(status: int, error: Mapping[str, Any], retry_after: float | None) -> ApiError:
    return BY_CODE.get(str(error.get("code")), ApiError)(status, error, retry_after)
