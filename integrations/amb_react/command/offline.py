"""`amb run` without a model: research over a corpus."""

from __future__ import annotations

from amb_core.bank import MemoryBank
from amb_core.cli.console import Console
from amb_core.cli.user_language import translate
from amb_react.command.run_folder import RunFolder
from amb_tools.corpus import read_corpus
from amb_tools.research.demo_command import run_research

__all__ = ["run_locally"]

_PIECES, _ROUNDS = 60, 40


def run_locally(folder: RunFolder, *, console: Console) -> int:
    """One question to a corpus, without a model; what is missing is said before anything is kept."""
    options = folder.options
    documents = read_corpus(
        str(options.corpus),
        on_skip=lambda file, reason: console.note(translate("skipped {file}: {reason}", file=file, reason=reason)),
    )
    folder.begin()
    with _opened(folder) as bank:
        run_research(
            bank,
            documents,
            pieces=options.pieces or _PIECES,
            rounds=options.rounds or _ROUNDS,
            export=folder.export,
            page=folder.page,
            console=console,
        )
    what, page = folder.end(keep=False), folder.page.resolve()
    console.lines(("", translate("Memory: {what}", what=what), translate("Page: {page}", page=page)))
    return 0


def _opened(folder: RunFolder) -> MemoryBank:
    embedder = folder.options.embedder or "none"
    if folder.resumed:
        return MemoryBank.resume(folder.store, embedder=embedder)
    return MemoryBank(folder.options.question, embedder=embedder, store=folder.store)
