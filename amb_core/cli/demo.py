"""`amb demo`: a long task and two contradictions, offline."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from amb_core.bank import MemoryBank
from amb_core.cli.argument_types import Commands, positive
from amb_core.cli.console import Console
from amb_core.cli.environment import Secrets
from amb_core.corpus import Document
from amb_core.errors import InvalidInput

__all__ = ["Files", "add_to", "demo", "make_folder", "run_research"]

_ROUNDS = 40


def make_folder(out: Path) -> None:
    """Make an output folder before the work, so that a wrong one costs nothing."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"{out} cannot be a folder ({error.strerror}); name another with --out") from None


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
    from amb_core.research.research_demo import LANGUAGE_REFERENCE_QUESTION, DemoCase, language_reference, small_cases

    reference = tuple(language_reference())
    question = options.question or LANGUAGE_REFERENCE_QUESTION
    cases = [DemoCase("The Python language reference", question, reference), *small_cases()]
    make_folder(options.out)
    console, pages = Console(Secrets()), []
    for number, case in enumerate(cases, 1):
        console.line(f"\n=== {number}/{len(cases)} {case.name} ===")
        files = _Case(options.out / f"case-{number}.json", options.out / f"case-{number}.html")
        with MemoryBank(case.question) as bank:
            run_research(bank, case.documents, pieces=options.pieces, rounds=_ROUNDS, files=files, console=console)
        pages.append(files.page)
    console.line("\nPages (open in a browser):")
    console.lines(f"  {page.resolve()}" for page in pages)
    return 0


def run_research(
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
