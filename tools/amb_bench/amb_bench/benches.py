"""The benches by name, what each may be told, and how its tables are shown and kept."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from amb_bench.tables import Table
from amb_core.errors import InvalidParameter

__all__ = ["BENCHES", "Bench", "BenchOptions", "run_bench", "with_table"]


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """What a bench is told; it reads what concerns it.

    `data` is the folder of the data sets (None: `AMB_DATA`), `only` the names of parts to run (empty: all), `out` the
    folder for plots and pages (None: none is drawn), `quick` asks for a sample that takes under a minute. `model` and
    `base_url` name a chat model and its endpoint, for benches that ask one. `actor`, `memory` (an arm), `questions`
    (how many; 0: all) and `seed` (None: several) are for the bench of team memory, `workers` (processes) for `traces`,
    `keep` (None: none is kept) a folder of finished runs for `traces`, of a model's answers for `roles` and `reader`,
    and of what a killed `scale` had, `language` (en or zh, "": both) for `roles`, `notes` and `tenants` (0: as each
    part has it) for `scale`, `file` the questions of `answers`, or a folder of cases for `roles`. For `traces`, `same`
    is what its arms have in common ("tokens", "bound" or "both"; "": the tables of its page), `arms` are their names
    (empty: the usual ones), `half` the traces ("even" or "odd" by their place from 0; "": all), and `count` a function
    `MODULE:NAME` that counts tokens ("": AMB's estimate).
    """

    data: Path | None = None
    embedder: str = "none"
    only: tuple[str, ...] = ()
    out: Path | None = None
    quick: bool = False
    model: str | None = None
    base_url: str | None = None
    actor: str = "local"
    memory: str = ""
    questions: int = 0
    seed: int | None = None
    workers: int = 1
    keep: Path | None = None
    language: str = ""
    notes: int = 0
    tenants: int = 0
    file: Path | None = None
    same: str = ""
    arms: tuple[str, ...] = ()
    half: str = ""
    count: str = ""


@dataclass(frozen=True, slots=True)
class Bench:
    """A bench: the module whose `tables(options)` yields its tables one by one, and what it measures."""

    module: str
    measures: str

    def tables(self, options: BenchOptions) -> Iterator[Table]:
        """The tables, each as soon as it is measured."""
        run: Callable[[BenchOptions], Iterable[Table]] = import_module(self.module).tables
        yield from run(options)


BENCHES: Mapping[str, Bench] = {
    "retrieval": Bench("amb_bench.retrieval_bench", "recall of gold evidence, beside other recipes"),
    "traces": Bench("amb_bench.traces_bench", "real agents' runs: what they need later, and what requests cost"),
    "experience": Bench("amb_bench.experience_bench", "what an earlier run has read, before the calls of a later one"),
    "outputs": Bench("amb_bench.outputs_bench", "real outputs of tools: answers that stand in memory's block"),
    "agents": Bench("amb_bench.conflict_bench", "contradictions told without a model, beside baselines"),
    "speed": Bench("amb_bench.speed_bench", "time and memory per operation, beside a floor and peers"),
    "scale": Bench("amb_bench.scale_bench", "banks in PostgreSQL by processes, tenants and notes, beside SQLite"),
    "gateway": Bench(
        "amb_bench.gateway_bench", "time and memory of the gateway, and the cost of real traces through it"
    ),
    "writes": Bench("amb_bench.writes_bench", "model calls and tokens for each tool result taken in"),
    "redaction": Bench("amb_bench.redaction_bench", "personal data found in marked texts, and what is spoilt"),
    "longterm": Bench("amb_bench.longterm_bench", "what is remembered across sessions, and what it costs"),
    "hotpotqa": Bench("amb_bench.hotpotqa_bench", "a team on multi-hop questions, with and without memory"),
    "narrative": Bench(
        "amb_bench.narrative_bench", "contradictions found in drafts of test stories, and a long book's cost"
    ),
    "roles": Bench("amb_bench.roles_bench", "every role that a model plays, on labelled cases, beside its local twin"),
    "reader": Bench("amb_bench.reader_bench", "one model's answers from requests of the same size by AMB and others"),
    "answers": Bench("amb_bench.answers_bench", "questions to folders of files, answered without a model"),
    "reliability": Bench("amb_bench.reliability_bench", "kills, faults and threads survived; what was lost"),
}
"""Every bench, in the order in which they are worth reading."""


@dataclass(slots=True)
class _Report:
    tables: list[Mapping[str, object]] = field(default_factory=list)
    figures: dict[str, object] = field(default_factory=dict)

    def write(self, path: Path, *, name: str, options: BenchOptions) -> None:
        machine = {"python": platform.python_version(), "system": platform.system(), "cores": os.cpu_count()}
        told = {"embedder": options.embedder, "only": options.only, "quick": options.quick}
        told |= {"model": options.model} if options.model else {}
        report = {"bench": name, **self.figures, "machine": machine, "options": told, "tables": self.tables}
        text = json.dumps(report, ensure_ascii=False, indent=1)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise InvalidParameter(f"{path} cannot be written ({error.strerror}); name another file") from None


def run_bench(
    name: str,
    *,
    options: BenchOptions,
    json_file: Path | None = None,
    pages: Sequence[Path] = (),
    show: Callable[[str], object],
) -> None:
    """Run one bench; `show` gets each table as text when it is done, `json_file` all of them at the end.

    In `pages` of Markdown the tables are written anew where `<!-- table: NAME -->` stands. Raises InvalidParameter for
    an unknown name, UnreadableSource when the data it needs is not there.
    """
    if name not in BENCHES:
        raise InvalidParameter(f"there is no bench {name!r}; there are: {', '.join(BENCHES)}")
    report = _Report()
    for page in pages:
        _page_text(page)
    for table in BENCHES[name].tables(options):
        report.tables.append(table.data())
        report.figures |= table.figures
        show(table.text() + "\n")
        for page in pages if table.name else ():
            page.write_text(with_table(_page_text(page), table), encoding="utf-8")
    if json_file is not None:
        report.write(json_file, name=name, options=options)


def with_table(page: str, table: Table) -> str:
    """A page of Markdown with this table between its marks, if it has them."""
    begin, end = f"<!-- table: {table.name} -->", "<!-- end of table -->"
    before, mark, behind = page.partition(begin)
    if not mark or end not in behind:
        return page
    return f"{before}{begin}\n{table.markdown()}\n{end}{behind.partition(end)[2]}"


def _page_text(page: Path) -> str:
    try:
        return page.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidParameter(f"{page} cannot be read ({error.strerror}); name a page of Markdown") from None
