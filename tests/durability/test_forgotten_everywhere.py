"""A forgotten text is in no file and nowhere in memory, however it had come in and whatever had become of it."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from types import ModuleType

import pytest

from amb_agents import local_agents
from amb_core import ManualClock, MemoryBank, Settings, ToolResult
from amb_core.agent_io import StructureAnswer, StructureRequest
from amb_core.attachments import Attachment, AttachmentType
from amb_core.models import StepResult

TEXTS = {
    "en": (
        "The Harbour Point battery has a usable capacity of 18 MWh. Norrvolt AB supplied the cells in 48 containers.",
        "Quillwort gulls are loud. The Harbour Point battery has a usable capacity of 12 MWh.",
        "The register was checked on site. The Harbour Point battery has a usable capacity of 18 MWh.",
        "The register was checked by Quillwort AB. The Harbour Point battery has a usable capacity of 18 MWh.",
    ),
    "zh": (
        "青屿海水淡化厂的日产水量为8万吨。工厂采用反渗透工艺。",
        "清晨五点，龘鼍值班长看了一圈仪表。青屿海水淡化厂的日产水量为5万吨。",
        "登记表按照现场核验结果填写。青屿海水淡化厂的日产水量为8万吨。",
        "登记表由龘鼍公司现场核验。青屿海水淡化厂的日产水量为8万吨。",
    ),
}
KEPT = Settings(index_file_from=1, disputes="verify")
NEEDLES = ("quillwort", "12 mwh", "龘鼍", "5万吨")


class Case:
    """A bank of one's own on disk; `secret` is the text to be forgotten."""

    def __init__(self, folder: Path, scheme: str, language: str) -> None:
        self.folder, self.url = folder / "memory", f"{scheme}:///{folder / 'memory' / 'bank'}"
        self.folder.mkdir()
        self.given = folder / "given"
        self.first, self.secret, self.third, self.proof = TEXTS[language]
        clock = ManualClock(1_700_000_000, step=1)
        self.bank = MemoryBank("What is known of it?", store=self.url, clock=clock, settings=KEPT)

    def absorb(self, text: str, source: str, **fields: object) -> str:
        return self.bank.absorb(ToolResult(tool="read", output=text, source=source, **fields)).entry_ids[0]

    def injected(self) -> None:
        for node in self.bank.nodes:
            self.bank.open(node.id, budget_tokens=20)
        for query in (None, self.secret):
            self.bank.host.log_injection(self.bank.host.enhance(query=query), prompt_tokens=1, raw_tokens=1)

    def attached(self) -> Attachment:
        self.given.write_text(self.secret, encoding="utf-8")
        return Attachment(id="f", type=AttachmentType.DOCUMENT, content=str(self.given))


def plain(case: Case) -> str:
    case.absorb(case.first, "a")
    return case.absorb(case.secret, f"page of {case.secret}", call_id="call-1", arguments={"of": case.secret})


def in_a_conflict(case: Case) -> str:
    entry_id = plain(case)
    assert case.bank.plan().pending is not None
    assert case.bank.conflicts
    return entry_id


def merged(case: Case) -> str:
    entry_id = in_a_conflict(case)
    case.injected()
    case.absorb(case.third, "c")
    assert case.bank.merges
    return entry_id


def in_a_merge_that_was_undone(case: Case) -> str:
    entry_id = merged(case)
    case.bank.host.undo_merge("m1")
    return entry_id


def as_evidence(case: Case) -> str:
    case.absorb(case.first, "a")
    other = case.absorb(case.secret, "b")
    case.bank.plan()
    entry_id = case.absorb(case.proof, "c")
    assert case.bank.merges
    case.bank.forget(other)
    return entry_id


def attached(case: Case) -> str:
    case.absorb(case.first, "a")
    case.bank.attach(case.attached().content, type="document")
    case.bank.plan()
    case.bank.host.begin_step()
    case.bank.host.finish_step(StepResult(text=case.secret))
    case.absorb(case.third, "c")
    return next(entry.entry_id for entry in case.bank.snapshot().entries if entry.attachments)


def of_a_tool_with_a_file(case: Case) -> str:
    return case.absorb(case.secret, "b", attachments=(case.attached(),))


def said_twice(case: Case) -> str:
    original = plain(case)
    repeat = case.absorb(case.secret, "c")
    assert case.bank.snapshot().digestions[-1].repeat_of == original
    case.bank.forget(repeat)
    assert case.bank.snapshot().entries[1].text == case.secret
    return original


def exported_and_loaded(case: Case) -> str:
    entry_id = merged(case)
    export = case.bank.export(case.folder / "export.json")
    case.bank.delete()
    case.bank = MemoryBank.load(export, store=case.url, settings=KEPT)
    export.unlink()
    return entry_id


def resumed(case: Case) -> str:
    entry_id = merged(case)
    case.bank.close(keep=True)
    case.bank = MemoryBank.resume(case.url, settings=KEPT)
    return entry_id


def of_a_step(case: Case) -> str:
    entry_id = merged(case)
    case.bank.host.begin_step()
    case.bank.host.finish_step(StepResult(text=f"Found: {case.secret}"))
    for entry in case.bank.snapshot().entries[3:]:
        case.bank.forget(entry.entry_id)
    return entry_id


def in_an_earlier_question(case: Case) -> str:
    entry_id = in_a_conflict(case)
    case.bank.host.change_goal("Who works there?" if case.first.isascii() else "谁在那里工作？")
    assert holds(str(case.bank.insight.earlier))
    return entry_id


SITUATIONS = (
    *(merged, attached, resumed, plain, in_a_conflict, in_a_merge_that_was_undone, as_evidence),
    *(of_a_tool_with_a_file, said_twice, exported_and_loaded, of_a_step, in_an_earlier_question),
)


def strings_in(*roots: object) -> Iterator[str]:
    """Every text that can be reached from some objects, without going through the globals of other packages."""
    foreign = {id(vars(m)) for name, m in list(sys.modules.items()) if m and not _ours(name)}
    seen, waiting = foreign - set(map(id, roots)), list(roots)
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, (int, float, ModuleType)):
            continue
        seen.add(id(thing))
        if isinstance(thing, str):
            yield thing
        elif isinstance(thing, (bytes, bytearray)):
            yield thing.decode("utf-8", "replace")
        else:
            waiting += gc.get_referents(thing)


def files_with_it(case: Case) -> list[str]:
    return [
        path.name
        for path in case.folder.rglob("*")
        if path.is_file() and holds(path.read_bytes().decode("utf-8", "replace"))
    ]


def memory_of_it(case: Case) -> list[str]:
    modules = [vars(module) for name, module in list(sys.modules.items()) if _ours(name)]
    return [text for text in strings_in(case.bank, vars(re), *modules) if holds(text)]


def _ours(name: str) -> bool:
    """The contracts know pytest, and pytest the text of every test."""
    return name.startswith("amb_core") and not name.startswith("amb_contracts")


def holds(text: str) -> bool:
    return any(needle in text.casefold() for needle in NEEDLES)


NIGHT = (pytest.mark.slow, pytest.mark.nightly)
SCHEMES = (("sqlite", "en"), ("json", "zh"), ("sqlite", "zh"), ("json", "en"))


def _when(at: int, place: int) -> tuple[pytest.MarkDecorator, ...]:
    """By day each situation in one of the first two places, by turns; the first one in both, and among the quick."""
    if not at and place < 2:
        return ()
    return (pytest.mark.slow,) if place == at % 2 else NIGHT


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("situation", "scheme", "language"),
    [
        pytest.param(situation, *scheme, marks=_when(at, place), id="-".join((situation.__name__, *scheme)))
        for at, situation in enumerate(SITUATIONS)
        for place, scheme in enumerate(SCHEMES)
    ],
)
def test_a_forgotten_text_is_nowhere(
    tmp_path: Path, situation: Callable[[Case], str], scheme: str, language: str
) -> None:
    case = Case(tmp_path, scheme, language)
    entry_id = situation(case)
    case.injected()
    assert files_with_it(case)
    case.bank.forget(entry_id)

    case.given.unlink(missing_ok=True)
    assert (files_with_it(case), memory_of_it(case)) == ([], [])
    assert not holds(case.bank.export(tmp_path / "export.json").read_text(encoding="utf-8"))
    case.bank.close(keep=True)
    with MemoryBank.resume(case.url, settings=KEPT):
        assert files_with_it(case) == []


class Held:
    """A structure agent that waits before every text."""

    def __init__(self) -> None:
        self.inner, self.open = local_agents().structure, Event()

    def structure(self, request: StructureRequest) -> StructureAnswer:
        assert self.open.wait(20)
        return self.inner.structure(request)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scheme", "language"),
    [pytest.param(*scheme, marks=NIGHT if place > 1 else ()) for place, scheme in enumerate(SCHEMES)],
)
def test_a_text_forgotten_while_it_waits_to_be_digested_is_nowhere(tmp_path: Path, scheme: str, language: str) -> None:
    case, held = Case(tmp_path, scheme, language), Held()
    case.bank.delete()
    case.bank = MemoryBank("Goal", store=case.url, agents=replace(local_agents(), structure=held))
    for text in (case.first, case.secret, case.proof):
        case.bank.absorb(ToolResult(tool="read", output=text, source=text), wait=False)
    for entry_id in ("e2", "e3"):
        case.bank.forget(entry_id)
    held.open.set()
    case.bank.host.flush()

    assert [node.id for node in case.bank.nodes] == ["n1"]
    assert (files_with_it(case), memory_of_it(case)) == ([], [])
    case.bank.close()
