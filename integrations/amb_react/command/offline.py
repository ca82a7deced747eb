"""`amb run` without a model: a question to files and to its own context, answered by sentences that stand in them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from amb_cli.console import Console
from amb_cli.user_language import translate
from amb_core.bank import MemoryBank
from amb_core.memory.bank_opener import parse_task
from amb_core.protocols import Embedder
from amb_embedders import open_embedder
from amb_inspector import write_page
from amb_react.command.run_folder import RunFolder
from amb_tools.corpus.documents import Document
from amb_tools.corpus.kept_corpus import KeptCorpus, open_corpus
from amb_tools.research import Answer, answer_corpus

__all__ = ["run_locally"]

_QUOTED = 3


def run_locally(folder: RunFolder, *, console: Console) -> int:
    """One question to a corpus or its context, without a model; what is missing is said before anything is kept."""
    options = folder.options
    files, corpus = _read(folder, console)
    embedder = open_embedder(options.embedder)
    folder.begin()
    with _opened(folder, embedder) as bank:
        question = bank.insight.task_goal
        answer = answer_corpus(corpus, question, limit=options.pieces or _QUOTED, embedder=embedder)
        _read_quoted(bank, corpus, answer)
        bank.export(folder.export)
        write_page(bank.snapshot(), folder.page)
        bank.close(keep=True)
    kept = folder.end(keep=False)
    if options.as_json:
        console.data(_told(question, answer, folder))
        return 0
    console.lines(
        (translate("question: {question}", question=question), translate("files read: {files}", files=files), "")
    )
    console.lines((answer.text, ""))
    console.lines((translate("Memory: {what}", what=kept), translate("Page: {page}", page=folder.page.resolve())))
    return 0


def _read(folder: RunFolder, console: Console) -> tuple[int, KeptCorpus]:
    """How many files there are, and their sentences together with those of the context that came with the question."""
    context = parse_task(folder.options.question)[1]
    given = [Document("context", context, Path())] if context else []
    if folder.options.corpus is None:
        return 0, KeptCorpus(given)
    corpus = open_corpus(
        folder.options.corpus,
        on_skip=lambda file, reason: console.note(translate("skipped {file}: {reason}", file=file, reason=reason)),
    )
    files = len(corpus.documents)
    return files, KeptCorpus([*given, *corpus.documents.values()]) if given else corpus


def _opened(folder: RunFolder, embedder: Embedder | None) -> MemoryBank:
    if folder.resumed:
        return MemoryBank.resume(folder.store, embedder=embedder)
    return MemoryBank(folder.options.question, embedder=embedder, store=folder.store)


def _read_quoted(bank: MemoryBank, corpus: KeptCorpus, answer: Answer) -> None:
    """Have memory hold the passages that are quoted, so that page and export show what the answer stands on."""
    for source, passage in dict.fromkeys(
        (one.source, corpus.passage(one.source, one.start)) for one in answer.citations
    ):
        bank.read(passage, source=source)


def _told(question: str, answer: Answer, folder: RunFolder) -> dict[str, object]:
    return {
        "question": question,
        "certainty": answer.certainty,
        "answer": answer.text,
        "quoted": [
            {**asdict(one), "file": one.source}  # `file` is the older name of `source`, and goes with 0.2
            for one in answer.citations
        ],
        "export": str(folder.export),
        "page": str(folder.page),
    }
