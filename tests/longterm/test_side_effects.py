"""Queries, files and charts in what a worker did; nothing that changes data is offered again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from amb_longterm.side_effects import SideEffect, side_effects


def _texts(answer: str, **call: object) -> list[tuple[str, str]]:
    return [(effect.kind, effect.text) for effect in side_effects(answer, [call] if call else [])]


def test_a_fenced_query_and_the_paths_around_it_are_found() -> None:
    answer = "Here:\n```sql\nSELECT a\nFROM t;\n```\nSaved to out/result.csv and `charts/two words.png`."
    assert _texts(answer) == [
        ("sql", "SELECT a\nFROM t"),
        ("file", "out/result.csv"),
        ("chart", "charts/two words.png"),
    ]


@pytest.mark.parametrize(
    "path", ["/tmp/x/report.pdf", "./a.xlsx", "~/b.md", r"C:\data\c.csv", "d-1.parquet", "报告/三季度.pdf"]
)
def test_paths_of_every_make_are_found(path: str) -> None:
    assert _texts(f"结果在 {path} ，请查收") == [("file", path)]


@pytest.mark.parametrize(
    "text", ["See https://example.com/a.csv", "www.example.org/b.pdf", "Version 2.5", "e.g. nothing", "1.2.json5"]
)
def test_addresses_and_figures_are_no_paths(text: str) -> None:
    assert _texts(text) == []


def test_queries_are_found_in_tool_calls_too() -> None:
    query = "WITH x AS (SELECT 1 AS a) SELECT a FROM x"
    assert _texts("", name="run_sql", arguments=f'{{"query": "{query}"}}', output="saved out.svg") == [
        ("sql", query),
        ("chart", "out.svg"),
    ]
    assert _texts("", name="run_sql", arguments={"args": [{"sql": query}]}) == [("sql", query)]


@pytest.mark.parametrize(
    "query",
    [
        "DROP TABLE orders",
        "SELECT 1 FROM t; DELETE FROM t",
        "WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d",
        "SELECT * FROM t INTO OUTFILE '/etc/x'",
        "UPDATE t SET a = 1",
        "SELECT load_file('/etc/passwd') FROM t",
        "EXPLAIN INSERT INTO t VALUES (1)",
        "not a query",
        "SELECT " + "a, " * 2_000 + "b FROM t",
    ],
)
def test_a_query_that_changes_something_or_is_none_is_not_kept(query: str) -> None:
    assert _texts(f"```sql\n{query}\n```") == []


def test_words_in_strings_and_comments_change_nothing() -> None:
    query = "-- drop it; later\nSELECT a FROM t WHERE b = 'drop table; x'"
    assert side_effects(f"```sql\n{query}\n```") == (SideEffect("sql", query),)


def test_much_is_cut_and_repeats_are_one() -> None:
    assert len(side_effects(" ".join(f"f{n}.csv" for n in range(50)))) == 8
    assert len(side_effects("a.csv a.csv a.csv")) == 1


@pytest.mark.parametrize("part", ["a/", "x.", '"', "-- \n", "```sql\n", "SELECT /*", "a:/"])
def test_a_text_made_to_take_long_takes_work_in_its_length(part: str, growth: Callable[..., float]) -> None:
    assert growth(lambda times: side_effects(part * times, [{"arguments": part * times}]), 1_000) < 8
