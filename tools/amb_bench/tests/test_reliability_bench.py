"""`amb bench reliability`: every part gives a table of counts."""

from __future__ import annotations

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.reliability_bench import tables

from amb_core.errors import InvalidParameter


@pytest.mark.nightly
@pytest.mark.slow
def test_a_part_gives_its_table_and_nothing_is_lost() -> None:
    [table] = tables(BenchOptions(only=("faults",), quick=True))
    [row] = table.rows
    assert table.columns[-1] == "disagreements"
    assert (row[1], row[-1]) == (2.0, 0.0)


def test_an_unknown_part_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(InvalidParameter, match="kills, faults, disks, threads"):
        next(tables(BenchOptions(only=("floods",))))
