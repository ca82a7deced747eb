"""`amb demo`, and `amb run` without a model: research over a corpus, offline."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from amb_core.bank import MemoryBank
from amb_core.cli.argument_types import Commands, positive
from amb_core.cli.environment import Secrets
from amb_core.cli.printing import Console
from amb_core.cli.run_folder import RunFolder, made
from amb_core.corpus import Document, read_corpus

__all__ = ["add_to", "demo", "run_locally"]

_PIECES, _ROUNDS = 60, 40


class Files(Protocol):
    """Where export and page go."""

    @property
    def export(self) -> Path: ...
    @property
    def page(self) -> Path: ...


@dataclass(frozen=True, slots=True)
class _Case:
    export: Path
    page: Path


def add_to(commands: Commands) -> None:
    """Add `demo`."""
    parser = commands.add_parser("demo", help="see a long task and two contradictions run, offline")
    parser.add_argument("--out", type=Path, default=Path("amb-demo"), help="folder for the pages and exports")
    parser.add_argument("--question", help="another question to the Python language reference")
    parser.add_argument("--pieces", type=positive, default=48, help="how many pieces to read at most")
    parser.set_defaults(command=demo)


def demo(options: argparse.Namespace) -> int:
    """Three tasks, offline."""
    from amb_core.research.demo import LANGUAGE_REFERENCE_QUESTION, DemoCase, language_reference, small_cases

    reference = tuple(language_reference())
    question = options.question or LANGUAGE_REFERENCE_QUESTION
    cases = [DemoCase("The Python language reference", question, reference), *small_cases()]
    made(options.out)
    console, pages = Console(Secrets()), []
    for number, case in enumerate(cases, 1):
        console.line(f"\n=== {number}/{len(cases)} {case.name} ===")
        files = _Case(options.out / f"case-{number}.json", options.out / f"case-{number}.html")
        with MemoryBank(case.question) as bank:
            _researched(bank, case.documents, pieces=options.pieces, rounds=_ROUNDS, files=files, console=console)
        pages.append(files.page)
    console.line("\nPages (open in a browser):")
    console.lines(f"  {page.resolve()}" for page in pages)
    return 0


def run_locally(folder: RunFolder, *, console: Console) -> int:
    """One question to a corpus, without a model; what is missing is said before anything is kept."""
    options = folder.options
    documents = read_corpus(str(options.corpus), on_skip=lambda file, reason: console.note(f"skipped {file}: {reason}"))
    folder.begin()
    with _opened(folder) as bank:
        _researched(
            bank,
            documents,
            pieces=options.pieces or _PIECES,
            rounds=options.rounds or _ROUNDS,
            files=folder,
            console=console,
        )
    console.lines((f"\nMemory: {folder.end(keep=False)}", f"Page: {folder.page.resolve()}"))
    return 0


def _opened(folder: RunFolder) -> MemoryBank:
    embedder = folder.options.embedder or "none"
    if folder.resumed:
        return MemoryBank.resume(folder.store, embedder=embedder)
    return MemoryBank(folder.options.question, embedder=embedder, store=folder.store)


def _researched(
    bank: MemoryBank, documents: Sequence[Document], *, pieces: int, rounds: int, files: Files, console: Console
) -> None:
    """Work on the bank's question with progress, print the report, write export and page, and close the bank."""
    from amb_core.inspector import write_page
    from amb_core.research import research
    from amb_core.research.report_text import progress_line, report_lines

    console.lines((f"question: {bank.insight.task_goal}", f"corpus: {len(documents)} documents"))
    report = research(
        bank,
        documents,
        max_pieces=pieces,
        max_rounds=rounds,
        on_turn=lambda turn: console.line(progress_line(turn)),
    )
    console.lines(report_lines(bank, report))
    bank.export(files.export)
    write_page(bank.snapshot(), files.page)
    bank.close(keep=True)
