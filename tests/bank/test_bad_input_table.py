"""All a caller can get wrong, as rows: each is a typed error that says what to do, and nothing is half-written."""

from __future__ import annotations

import contextlib
import os
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from amb_core import AmbError, Attachment, AttachmentType, ManualClock, MemoryBank, Settings, ToolResult

HERE = Path(__file__).parent
CALLS, FILES = (runpy.run_path(str(HERE / f"{name}.py")) for name in ("bad_calls", "bad_files"))
ROWS = [
    *(CALLS["BEGINNING"] + CALLS["TAKING_IN"] + CALLS["ASKING"]),
    *(FILES["IMPORTS"] + FILES["DOCUMENTS"] + FILES["COMMANDS"]),
]
SLOW = ("bomb", "deep.pdf", "nested.pdf", "dictionaries.pdf", "100,000 levels")
OURS = (AmbError, FILES["Refused"])
TEXTS = (
    "The Harbour Point battery has a usable capacity of 18 MWh. Norrvolt AB supplied the cells in 48 containers.",
    "Gulls are the loudest thing on the quay. The Harbour Point battery has a usable capacity of 12 MWh.",
    "The register was checked on site. The Harbour Point battery has a usable capacity of 18 MWh.",
    "The quay of Westerly harbour is 80 metres long. It was built in 1932.",
    "The harbour office says the quay of Westerly harbour is 95 metres long.",
)


class Clock:
    """Tells what it was given."""

    def __init__(self, told: Any) -> None:
        self.told = told

    def now(self) -> Any:
        return self.told


class Place:
    """A bank with two open questions, a folder, and what the rows need made there."""

    def __init__(
        self,
        folder: Path,
        capsys: pytest.CaptureFixture[str] | None,
        stack: contextlib.ExitStack,
        bank: MemoryBank | None = None,
    ) -> None:
        self.folder, self.capsys, self.stack = folder, capsys, stack
        self.bank = bank or self.filled_bank("memory://", len(TEXTS))
        self.made = 0

    def filled_bank(self, store: str, count: int, embedder: str | None = None) -> MemoryBank:
        clock, verifying = ManualClock(1_700_000_000, step=1), Settings(disputes="verify")
        bank = MemoryBank("What is known?", clock=clock, store=store, embedder=embedder, settings=verifying)
        for number, text in enumerate(TEXTS[:count]):
            bank.absorb(ToolResult(tool="read", output=text, source=f"s{number}"))
            bank.plan()
        return self.stack.enter_context(bank)

    def file(self, name: str, text: str) -> Path:
        return self.bytes_file(name, text.encode("utf-8", "surrogatepass"))

    def bytes_file(self, name: str, data: bytes) -> Path:
        (self.folder / name).write_bytes(data)
        return self.folder / name

    def subfolder(self) -> Path:
        (self.folder / "sub").mkdir()
        return self.folder / "sub"

    def link(self, name: str, target: str) -> Path:
        (self.folder / name).symlink_to(target)
        return self.folder / name

    def pipe(self) -> Path:
        os.mkfifo(self.folder / "pipe")
        return self.folder / "pipe"

    def attachment(self, path: object) -> Attachment:
        return Attachment(id="a1", type=AttachmentType.DOCUMENT, content=str(path))

    def attach_with(self, path: Path | None = None, **settings: Any) -> object:
        bank = self.stack.enter_context(MemoryBank("g", settings=Settings(**settings)))
        return bank.attach(path or self.file("a.txt", "x"))

    def vanished(self) -> Attachment:
        attachment = self.bank.attach(self.file("a.png", "x"))
        Path(attachment.content).unlink()
        return attachment

    def clock(self, told: Any) -> Clock:
        return Clock(told)

    def fresh_store(self) -> str:
        self.made += 1
        return f"sqlite:///{self.folder}/fresh-{self.made}.db"

    def store_with_task(self, embedder: str | None = None) -> str:
        url = self.fresh_store()
        self.filled_bank(url, 1, embedder).close(keep=True)
        return url

    def store_in_use(self) -> str:
        url = self.fresh_store()
        self.filled_bank(url, 1)
        return url

    def torn_store(self) -> Path:
        path = Path(self.store_with_task().removeprefix("sqlite:///"))
        path.write_bytes(path.read_bytes()[:99] + b"\xff" * 4_000)
        return path

    def exported(self) -> Path:
        return self.bank.export(self.folder / "whole.json")

    def filled(self, word: str) -> str:
        found = {"{folder}": lambda: self.folder, "{text}": lambda: self.file("t.txt", "The quay is long. " * 9)}
        found |= {"{empty}": self.subfolder, "{export}": self.exported}
        for name, make in found.items():
            word = word.replace(name, str(make())) if name in word else word
        return word


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryBank]:
    """One bank for all rows, as none of them changes it."""
    with contextlib.ExitStack() as stack:
        yield Place(tmp_path_factory.mktemp("shared"), None, stack).bank


@pytest.fixture
def at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, shared: MemoryBank
) -> Iterator[Place]:
    monkeypatch.chdir(tmp_path)
    with contextlib.ExitStack() as stack:
        yield Place(tmp_path, capsys, stack, shared)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("call", "error"),
    [
        pytest.param(*row[1:], id=row[0], marks=[pytest.mark.slow] if any(s in row[0] for s in SLOW) else [])
        for row in ROWS
    ],
)
def test_bad_input_is_a_typed_error_with_advice_and_changes_nothing(at: Place, call: Any, error: Any) -> None:
    before = at.bank.snapshot().model_dump_json()

    with pytest.raises(error) as caught:
        call(at)

    said = str(caught.value)
    assert isinstance(caught.value, OURS) or error is ValueError
    assert 15 < len(said) < 1_000
    assert at.bank.snapshot().model_dump_json() == before
    assert not list(at.folder.rglob("*.part"))
