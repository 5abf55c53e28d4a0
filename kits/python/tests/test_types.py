"""A type checker's findings in code that uses the kit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")

USE = """
from decimal import Decimal

from game_aggregator import Client

client = Client("https://api.example", "shop", "sk")
for one in client.transactions(status="success", limit=7):
    amount: Decimal = one.amount
"""


def mypy(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


def test_the_package_passes_in_strict_mode(tmp_path: Path) -> None:
    checked = mypy(tmp_path, "-p", "game_aggregator")
    assert checked.returncode == 0, checked.stdout


def test_a_user_gets_types_and_hears_of_mistakes(tmp_path: Path) -> None:
    file = tmp_path / "use.py"
    file.write_text(USE)
    checked = mypy(tmp_path, str(file))
    assert checked.returncode == 0, checked.stdout
    wrong = USE.replace('"success"', '"done"').replace("limit", "limits").replace("Decimal = ", "float = ")
    file.write_text(wrong)
    mistakes = mypy(tmp_path, str(file))
    for named in ('"status"', '"limits"', '"float"'):
        assert named in mistakes.stdout, mistakes.stdout
