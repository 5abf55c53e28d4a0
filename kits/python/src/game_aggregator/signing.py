"""Signs calls to the service, and checks the callbacks that the service signed."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets as random
import time
from collections.abc import Iterable, Mapping

Headers = Mapping[str, str] | Iterable[tuple[str, str]]
"""Header fields of a request. Names may be in any case."""

WINDOW_MS = 300_000
"""The largest difference between a timestamp and the clock, in both directions."""

_TIMESTAMP = re.compile(r"[0-9]{13}")
_NONCE = re.compile(r"[A-Za-z0-9_-]{16,64}")
_SIGNATURE = re.compile(r"[0-9a-f]{64}")

_TIMESTAMP_HEADER = "x-timestamp"
_NONCE_HEADER = "x-nonce"
_SIGNATURE_HEADERS = ("x-signature", "x-signature-next")


def signature(secret: str, timestamp: str, nonce: str, method: str, target: str, body: bytes) -> str:
    """The signature of one request: 64 lowercase hex digits.

    `target`: path and query exactly as on the request line. `body`: the bytes that are sent.
    """
    head = f"{timestamp}.{nonce}.{method}.{target}.".encode()
    return hmac.new(secret.encode(), head + body, hashlib.sha256).hexdigest()


def sign(
    secret: str, method: str, target: str, body: bytes = b"", *, timestamp: str | None = None, nonce: str | None = None
) -> dict[str, str]:
    """The headers X-Timestamp, X-Nonce and X-Signature of a new request.

    Every call needs a new nonce. If you leave `timestamp` (13 digits, milliseconds since 1970) and `nonce` out, new
    values are made.
    """
    timestamp = str(now_ms()) if timestamp is None else timestamp
    nonce = random.token_hex(16) if nonce is None else nonce
    signed = signature(secret, timestamp, nonce, method, target, body)
    return {"X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature": signed}


def verify(
    secrets: Iterable[str], headers: Headers, method: str, target: str, body: bytes, *, now: int | None = None
) -> bool:
    """Whether a callback is genuine: see `fault`."""
    return fault(secrets, headers, method, target, body, now=now) is None


def fault(
    secrets: Iterable[str], headers: Headers, method: str, target: str, body: bytes, *, now: int | None = None
) -> str | None:
    """The reason why a callback is not genuine, as text for a log; None when it is genuine.

    A callback is genuine when X-Signature or X-Signature-Next was made with any of `secrets`. During a change of the
    secret, the service signs with the old and the new secret, and `secrets` has both. `body`: the raw bytes, before any
    parser. `now`: milliseconds since 1970.
    """
    fields = once(headers)
    timestamp, nonce = fields.get(_TIMESTAMP_HEADER, ""), fields.get(_NONCE_HEADER, "")
    if not _TIMESTAMP.fullmatch(timestamp):
        return "X-Timestamp is absent, repeated or not 13 digits"
    off = (now_ms() if now is None else now) - int(timestamp)
    if abs(off) > WINDOW_MS:
        return f"X-Timestamp is {off} ms from the clock: check that this server's clock is right"
    if not _NONCE.fullmatch(nonce):
        return "X-Nonce is absent, repeated or not 16 to 64 of A-Z a-z 0-9 _ -"
    given = [value for value in (fields.get(name, "") for name in _SIGNATURE_HEADERS) if _SIGNATURE.fullmatch(value)]
    if not given:
        return "X-Signature is absent, repeated or not 64 lowercase hex digits"
    is_genuine = False
    for secret in secrets:
        # Anybody can sign with an empty secret. A secret that is not configured must therefore match nothing.
        if not secret:
            continue
        expected = signature(secret, timestamp, nonce, method, target, body)
        for value in given:
            # Every pair is compared, so that the time does not show which pair matched.
            is_genuine |= hmac.compare_digest(expected, value)
    return None if is_genuine else "no secret gives this signature: check the secret, the target and the raw body"


def once(headers: Headers) -> dict[str, str]:
    """The header fields that occur exactly once, by their names in lower case."""
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    fields: dict[str, str] = {}
    repeated: set[str] = set()
    for name, value in pairs:
        key = name.lower()
        if key in fields:
            repeated.add(key)
        fields[key] = value
    return {key: value for key, value in fields.items() if key not in repeated}


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000
