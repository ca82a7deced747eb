"""`amb run` with a model: check it, open memory and tools, let the agent work, and say what came of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from amb_cli.console import Console
from amb_cli.discreet import DiscreetReader, discreet_tool
from amb_cli.environment import Secrets, number_told, temperature_told
from amb_cli.user_language import translate
from amb_core.adapter import Tool
from amb_core.bank import MemoryBank
from amb_core.protocols import ChatModel
from amb_core.usage import TokenUsage, spent
from amb_react.command.chat_models import Models, open_models
from amb_react.command.progress import Progress
from amb_react.command.run_folder import RunFolder
from amb_react.command.run_options import RunOptions
from amb_react.command.run_report import answer_data, answer_lines, ending_text, receipt_lines

if TYPE_CHECKING:
    from amb_react import ReActRun
    from amb_tools import PageReader, SearchBackend

__all__ = ["run_with_model"]

_UNFINISHED = ("budget", "model_unavailable", "model_refused")
"""Endings after which there is something to go on with."""
_FAILED = ("model_unavailable", "model_refused")


def run_with_model(folder: RunFolder, *, secrets: Secrets, console: Console) -> int:
    """Run the task of the folder; returns the exit code. What can be known is said before anything is kept."""
    kept = folder.stored.usage.spent if folder.stored is not None and folder.stored.usage is not None else {}
    models = open_models(folder.options, secrets=secrets, spent=kept, resumed=folder.resumed, on_warning=console.note)
    sources = _Sources.of(folder.options)
    checked = models.check()
    folder.begin()
    console.lines(_begun(folder, models, sources))  # what was under way is taken in first, and may take its time
    try:
        with _opened(folder, models) as bank:
            _bill(bank, checked)
            run = _worked(folder, bank, models, sources, secrets=secrets, console=console)
            if run.termination == "interrupted":
                raise KeyboardInterrupt
            _report(folder, bank, run, models, console=console)
            bank.close(keep=True)
    except BaseException:
        models.cancel.set()  # whatever still waits for an endpoint
        raise
    unfinished = run.termination in _UNFINISHED
    console.line(translate("Memory: {what}", what=folder.end(keep=unfinished)))
    if unfinished and folder.is_durable:
        console.line(translate("Go on with: {command}", command=f"{folder.command}{_more(run, folder)}"))
    return 1 if run.termination in _FAILED else 0


def _begun(folder: RunFolder, models: Models, sources: _Sources) -> Iterator[str]:
    """What is asked, and of whom."""
    task = folder.options.question if folder.stored is None else folder.stored.insight.task_goal
    yield translate("question: {question}", question=task)
    yield translate(
        "model: {model} at {endpoint}; search: {search}; memory: {store}",
        model=models.main.model,
        endpoint=models.main.endpoint,
        search=sources.name,
        store=folder.store,
    )


def _opened(folder: RunFolder, models: Models) -> MemoryBank:
    options = folder.options
    agents = models.agents(fused=options.fused is not False)
    if folder.resumed:
        return MemoryBank.resume(folder.store, agents=agents, embedder=options.embedder)
    return MemoryBank(options.question, agents=agents, embedder=options.embedder, store=folder.store)


def _bill(bank: MemoryBank, checked: Mapping[str, TokenUsage]) -> None:
    """The calls made before there was a bank are calls for it."""
    with bank.host.metered():
        for purpose, usage in checked.items():
            spent(purpose, usage)


@dataclass(frozen=True, slots=True)
class _Sources:
    """Where the agent looks things up: what is searched, by name, and what reads what it finds."""

    name: str
    backend: SearchBackend
    reader: PageReader

    @classmethod
    def of(cls, options: RunOptions) -> _Sources:
        """A corpus is read here, a missing key or package is said here."""
        from amb_tools import CorpusSearch, open_reader, open_search

        name = options.searched or ("serper" if os.environ.get("SERPER_API_KEY") else "web")
        backend = open_search(name)
        return cls(name, backend, backend if isinstance(backend, CorpusSearch) else open_reader(name))

    def tools(self, bank: MemoryBank, chat: ChatModel, secrets: Secrets) -> list[Tool]:
        """`search` and `visit`; the agent adds `deep_retrieval`."""
        from amb_tools import search_tool, visit_tool

        tools = (
            search_tool(self.backend, memory=bank),
            visit_tool(DiscreetReader(self.reader, secrets), chat=chat, bank=bank),
        )
        return [discreet_tool(tool, secrets) for tool in tools]


def _worked(
    folder: RunFolder,
    bank: MemoryBank,
    models: Models,
    sources: _Sources,
    *,
    secrets: Secrets,
    console: Console,
) -> ReActRun:
    from amb_react import ReActAgent

    options = folder.options
    if folder.resumed:
        said = {"notes": len(bank.nodes), "tokens": bank.usage.total.tokens}
        console.line(translate("going on: {notes} notes, {tokens:,} tokens spent before", **said))
    progress = Progress(bank, console)
    wanted: dict[str, Any] = {
        "protocol": options.protocol,
        "max_calls": options.max_calls or number_told("MAX_LLM_CALL_PER_RUN"),
        "max_output_tokens": options.max_output_tokens or number_told("LLM_MAX_TOKENS"),
        "temperature": temperature_told(),
        "max_rounds": options.rounds,
    }
    named = {name: value for name, value in wanted.items() if value is not None}  # the rest as the agent has it
    tools = sources.tools(bank, models.main, secrets)
    try:
        return ReActAgent(bank, models.main, tools, on_event=progress, **named).run()
    finally:
        progress.close()


def _report(folder: RunFolder, bank: MemoryBank, run: ReActRun, models: Models, *, console: Console) -> None:
    """Print answer and receipts, write export and page."""
    from amb_inspector import write_page

    console.lines(answer_lines(bank, run))
    bank.export(folder.export)
    snapshot = bank.snapshot()
    write_page(snapshot, folder.page, model=models.main.model)
    console.lines(receipt_lines(snapshot, meter=models.meter, budget=models.budget))
    places = {"Page: {page}": folder.page.resolve(), "Export: {page}": folder.export.resolve()}
    console.lines(("", ending_text(run), *(translate(text, page=place) for text, place in places.items())))
    if folder.options.as_json:
        console.data({**answer_data(bank, run), "export": str(folder.export), "page": str(folder.page)})


def _more(run: ReActRun, folder: RunFolder) -> str:
    """What the command needs besides, to come further than this time."""
    if run.termination != "budget":
        return ""
    options = folder.options
    for name in ("tokens", "calls", "money"):
        limit = getattr(options, f"budget_{name}")
        if limit is not None:
            return f" --budget-{name} {2 * limit}"
    return ""
