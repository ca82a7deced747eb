"""Time and memory per operation, beside a floor and peers, each part in a process of its own.

Machines differ and are shared: times are CPU time, with one thread for matrices, and only ratios of one run count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from amb_bench.benches import BenchOptions
from amb_bench.speed_child import measured
from amb_bench.speed_peers import PEERS
from amb_bench.tables import Table
from amb_core.errors import InvalidParameter

__all__ = ["tables"]

_PARTS = ("import", "absorb", "prepare", "journal", "index", "peers", "approximate", "bank", "open", "memory")
_SIZES, _QUICK_SIZES = (1_000, 10_000, 100_000), (1_000,)
_ROUNDS, _QUICK_ROUNDS = 50, 15
_FLOOR_OF = {"add": "floor: add", "replace": "floor: add", "remove": "floor: add"}
_MOST_MEMORY = 20_000
"""Bytes a note do not depend on how many there are; more notes take long to make up."""
_LEAST_APPROXIMATE = 10_000
_FEW = 10
"""Entries of the bank that larger ones are compared with."""


def tables(options: BenchOptions) -> Iterator[Table]:
    """A table a part and size; `options.only` names parts (index, bank, open, …) and sizes (1000, …); default all.

    An absorb is compared in banks of 10 and 1,000 entries, and in larger ones where their size is named.
    """
    parts, sizes = _chosen(options)
    rounds = _QUICK_ROUNDS if options.quick else _ROUNDS
    if "import" in parts:
        yield _plain("importing", "value", measured("speed_bank:import_figures"))
    if "absorb" in parts:
        yield _stages(measured("speed_stages:stage_figures", rounds=2 * rounds))
        yield _growth(
            (_FEW, 1_000, *(size for size in map(int, filter(str.isdecimal, options.only)) if size > 1_000)), rounds
        )
    if "prepare" in parts:
        found = measured("speed_stages:prepare_figures", rounds=rounds)
        floor = next(iter(found.values()))
        rows = tuple((name, value, value / floor) for name, value in found.items())
        yield Table("prepare in a bank of 1,000 notes, median CPU ms", ("what", "ms", "× floor"), rows)
    if "journal" in parts:
        found = measured("speed_bank:journal_figures", rounds=rounds)
        yield _plain("journalling what one absorb changes, median ms", "ms", found)
    for size in sizes:
        if "index" in parts:
            yield _with_ratios(size, measured("speed_index:index_figures", size=size, rounds=rounds))
        if "peers" in parts:
            yield _peers(size, rounds=min(rounds, 10))
        if "approximate" in parts and size >= _LEAST_APPROXIMATE:
            found = measured("speed_index:approximate_figures", size=size, rounds=rounds)
            found = found or {"not measured: hnswlib is not installed (pip install hnswlib)": 0.0}
            yield _plain(f"{size:,} vectors, exact and approximate search", "value", found)
        if "bank" in parts:
            found = measured("speed_bank:bank_figures", size=size, rounds=rounds)
            yield _plain(f"a bank of {size:,} nodes, median CPU ms", "ms", found)
        if "open" in parts:
            found = measured("speed_bank:opening_figures", size=size)
            yield _plain(f"opening a SQLite bank of {size:,} nodes, CPU seconds", "s", found)
        if "memory" in parts and size <= _MOST_MEMORY:
            yield _memory(size)


def _chosen(options: BenchOptions) -> tuple[tuple[str, ...], tuple[int, ...]]:
    unknown = [name for name in options.only if name not in _PARTS and not name.isdecimal()]
    if unknown:
        raise InvalidParameter(f"{unknown[0]!r} is neither a size nor one of {', '.join(_PARTS)}")
    sizes = tuple(int(name) for name in options.only if name.isdecimal())
    parts = tuple(name for name in options.only if name in _PARTS)
    return parts or _PARTS, sizes or (_QUICK_SIZES if options.quick else _SIZES)


def _stages(figures: Mapping[str, Mapping[str, float]]) -> Table:
    """What 1,000 characters cost in each language, and the share of each stage."""
    heads = {"ms": "CPU ms for 1,000 characters", "floor": "floor: their words counted, ms"}
    stages = dict.fromkeys(name for found in figures.values() for name in found if name not in heads)
    rows: list[tuple[str | float, ...]] = [
        (title, *(found[name] for found in figures.values())) for name, title in heads.items()
    ]
    rows.append(("× floor", *(found["ms"] / found["floor"] for found in figures.values())))
    rows += [(f"% {stage}", *(found.get(stage, 0.0) for found in figures.values())) for stage in stages]
    return Table("one absorb without a model, by stage", ("what", *figures), tuple(rows))


def _growth(sizes: Sequence[int], rounds: int) -> Table:
    """What 1,000 characters cost in banks of several sizes, each as a multiple of that in the smallest."""
    found = {size: measured("speed_stages:growth_figures", size=size, rounds=rounds) for size in sizes}
    least = found[sizes[0]]
    rows: list[tuple[str | float, ...]] = []
    for size, figures in found.items():
        rows.append((f"{size:,} entries: ms", *figures.values()))
        rows.append((f"{size:,} entries: × {sizes[0]}", *(ms / least[name] for name, ms in figures.items())))
    return Table("1,000 characters absorbed, by entries in the bank", ("what", *least), tuple(rows))


def _plain(title: str, unit: str, figures: Mapping[str, float]) -> Table:
    return Table(title, ("what", unit), tuple(figures.items()))


def _with_ratios(size: int, figures: Mapping[str, float]) -> Table:
    """The index's figures, each as a multiple of the floor's for the same operation."""
    rows = []
    for name, value in figures.items():
        floor = figures[_FLOOR_OF.get(name, "floor: search")]
        rows.append((name, value, "" if name.startswith("floor") else value / floor))
    return Table(f"the index, {size:,} notes, median CPU ms", ("operation", "ms", "× floor"), tuple(rows))


def _memory(size: int) -> Table:
    figures: Mapping[str, float] = measured("speed_bank:memory_figures", size=size)
    least = next(iter(figures.values()))
    rows = tuple((name, value, value / least) for name, value in figures.items())
    return Table(f"memory, {size:,} notes", ("what", "bytes a note", "× floor"), rows)


def _peers(size: int, *, rounds: int) -> Table:
    rows: list[tuple[str | float, ...]] = []
    for name in PEERS:
        found = measured("speed_peers:peer_figures", name=name, size=size, rounds=rounds)
        rows.append((found["name"], found["add"], found["search"], found["note"]))
    return Table(f"peers, {size:,} notes, median CPU ms", ("peer", "add", "search", "note"), tuple(rows))
