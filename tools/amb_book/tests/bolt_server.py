"""A server that speaks Neo4j's Bolt and Cypher, on this machine and for as long as a test runs.

It is ArcadeDB from the package `arcadedb-embedded`, which brings its own Java: compatible with Neo4j 5, not Neo4j
itself.
"""

from __future__ import annotations

import importlib.util
import secrets
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from amb_core.errors import StoreError

__all__ = ["BoltServer", "bolt_server", "can_serve_bolt"]

_DATABASE = "story"
_PATIENCE = 60.0


def can_serve_bolt() -> bool:
    """Whether the server is installed."""
    return importlib.util.find_spec("arcadedb_embedded") is not None


class BoltServer:
    """A server with its files in `folder`, on free ports of 127.0.0.1 that stay its own when it is started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        password = secrets.token_urlsafe(12)
        http, bolt = _free_ports(2)
        self.url = f"bolt://root:{password}@127.0.0.1:{bolt}/{_DATABASE}"
        arguments = folder / "arguments"
        arguments.touch(mode=0o600)  # the password stands in it, and not on the command line
        arguments.write_text("\n".join(_arguments(folder, password=password, http=http, bolt=bolt)))
        for name in ("databases", "config", "log"):
            (folder / name).mkdir()

    def start(self) -> None:
        """Start it on what its folder holds; StoreError when it does not come up."""
        output = self._folder / "log" / "output"
        java = _package() / "jre" / "bin" / "java"
        with output.open("wb") as said:
            self._process = subprocess.Popen(
                [java, f"@{self._folder / 'arguments'}"], cwd=self._folder, stdout=said, stderr=said
            )
        _wait_for(self._process, output)

    def stop(self) -> None:
        """End it in good order."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@contextmanager
def bolt_server(folder: Path) -> Iterator[str]:
    """Start a server with its files in `folder`; yields the URL with user and password.

    Raises StoreError when it does not come up; it is ended with the block, and nothing else is.
    """
    server = BoltServer(folder)
    try:
        server.start()
        yield server.url
    finally:
        server.stop()


def _package() -> Path:
    spec = importlib.util.find_spec("arcadedb_embedded")
    if spec is None or spec.origin is None:
        raise StoreError('there is no server to start; run: pip install "arcadedb-embedded>=26.10"')
    return Path(spec.origin).parent


def _arguments(folder: Path, *, password: str, http: int, bolt: int) -> list[str]:
    settings = {
        "arcadedb.server.rootPath": folder,
        "arcadedb.server.databaseDirectory": folder / "databases",
        "arcadedb.server.rootPassword": password,
        "arcadedb.server.httpIncomingHost": "127.0.0.1",
        "arcadedb.server.httpIncomingPort": http,
        "arcadedb.server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        "arcadedb.bolt.host": "127.0.0.1",
        "arcadedb.bolt.port": bolt,
        "arcadedb.server.defaultDatabases": f"{_DATABASE}[root]",
    }
    return [
        "-Xmx1g",
        "-cp",
        f'"{_package() / "jars"}/*"',
        "--add-modules",
        "jdk.incubator.vector",
        "--enable-native-access=ALL-UNNAMED",
        *(f'"-D{name}={value}"' for name, value in settings.items()),
        "com.arcadedb.server.ArcadeDBServer",
    ]


def _free_ports(count: int) -> list[int]:
    taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in taken]
    for each in taken:
        each.close()
    return ports


def _wait_for(server: subprocess.Popen[bytes], output: Path) -> None:
    # Its port is open before its database is there.
    deadline = time.monotonic() + _PATIENCE
    while "Server started" not in (said := output.read_text(errors="replace")):
        if server.poll() is not None or time.monotonic() > deadline:
            raise StoreError(f"the Bolt server did not come up; its last words: {said[-500:]}")
        time.sleep(0.1)
