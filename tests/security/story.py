"""A bank with a contradiction that is being verified, hostile text planted in it, and what must not change by that."""

from __future__ import annotations

import hashlib
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from amb_core import ManualClock, MemoryBank, Settings, ToolResult
from amb_core.models import BankSnapshot, PendingTask

HERE = Path(__file__).parent
ATTACKS: list[tuple[str, str, str, str]] = [
    attack for name in ("attacks_en", "attacks_zh") for attack in runpy.run_path(str(HERE / f"{name}.py"))["ATTACKS"]
]
EACH = 8
"""Of so many attacks one is for the quick tests."""
CASES = [
    pytest.param(
        "zh" if name.startswith("zh-") else "en", text, id=name, marks=[pytest.mark.slow] if number % EACH else []
    )
    for number, (name, _, _, text) in enumerate(ATTACKS)
]
BY_DAY = [
    pytest.param(*case.values, id=case.id, marks=[*case.marks, pytest.mark.nightly] if number % 2 else case.marks)
    for number, case in enumerate(CASES)
]
"""All attacks, every second for the night, where the ways in are many; `CASES` has all of them met by day."""
GOALS = {"en": "What is the capacity of the Harbour Point battery?", "zh": "青屿海水淡化厂的日产水量是多少？"}
KNOWN = {
    "en": (
        "The Harbour Point battery has a usable capacity of 18 MWh. Norrvolt AB supplied the cells in 48 containers.",
        "Gulls are the loudest thing on the quay. The Harbour Point battery has a usable capacity of 12 MWh.",
    ),
    "zh": (
        "青屿海水淡化厂的日产水量为8万吨。工厂采用反渗透工艺。",
        "清晨五点，值班长看了一圈仪表。青屿海水淡化厂的日产水量为5万吨。",
    ),
}
FRAME = {
    "en": ("The lighthouse keeper reads the barometer twice a day.", "The tide table hangs beside the door."),
    "zh": ("灯塔看守人每天两次读取气压计。", "潮汐表挂在门边。"),
}


def begun(language: str, **settings: Any) -> MemoryBank:
    """A bank whose two sources contradict each other; verifying that is the pending step."""
    bank = MemoryBank(
        GOALS[language], clock=ManualClock(1_700_000_000, step=1), settings=Settings(disputes="verify", **settings)
    )
    for name, text in zip("ab", KNOWN[language], strict=True):
        bank.absorb(ToolResult(tool="read", output=text, source=name))
    bank.plan()
    return bank


def framed(text: str, language: str) -> str:
    """The hostile text amid ordinary sentences."""
    before, after = FRAME[language]
    return f"{before}\n{text}\n{after}"


def planted(bank: MemoryBank, text: str, language: str) -> list[str]:
    """Take the text in as an output, and as everything a result can be marked with; returns the ids of the entries."""
    marked = ToolResult(
        tool=text[:200],
        output=FRAME[language][1] + FRAME[language][0],
        source=text,
        agent=text,
        run=text,
        call_id=text,
        arguments={text: text, "list": [text, {text: None}]},
    )
    reports = [
        bank.absorb(ToolResult(tool="read", output=framed(text, language), source="c", call_id="hostile")),
        bank.absorb(marked),
    ]
    return [entry_id for report in reports for entry_id in report.entry_ids]


def knowledge(bank: MemoryBank, *, of: list[str] | None = None) -> dict[str, Any]:
    """What hostile text must leave as it is: what notes say and stand on, conflicts, merges, and the plan."""
    pending: PendingTask | None = bank.insight.pending
    return {
        "notes": {
            node.id: (node.summary, node.context, node.sources, node.refuted, node.stale, node.embedding)
            for node in bank.nodes
            if of is None or node.id in of
        },
        "conflicts": bank.conflicts,
        "merges": bank.merges,
        "plan": pending,
        "done": bank.insight.completed_tasks,
    }


def everything(bank: MemoryBank) -> dict[str, Any]:
    """The state of a bank but for tombstones, and the counters that keep ids from being used twice."""
    data = bank.snapshot().model_dump(mode="json")
    gone = {entry["entry_id"] for entry in data["entries"] if entry["forgotten"]}
    data["entries"] = [entry for entry in data["entries"] if entry["entry_id"] not in gone]
    data["digestions"] = [digestion for digestion in data["digestions"] if digestion["entry_id"] not in gone]
    return {name: value for name, value in data.items() if name != "counters"}


def contents(snapshot: BankSnapshot) -> dict[str, Any]:
    """A snapshot as data; the links of a note are a set, whatever order they were drawn in."""
    data = snapshot.model_dump(mode="json")
    for node in data["nodes"]:
        node["links"].sort()
    return data


def folder_digest(folder: Path) -> str:
    """One fingerprint of every name and byte in a folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        digest.update(f"{path.relative_to(folder)}\0".encode("utf-8", "surrogateescape"))
        digest.update(path.read_bytes() if path.is_file() else b"folder")
    return digest.hexdigest()


def pages_of(bank: MemoryBank, node_id: str, *, budget_tokens: int = 300) -> Iterator[str]:
    """Every page `deep_retrieval` shows of a note."""
    page = 0
    while True:
        text = bank.open(node_id, budget_tokens=budget_tokens, page=page)
        yield text
        page += 1
        if not text.endswith(f"(more: page={page})"):
            return
