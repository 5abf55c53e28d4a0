"""Signs every call of schemathesis, and judges the refusals of calls that the description allows."""

import hashlib
import hmac
import ipaddress
import os
import secrets
import time
import zoneinfo
from collections.abc import Mapping
from typing import Any

import requests
import schemathesis


class Signature(requests.auth.AuthBase):
    """Signs the request as it will be sent."""

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        body = request.body or b""
        body = body.encode() if isinstance(body, str) else body
        target = request.path_url
        timestamp, nonce = str(time.time_ns() // 1_000_000), secrets.token_hex(16)
        text = f"{timestamp}.{nonce}.{request.method}.{target}.".encode() + body
        request.headers["X-Merchant-Id"] = os.environ["MERCHANT"]
        request.headers["X-Timestamp"] = timestamp
        request.headers["X-Nonce"] = nonce
        request.headers["X-Signature"] = hmac.new(os.environ["SECRET"].encode(), text, hashlib.sha256).hexdigest()
        return request


schemathesis.auth.set_from_requests(Signature())

ZONES = {name.lower() for name in zoneinfo.available_timezones()}

# Rules between parameters. No schema of OpenAPI 3.0 can express them.
BETWEEN_PARAMETERS = (
    "not with ",
    "asc with updated_since",
    "not before from",
    "at most ",
    "as in the ",
)


def is_beyond_schemas(field: str, rule: str, value: Any) -> bool:
    """Whether a refusal has a reason that the description gives only in words, and the reason is
    true."""
    if rule.startswith(BETWEEN_PARAMETERS):
        return True
    if field == "cursor":
        return rule.startswith("a next_cursor of ")
    if rule == "1..128 bytes":
        return len(str(value).encode()) > 128
    if field == "tz":
        return str(value).lower() not in ZONES
    if field == "player_ip":
        return not is_address(str(value))
    if field == "display_name":
        return str(value).strip() == ""
    # The form is compared with the server's in test/adapters/rest/requests/forms.test.ts.
    return field in ("lobby_url", "deposit_url", "history_url")


def is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


@schemathesis.check
def refuses_described_calls_with_reason(ctx: Any, response: Any, case: Any) -> None:
    """A call that fits the schemas may be refused as invalid only because of a rule that no schema
    can express."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code not in (400, 422):
        return
    error = response.json()["error"]
    if error["code"] == "PROVIDER_NOT_SUPPORTED":
        return
    if error["code"] == "BAD_REQUEST" and {".", ".."} & {str(value) for value in (case.path_parameters or {}).values()}:
        return
    assert error["code"] == "VALIDATION_ERROR", f"a described call is {error['code']}: {error.get('details')}"
    sent: dict[str, Any] = dict(case.query or {})
    if isinstance(case.body, Mapping):
        sent |= case.body
    for fault in error["details"]:
        field, rule = fault["field"], fault["rule"]
        assert is_beyond_schemas(field, rule, sent.get(field)), f"{field}={sent.get(field)!r} is refused: {rule}"
