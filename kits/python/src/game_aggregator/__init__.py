"""Merchant kit of the game aggregator: signing, a client of the signed API, and a wallet.

The wallet is in game_aggregator.wallet, its adapters in game_aggregator.asgi and game_aggregator.wsgi.
"""

from .client import Client
from .errors import (
    AggregatorError,
    ApiError,
    AuthenticationError,
    ConflictError,
    ConnectionFailedError,
    ForbiddenError,
    InvalidRequestError,
    LaunchFailedError,
    NotFoundError,
    RateLimitedError,
    UnavailableError,
    UnreadableReplyError,
)
from .signing import sign, verify
from .transport import RetryPolicy

__all__ = [
    "AggregatorError",
    "ApiError",
    "AuthenticationError",
    "Client",
    "ConflictError",
    "ConnectionFailedError",
    "ForbiddenError",
    "InvalidRequestError",
    "LaunchFailedError",
    "NotFoundError",
    "RateLimitedError",
    "RetryPolicy",
    "UnavailableError",
    "UnreadableReplyError",
    "sign",
    "verify",
]
