"""`amb bench`: names are checked, tables are shown as they come, and kept as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from amb_bench.benches import BenchOptions, run_bench, with_table
from amb_bench.tables import Table

from amb_cli import main
from amb_core.errors import InvalidParameter


@pytest.mark.slow
def test_a_bench_prints_its_tables_and_writes_them_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new" / "speed.json"
    assert main(["bench", "speed", "--only", "index,60", "--json", str(file)]) == 0
    [table] = json.loads(file.read_text(encoding="utf-8"))["tables"]
    assert table["title"] in capsys.readouterr().out
    assert all(row["ms"] > 0 for row in table["rows"])


def test_an_unknown_bench_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(InvalidParameter, match="retrieval"):
        run_bench("memory", options=BenchOptions(), show=print)


def test_without_the_data_one_line_says_where_it_is_looked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "retrieval", "--data", str(tmp_path)]) == 1
    assert str(tmp_path) in capsys.readouterr().err


def test_the_tables_of_a_page_are_written_anew_between_their_marks() -> None:
    page = "# A\n<!-- table: far -->\nolder\n<!-- end of table -->\nwords\n"
    table = Table("found", ("arm", "share"), (("amb", 98.04),), name="far")
    written = with_table(page, table)
    assert "\n| amb | 98.0 |\n<!-- end of table -->\nwords\n" in written
    assert "older" not in written
    assert with_table(written, table) == written
    assert with_table("# B\n", table) == "# B\n"
