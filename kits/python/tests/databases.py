"""Temporary database servers on sockets in a temporary folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_READY_WITHIN_S = 60


@contextmanager
def mariadb() -> Iterator[str]:
    """Starts a MariaDB. Yields its socket; `root` needs no password."""
    # The path of a socket may have at most 107 characters. A path in a long temporary folder would
    # be longer.
    with tempfile.TemporaryDirectory(prefix="maria") as folder:
        data, socket = f"{folder}/data", f"{folder}/s"
        user = ["--user=root"] if os.getuid() == 0 else []
        environment = {**os.environ, "TMPDIR": folder}
        install = ["mariadb-install-db", "--no-defaults", f"--datadir={data}", *user]
        quiet = ["--auth-root-authentication-method=normal", "--skip-test-db"]
        subprocess.run([*install, *quiet], check=True, capture_output=True, env=environment)
        options = ["--no-defaults", f"--datadir={data}", f"--socket={socket}", "--skip-networking", *user]
        with _running(["mariadbd", *options, "--innodb-flush-log-at-trx-commit=0"], environment):
            _until(lambda: Path(socket).exists())
            yield socket


@contextmanager
def postgresql() -> Iterator[str]:
    """Starts a PostgreSQL. Yields a connection string."""
    programs = postgresql_programs()
    assert programs is not None
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        as_user: list[str] = []
        if os.getuid() == 0:
            # PostgreSQL refuses to run as root.
            as_user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
            shutil.chown(folder, "nobody", "nogroup")
        data = f"{folder}/data"
        init = [f"{programs}/initdb", "-D", data, "-U", "wallet", "-A", "trust", "-E", "UTF8", "--no-locale"]
        subprocess.run([*as_user, *init], check=True, capture_output=True, cwd=folder)
        options = ["-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"]
        with _running([*as_user, f"{programs}/postgres", *options], dict(os.environ), folder):
            url = f"host={folder} user=wallet dbname=postgres"
            _until(lambda: _can_connect(url))
            yield url


def postgresql_programs() -> str | None:
    """The folder of initdb and postgres; None when they are not installed."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((str(folder) for folder in folders if (folder / "initdb").exists()), None)


def _can_connect(url: str) -> bool:
    import psycopg

    try:
        psycopg.connect(url).close()
        return True
    except psycopg.OperationalError:
        return False


@contextmanager
def _running(command: list[str], environment: dict[str, str], cwd: str | None = None) -> Iterator[None]:
    server = subprocess.Popen(command, env=environment, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        server.kill()
        server.wait()


def _until(is_ready: Callable[[], bool]) -> None:
    end = time.monotonic() + _READY_WITHIN_S
    while not is_ready():
        assert time.monotonic() < end, "the database server did not start"
        time.sleep(0.05)
