"""`python client.py transactions`, `feed`, `error`, `operations`, `rounds` or `launches`. README.md names the environment variables."""

import json
import os
import sys
import time
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

from game_aggregator import AggregatorError, ApiError, Client

LIMIT = int(os.environ.get("LIMIT", "100"))


def transactions(client: Client) -> Iterator[dict[str, str]]:
    """The whole listing, page by page."""
    for one in client.transactions(limit=LIMIT):
        yield {"tx_id": one.tx_id, "action": one.action, "status": one.status, "amount": f"{one.amount:.2f}"}


def feed(client: Client) -> Iterator[dict[str, str]]:
    """The changes after the stored cursor. A page's cursor is stored after its rows are printed."""
    file = Path(os.environ["CURSOR_FILE"])
    stored = file.read_text() if file.exists() else None
    for page in client.changes(cursor=stored or None, limit=LIMIT):
        for one in page.items:
            yield {"cursor": page.cursor, "tx_id": one.tx_id, "status": one.status}
        store(file, page.cursor)
        if not page.items:
            return


def store(file: Path, cursor: str) -> None:
    """If the program is killed here, the file has either the old cursor or the new one."""
    new = file.with_suffix(".new")
    new.write_text(cursor)
    new.replace(file)


def error(client: Client) -> Iterator[dict[str, str | None]]:
    try:
        client.transaction("NOBODY:nothing")
    except ApiError as refusal:
        yield {"type": type(refusal).__name__, "code": refusal.code, "request_id": refusal.request_id}


def operations(client: Client) -> Iterator[dict[str, str]]:
    """Makes every other operation once."""
    player, provider, game, tx_id, round_id, day = (
        os.environ[name] for name in ("PLAYER", "PROVIDER", "GAME", "TX_ID", "ROUND_ID", "DAY")
    )
    yield operation("merchant", client.merchant().currency)
    yield operation("launch", client.launch(player, game).provider)
    yield operation("games", ",".join(one.code for one in client.games(limit=1)))
    yield operation("game", client.game(provider, game).name)
    yield operation("providers", ",".join(one.code for one in client.providers(limit=1)))
    yield operation("transaction", client.transaction(tx_id).tx_id)
    yield operation("round", two_decimals(client.round(provider, round_id).sums.bets))
    try:
        client.resend(tx_id)
    except ApiError as refusal:
        yield operation("resend", refusal.code)
    report = client.ggr_report(date.fromisoformat(day), date.fromisoformat(day))
    yield operation("report", two_decimals(report.totals.ggr))


def rounds(client: Client) -> Iterator[dict[str, str]]:
    """The rounds that have ended, as their pages say, and the kinds of money of a day."""
    for one in client.rounds(state="ended", limit=1):
        yield {"round_id": one.round_id, "state": client.round(one.provider, one.round_id).state or ""}
    day = date.fromisoformat(os.environ["DAY"])
    for part in client.ggr_report(day, day).totals.of_which:
        yield {"kind": f"{part.action} {part.kind}", "amount": two_decimals(part.amount)}


def launches(client: Client) -> Iterator[dict[str, str]]:
    """Launches the game for each player, with a pause after each launch."""
    for player in os.environ["PLAYER"].split(","):
        try:
            yield {"player": player, "launch_url": client.launch(player, os.environ["GAME"]).launch_url}
        except AggregatorError as cause:
            yield {"player": player, "error": f"{type(cause).__name__}: {cause}"}
        time.sleep(int(os.environ.get("PAUSE_MS", "0")) / 1000)


def operation(name: str, value: str) -> dict[str, str]:
    return {"operation": name, "value": value}


def two_decimals(amount: Decimal) -> str:
    return f"{amount:.2f}"


if __name__ == "__main__":
    programs = {one.__name__: one for one in (transactions, feed, error, operations, rounds, launches)}
    program = programs[sys.argv[1]]
    timeout_s = int(os.environ.get("TIMEOUT_MS", "15000")) / 1000
    with Client(os.environ["BASE_URL"], os.environ["MERCHANT"], os.environ["SECRET"], timeout_s=timeout_s) as client:
        for row in program(client):
            print(json.dumps(row), flush=True)
