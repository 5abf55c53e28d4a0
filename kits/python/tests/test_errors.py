from __future__ import annotations

import re
from pathlib import Path

from game_aggregator import ApiError, NotFoundError
from game_aggregator.errors import BY_CODE, LaunchFailedError, RateLimitedError, UnavailableError, api_error

PAGE = (Path(__file__).parents[3] / "docs/specification/errors.md").read_text(encoding="utf-8")


def test_every_code_that_a_merchant_meets_has_a_type() -> None:
    rows = re.findall(r"^\| ([A-Z_]+) \| \d+ \| [A-Z_]+ \| (never|same_request) \| ([^|]+) \|", PAGE, re.MULTILINE)
    assert len(rows) > 30
    met = {code: retry for code, retry, met_by in rows if "merchants" in met_by}
    assert set(met) == set(BY_CODE)
    for code, retry in met.items():
        is_for_later = issubclass(BY_CODE[code], (LaunchFailedError, RateLimitedError, UnavailableError))
        assert is_for_later is (retry == "same_request"), code


def test_a_code_of_a_later_version_is_an_api_error() -> None:
    error = api_error(409, {"code": "NEW_CODE", "message": "...", "request_id": "r"}, None)
    assert type(error) is ApiError
    assert (error.code, error.status, error.request_id) == ("NEW_CODE", 409, "r")


def test_an_error_tells_what_support_needs() -> None:
    error = api_error(404, {"code": "GAME_NOT_FOUND", "message": "Jogo.", "request_id": "5b1c"}, None)
    assert isinstance(error, NotFoundError)
    assert "GAME_NOT_FOUND" in str(error) and "5b1c" in str(error)
