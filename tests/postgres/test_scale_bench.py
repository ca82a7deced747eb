"""`amb bench scale` measures banks, tenants and peers, and a run that was killed goes on with what it has."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

pytest.importorskip("amb_bench", reason="needs the benches, which are for a checkout only")


@pytest.fixture
def keep(folders: Path) -> Path:
    """Where a run keeps what it has; its server has to reach it."""
    return Path(tempfile.mkdtemp(dir=folders))


def command(keep: Path, *said: str) -> list[str]:
    return [sys.executable, "-m", "amb_cli", "bench", "scale", "--keep", str(keep), *said]


def own_server() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "AMB_POSTGRES_URL"}


def tables_of(keep: Path, *said: str) -> list[list[dict[str, object]]]:
    file = keep / "figures.json"
    subprocess.run(command(keep, *said, "--json", str(file)), check=True, env=own_server(), stdout=subprocess.DEVNULL)
    return [table["rows"] for table in json.loads(file.read_text(encoding="utf-8"))["tables"]]


@pytest.mark.slow
def test_a_run_that_was_killed_goes_on_and_leaves_no_server(keep: Path) -> None:
    said = ("--only", "large", "--notes", "8")
    with subprocess.Popen(command(keep, *said), env=own_server(), stdout=subprocess.DEVNULL) as killed:
        figure = keep / "figures" / "large-200-PostgreSQL.json"
        while not figure.exists():
            assert killed.poll() is None
            time.sleep(0.05)
        killed.send_signal(signal.SIGKILL)
    before = figure.read_bytes()
    [rows] = tables_of(keep, *said)
    assert figure.read_bytes() == before
    assert [row["store"] for row in rows] == ["PostgreSQL", "SQLite"]
    assert not (keep / "server" / "data" / "postmaster.pid").exists()


@pytest.mark.slow
@pytest.mark.nightly
def test_many_banks_and_one_large_memory_are_filled_and_asked_by_one_four_and_eight(keep: Path) -> None:
    [many] = tables_of(keep, "--only", "many", "--notes", "8", "--tenants", "3")
    assert [(row["store"], row["processes"]) for row in many] == [
        (store, processes) for store in ("PostgreSQL", "SQLite") for processes in (1, 4, 8)
    ]
    assert {row["found"] for row in many} == {"100%"}
    [million] = tables_of(keep, "--only", "million", "--notes", "1200")
    assert [row["processes"] for row in million] == ["1", "4", "8"]
    [writes] = tables_of(keep, "--only", "writes", "--notes", "3000")
    assert [row["notes"] for row in writes] == [size for size in ("3", "300", "3000") for _ in range(3)]
    assert {row["repeats known"] for row in writes} == {"100%"}
