"""`amb bench agents`: parts by name, and each on a sample."""

from __future__ import annotations

from pathlib import Path

import pytest
from amb_bench.agents_bench import PARTS, tables
from amb_bench.benches import BenchOptions
from amb_bench.datasets import data_folder

from amb_core.errors import InvalidParameter, UnreadableSource


def test_an_unknown_part_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(InvalidParameter, match=", ".join(PARTS)):
        list(tables(BenchOptions(only=("memory",))))


def test_without_the_data_the_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="hotpotqa"):
        list(tables(BenchOptions(data=tmp_path, only=("verdict",))))


@pytest.mark.slow
@pytest.mark.parametrize(("part", "least"), [pytest.param("conflict", 2, marks=pytest.mark.nightly), ("verdict", 1)])
def test_every_part_has_its_tables_on_a_sample(part: str, least: int) -> None:
    try:
        data_folder()
    except UnreadableSource as missing:
        pytest.skip(str(missing))
    found = list(tables(BenchOptions(only=(part,), quick=True)))
    assert len(found) >= least
    assert all(len(row) == len(table.columns) for table in found for row in table.rows)
