"""The speed table names every operation; how long they take is not a matter for tests."""

from __future__ import annotations

from amb_core.evaluation.benches import BenchOptions
from amb_core.evaluation.speed_bench import SpeedEmbedder, tables


def test_every_operation_is_timed_at_every_size() -> None:
    for table in tables(BenchOptions(only=("60", "120"))):
        assert {"add", "hybrid search", "replace", "remove", "floor: add"} <= {str(row[0]) for row in table.rows}
        assert all(float(row[1]) > 0 for row in table.rows)


def test_its_vectors_have_unit_length() -> None:
    rows = SpeedEmbedder().embed(["one", "three"])
    assert rows.shape == (2, 384)
    assert (abs((rows**2).sum(axis=1) - 1) < 1e-5).all()
