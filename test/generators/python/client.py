"""Walks through a listing or the feed with the client that openapi-python-client generated as the package `api`."""

import hashlib
import hmac
import json
import os
import secrets
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime

import httpx
from api import Client
from api.api.transactions import list_transactions
from api.models.failure import Failure
from api.models.transaction import Transaction
from api.models.transaction_page import TransactionPage
from api.types import UNSET

LIMIT = int(os.environ["LIMIT"])


def sign(request: httpx.Request) -> None:
    """Signs a request just before it is sent."""
    url = request.url.raw_path.decode()
    target = url[url.index("/v1"):]
    timestamp, nonce = str(time.time_ns() // 1_000_000), secrets.token_hex(16)
    text = f"{timestamp}.{nonce}.{request.method}.{target}.".encode() + request.read()
    request.headers["X-Merchant-Id"] = os.environ["MERCHANT"]
    request.headers["X-Timestamp"] = timestamp
    request.headers["X-Nonce"] = nonce
    request.headers["X-Signature"] = hmac.new(os.environ["SECRET"].encode(), text, hashlib.sha256).hexdigest()


client = Client(base_url=os.environ["BASE_URL"], httpx_args={"event_hooks": {"request": [sign]}})


def page(cursor: str | None, since: datetime | None) -> TransactionPage:
    reply = list_transactions.sync(
        client=client,
        limit=LIMIT,
        cursor=UNSET if cursor is None else cursor,
        updated_since=UNSET if since is None else since,
    )
    if reply is None or isinstance(reply, Failure):
        raise SystemExit(f"no page: {reply}")
    return reply.data


def listing() -> Iterator[Transaction]:
    cursor = None
    while True:
        found = page(cursor, None)
        yield from found.items
        cursor = found.next_cursor
        if cursor is None:
            return


def feed() -> Iterator[Transaction]:
    cursor = None
    while True:
        found = page(cursor, datetime(2026, 1, 1, tzinfo=UTC))
        yield from found.items
        if found.next_cursor == cursor:
            return
        cursor = found.next_cursor


for row in feed() if sys.argv[1] == "feed" else listing():
    fields = {"tx_id": row.tx_id, "action": row.action, "status": row.status, "amount": f"{row.amount:.2f}"}
    print(json.dumps(fields))
