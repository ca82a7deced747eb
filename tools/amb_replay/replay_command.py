"""`amb replay`: what would have gone into every request of an agent that was recorded, with and without memory."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from amb_cli import Commands
from amb_cli.user_language import current_language, translate
from amb_core import ContextAdapter, MemoryBank
from amb_replay.recorded_run import RecordedRun
from amb_replay.trace import Trace

if TYPE_CHECKING:
    from amb_cli.console import Console
    from amb_replay.replay import ReplayedRun
    from amb_replay.replay_report import PricedModel, ReplayReport
    from amb_replay.trace import Trace

__all__ = ["add_to", "fill_bank", "replay"]

_MOST_NOTES = 10
_EVERY = 3.0
"""Seconds between two lines that say what is being looked at."""
_ABOUT = """\
Replays what an agent did, without a model and without a key: for every model call it shows what would have gone into
the request as the whole transcript, with plain ways to keep it short, and with AMB. It says what that costs with and
without prompt caching, what the agent needed later of older results, and whether memory would pay for this agent.
"""


def add_to(commands: Commands) -> None:
    """Add `replay`."""
    parser = commands.add_parser(
        "replay",
        help="show what memory would have done for an agent that was recorded",
        description=_ABOUT,
        epilog=_formats(),
    )
    parser.add_argument("path", type=Path, help="a file of traces, or a folder of such files")
    parser.add_argument("--html", type=Path, help="the report to write (default: replay-NAME.html in this folder)")
    parser.add_argument("--no-html", action="store_true", help="write no report")
    parser.add_argument("--json", help="file to write the figures to as well; - prints them instead of the table")
    parser.add_argument("--budget", type=int, help="tokens of a request (default: the setting prompt_budget_tokens)")
    parser.add_argument("--block", type=int, help="tokens of a block (default: the setting block_tokens)")
    parser.add_argument(
        "--count", default="", metavar="NAME", help="the tokenizer that counts, such as cl100k or llama3"
    )
    parser.add_argument("--model", help="whose prices count (default: the model that the traces name)")
    parser.add_argument("--prices", metavar="IN,CACHED,OUT", help="prices instead, in money per million tokens")
    parser.add_argument("--arms", help="arms with commas between them, out of {} (default: {})".format(*_arms()))
    parser.add_argument("--limit", type=int, help="replay so many traces only, the first ones")
    parser.add_argument(
        "--language",
        choices=("auto", "en", "zh"),
        help="language of the report (default: yours; auto: that of the task)",
    )
    parser.add_argument("--into", metavar="URL", help="only fill a new memory in this store, such as sqlite:///task.db")
    parser.set_defaults(command=replay)


def _arms() -> tuple[str, str]:
    from amb_replay.replay_arms import ARMS, DEFAULT_ARMS

    return ", ".join(ARMS), ",".join(DEFAULT_ARMS)


def _formats() -> str:
    from amb_replay.chosen_traces import formats_text

    return formats_text()


def replay(options: argparse.Namespace) -> int:
    """Replay a file or a folder of traces, and report; or fill a memory with them."""
    from amb_cli.console import Console
    from amb_cli.environment import Secrets
    from amb_replay.chosen_traces import traces_in

    console = Console(Secrets())
    skipped: list[str] = []
    looking = _Looking(console)
    try:
        traces = traces_in(
            options.path, limit=options.limit, on_skip=lambda path, error: skipped.append(str(error)), on_file=looking
        )
    finally:
        for error in [*skipped[:_MOST_NOTES], *skipped[_MOST_NOTES:][-1:]]:
            console.note(error)
        if len(skipped) > _MOST_NOTES:
            console.note(translate("{count:,} files hold no trace", count=len(skipped)))
    formats = ", ".join(sorted({trace.format for trace in traces}))
    console.note(translate("format: {formats}; runs: {count:,}", count=len(traces), formats=formats))
    with console.warnings():
        if options.into:
            from amb_replay.replay_command import fill_bank

            results = fill_bank(traces, options.into)
            told = {"store": options.into, "results": results, "traces": len(traces)}
            console.line(translate("{store}: {results:,} results of {traces:,} traces", **told))
            console.note(translate("see them with: amb export {store} task.json", store=options.into))
            return 0
        return _report(options, console, traces)


class _Looking:
    """Says every few seconds which file of a folder is being looked at."""

    def __init__(self, console: Console) -> None:
        self._console, self._files, self._told = console, 0, time.monotonic()

    def __call__(self, path: Path) -> None:
        self._files += 1
        if time.monotonic() - self._told >= _EVERY:
            self._told = time.monotonic()
            told = {"count": self._files, "path": path}
            self._console.note(translate("looking for recordings: {count:,} files so far, now {path}", **told))


def _report(options: argparse.Namespace, console: Console, traces: Sequence[Trace]) -> int:
    from amb_replay.replay_report import report_lines, report_of, shown_language, write_replay_page

    model, language = _model(options, traces), options.language or current_language()
    report = report_of(_replayed(options, traces), model=model)
    if options.json == "-":
        print(json.dumps(report.data(), ensure_ascii=False, indent=1))
    else:
        console.lines(report_lines(report, language=shown_language(report, language)))
    if options.json not in (None, "-"):
        _write_json(report, Path(options.json))
    if not options.no_html:
        path = options.html or Path(f"replay-{options.path.resolve().stem}.html")
        written = write_replay_page(report, path, title=options.path.resolve().name, language=language)
        console.note(translate("report: {page}", page=written.resolve()))
    return 0


def _replayed(options: argparse.Namespace, traces: Sequence[Trace]) -> list[ReplayedRun]:
    from amb_core import Settings
    from amb_core.adapter import TokenCounter
    from amb_core.text import estimate_tokens
    from amb_replay.progress_bar import ProgressBar
    from amb_replay.replay import replay_trace
    from amb_replay.replay_arms import DEFAULT_ARMS, arms_named

    names = options.arms.split(",") if options.arms else DEFAULT_ARMS
    arms = arms_named([name.strip() for name in names if name.strip()])
    told = {"prompt_budget_tokens": options.budget, "block_tokens": options.block}
    settings = Settings(**{name: value for name, value in told.items() if value is not None})
    name = options.count or settings.count_tokens
    count = TokenCounter(name).text if name else estimate_tokens
    calls = sum(message.get("role") == "assistant" for trace in traces for message in trace.messages)
    with ProgressBar(calls * len(arms)) as bar:
        return [replay_trace(trace, settings=settings, arms=arms, progress=bar.add, count=count) for trace in traces]


def _model(options: argparse.Namespace, traces: Sequence[Trace]) -> PricedModel | None:
    """The model whose prices count: the one named, a price given, or the one that all traces name, if it is known."""
    from amb_chat import price_date, price_of
    from amb_replay.replay_report import PricedModel
    from amb_replay.request_cost import price_named, price_told

    if options.prices:
        return PricedModel(options.model or "", price_told(options.prices))
    if options.model:
        return PricedModel(options.model, price_named(options.model), price_date())
    name, *others = {trace.model for trace in traces}
    price = price_of(name) if name and not others else None
    return None if price is None else PricedModel(name, price, price_date())


def _write_json(report: ReplayReport, path: Path) -> None:
    from amb_inspector.one_file import write_text

    write_text(json.dumps(report.data(), ensure_ascii=False, indent=1) + "\n", path)


def fill_bank(traces: Sequence[Trace], url: str) -> int:
    """Take the tool results of all traces into a new memory at this store, each trace as a run; says how many.

    The goal is that of the first trace. Raises InvalidInput when the store holds a task already.
    """
    taken = 0
    with MemoryBank(RecordedRun(traces[0]).goal, store=url) as bank:
        for trace in traces:
            adapter = ContextAdapter(bank, run=trace.id, sharing=True)
            taken += len(adapter.intercept_context(list(trace.messages)).reports)
    return taken
