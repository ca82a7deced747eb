from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amb_core.models import BankSnapshot, InsightDoc

HERE = Path(__file__).parent
SAMPLES: dict[str, Any] = runpy.run_path(str(HERE / "sample_banks.py"))
GENERATED: dict[str, Any] = runpy.run_path(str(HERE / "generated_banks.py"))


@pytest.fixture(scope="session")
def depot() -> BankSnapshot:
    """An English task with contradictions of every status, a merge, a repeat, a failed and a forgotten entry."""
    snapshot: BankSnapshot = SAMPLES["story"]("depot_battery")
    return snapshot


@pytest.fixture(scope="session")
def bridge() -> BankSnapshot:
    """A Chinese task with a merge and a contradiction that is being verified; one entry holds an emoji."""
    snapshot: BankSnapshot = SAMPLES["story"]("cloud_bridge_zh")
    return snapshot


@pytest.fixture(scope="session")
def large() -> BankSnapshot:
    """1,000 nodes, 60 turns."""
    snapshot: BankSnapshot = SAMPLES["told"](GENERATED["large_tale"]())
    return snapshot


@pytest.fixture(scope="session")
def hostile() -> BankSnapshot:
    """A bank in which every text, ids included, is an attack on the page."""
    snapshot: BankSnapshot = SAMPLES["told"](GENERATED["hostile_tale"]())
    return snapshot


@pytest.fixture
def told() -> Callable[[dict[str, Any]], BankSnapshot]:
    """Turns a tale (see sample_banks.py) into a bank."""
    teller: Callable[[dict[str, Any]], BankSnapshot] = SAMPLES["told"]
    return teller


@pytest.fixture(scope="session")
def empty() -> BankSnapshot:
    """A bank that has only a goal."""
    return BankSnapshot(insight=InsightDoc(doc_id="d1", task_goal="Nothing yet"))
