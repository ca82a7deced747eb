"""`amb demo`: a long task over a manual and a small one with a contradiction, offline, in the language of the user.

A run is told as text for a terminal, or as data.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

from amb_core.bank import MemoryBank
from amb_core.cli.command_parser import Commands, positive
from amb_core.cli.console import Console
from amb_core.cli.environment import Secrets
from amb_core.cli.user_language import current_language, translate
from amb_core.errors import InvalidInput, UnreadableSource
from amb_core.models import TaskType
from amb_tools.corpus import Document, read_corpus
from amb_tools.research.local_researcher import ResearchReport, Turn

if TYPE_CHECKING:
    from amb_core.rendering import Language
    from amb_tools.research.local_researcher import ResearchReport

__all__ = [
    "add_to",
    "demo",
    "make_folder",
    "progress_line",
    "report_data",
    "report_lines",
    "run_research",
    "sample_pages",
    "small_cases",
]

_ROUNDS = 40
_LONG = {
    "en": ("The Python language reference", "What does a return statement in a finally clause do?"),
    "zh": ("AMB 的中文文档", "怎样删除一个用户的全部记忆？"),
}
_PAGES = "concepts delete-a-user disputes durability experience longterm plain security team users-apart".split()
"""The pages of the Chinese documentation that are in the wheel, as pyproject.toml lists them."""


def make_folder(out: Path) -> None:
    """Make an output folder before the work, so that a wrong one costs nothing."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"{out} cannot be a folder ({error.strerror}); name another with --out") from None


def add_to(commands: Commands) -> None:
    """Add `demo`."""
    parser = commands.add_parser("demo", help="see a long task and a contradiction run, offline")
    parser.add_argument("--out", type=Path, default=Path("amb-demo"), help="folder for the pages and exports")
    parser.add_argument("--question", help="another question for the long task")
    parser.add_argument("--pieces", type=positive, default=48, help="how many pieces to read at most")
    parser.add_argument("--model", default="", help="the agent's model, whose price says what was saved")
    parser.add_argument("--json", action="store_true", help="print the answers as JSON")
    parser.set_defaults(command=demo)


def demo(options: argparse.Namespace) -> int:
    """Two tasks, offline."""
    from amb_core.inspector import write_page
    from amb_tools.research.demo_command import report_data

    language = current_language()
    name, question = _LONG[language]
    cases = [(name, options.question or question, sample_pages(language)), small_cases()[language == "zh"]]
    make_folder(options.out)
    console, told = Console(Secrets(), for_data=options.json), []
    for number, (name, question, documents) in enumerate(cases, 1):
        console.line(f"\n=== {number}/{len(cases)} {name} ===")
        export, page = (options.out / f"case-{number}.{kind}" for kind in ("json", "html"))
        with MemoryBank(question) as bank:
            report = run_research(bank, documents, pieces=options.pieces, console=console)
            bank.export(export)
            write_page(bank.snapshot(), page, model=options.model)
            bank.close(keep=True)
            told.append({**report_data(bank, report), "export": export.resolve(), "page": page.resolve()})
    console.line(f"\n{translate('Pages (open in a browser):')}")
    console.lines(f"  {one['page']}" for one in told)
    if options.json:
        console.data(told)
    return 0


def run_research(bank: MemoryBank, documents: Sequence[Document], *, pieces: int, console: Console) -> ResearchReport:
    """Work on the bank's question with progress, and print the report."""
    from amb_tools.research.demo_command import progress_line, report_lines
    from amb_tools.research.local_researcher import research

    console.line(translate("question: {question}", question=bank.insight.task_goal))
    console.line(translate("corpus: {count} documents", count=len(documents)))
    report = research(
        bank,
        documents,
        max_pieces=pieces,
        max_rounds=_ROUNDS,
        on_turn=lambda turn: console.line(progress_line(turn)),
    )
    console.lines(report_lines(bank, report))
    return report


def sample_pages(language: Language) -> list[Document]:
    """Pages to try things on, by name: the Python language reference, or in Chinese AMB's own documentation."""
    if language == "zh":
        return [page for page in _corpus("docs_zh", "docs/zh") if page.name.removesuffix(".md") in _PAGES]
    from pydoc_data.topics import topics

    return [Document(name=f"{name}.txt", text=text, path=Path(f"{name}.txt")) for name, text in sorted(topics.items())]


def small_cases() -> list[tuple[str, str, list[Document]]]:
    """Name, question and documents of two cases, English and Chinese: two sources contradict, a third decides."""
    english = "What is the usable capacity of the Harbour Point battery, and which cells is it built from?"
    chinese = "青屿海水淡化厂的日产水量是多少？采用什么工艺？"
    return [
        ("Skerra Island", english, _corpus("island_microgrid")),
        ("青屿岛", chinese, _corpus("海水淡化厂")),
    ]


def _corpus(name: str, place: str = "") -> list[Document]:
    """A corpus from the installed package, or from its place in a checkout."""
    packaged = files("amb_core").joinpath("demo_corpora", name)
    if packaged.is_dir():
        with as_file(packaged) as folder:
            return read_corpus(folder)
    checkout = Path(__file__).parents[3] / (place or f"examples/corpora/{name}")
    if not checkout.is_dir():
        raise UnreadableSource(f"the demo corpus {name!r} is missing; install AMB again")
    return read_corpus(checkout)


def _comparison(turns: Sequence[Turn]) -> str:
    raw = max((turn.raw_tokens for turn in turns), default=0)
    sent = max((turn.prompt_tokens for turn in turns), default=0)
    if raw > sent:
        return translate("largest request: {raw:,} tokens without AMB, {sent:,} with it", raw=raw, sent=sent)
    return translate(
        "largest request: {sent:,} tokens; the whole transcript has {raw:,} and needs no condensing: "
        "here AMB checks what the sources say",
        raw=raw,
        sent=sent,
    )


def progress_line(turn: Turn) -> str:
    """One line on what a turn did."""
    verifies = turn.task is not None and turn.task.type is TaskType.CROSS_VALIDATE
    if not turn.read:
        what = translate("finds no further source" if verifies else "answers from memory")
    else:
        what = translate("reads {what}", what=", ".join(f"{event.document}#{event.piece}" for event in turn.read))
    found = [c.description for event in turn.read for c in event.report.conflicts]
    decided = [c.subject or c.id for event in turn.read for c in event.report.resolved]
    notes = [translate("contradiction: {what}", what=text) for text in found]
    notes += [translate("decided: {what}", what=text) for text in decided]
    request = translate("request {number:>2}", number=turn.number)
    if verifies:
        what = translate("to verify: {what}", what=what)
    return f"  {request}  {what}" + "".join(f"\n              {note}" for note in notes)


def report_lines(bank: MemoryBank, report: ResearchReport) -> Iterator[str]:
    """The whole report, line by line."""
    yield from ("", _comparison(report.turns))
    for conflict in bank.conflicts:
        yield "\n" + translate("conflict {id}: {what}", id=conflict.id, what=conflict.description)
        yield f"  {translate(conflict.status.value)} · {conflict.resolution or '-'}"
    for merge in bank.merges:
        merged = f"{' + '.join(merge.merged_node_ids)} → {merge.new_node_id}. {merge.description}"
        yield translate("merge {id}: {what}", id=merge.event_id, what=merged)
    yield from ("", translate("Answer"), *(f"  {line}" for line in report.answer.text.splitlines()))


def report_data(bank: MemoryBank, report: ResearchReport) -> dict[str, object]:
    """The same as data: the answer with its places, and what became of each conflict."""
    return {
        "question": bank.insight.task_goal,
        "certainty": report.answer.certainty,
        "answer": report.answer.text,
        "quoted": report.answer.citations,
        "conflicts": [
            {"id": one.id, "description": one.description, "status": one.status, "resolution": one.resolution}
            for one in bank.conflicts
        ],
        "turns": len(report.turns),
        "finished": report.finished,
    }
