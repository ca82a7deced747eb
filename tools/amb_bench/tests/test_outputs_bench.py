"""`amb bench outputs`: every answer stands in its output, and memory finds most of them in a small block."""

from __future__ import annotations

import pytest
from amb_bench.benches import BENCHES, BenchOptions
from amb_bench.outputs_bench import read_outputs


def test_every_answer_stands_in_its_output_and_not_in_its_question() -> None:
    outputs = read_outputs()
    assert len({one.name for one in outputs}) == len(outputs) >= 12
    for one in outputs:
        assert len(one.questions) >= 4
        assert all(answer in one.output and answer not in question for question, answer in one.questions)


@pytest.mark.nightly
def test_memory_finds_more_answers_than_windows_in_small_blocks() -> None:
    [table] = BENCHES["outputs"].tables(BenchOptions(quick=True))
    found = {name: counts for name, *counts in table.rows}
    assert found["all in one bank: AMB"][0] > found["all in one bank: BM25 windows"][0]
