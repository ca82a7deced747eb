"""A long tool loop through the adapter: requests stay small, and the page that draws them stands alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from amb_bench.bounded_plot import page_of, write_plots
from amb_bench.bounded_prompts import PromptRun, outputs, prompt_run, prompt_table

from amb_core.settings import Settings

RUN = PromptRun(
    "a <run>",
    5_000,
    tuple((5_000 * n, 1_200 * n) for n in range(30)),
    tuple((min(9_000, 5_000 * n), 900) for n in range(30)),
)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["zh", pytest.param("en", marks=pytest.mark.nightly)])
def test_requests_stay_under_the_budget_while_the_transcript_grows(language: str, tmp_path: Path) -> None:
    source, texts = outputs(language, calls=14, chars=1_500, folder=tmp_path / "none")
    settings = Settings(prompt_budget_tokens=2_500, block_tokens=400, max_raw_tokens=400)
    run = prompt_run("small", texts, language=language, settings=settings)
    assert source == "generated sentences"
    assert [len(text) for text in texts] == [1_500] * 14
    assert len(run.raw) == len(run.bounded) == 15
    assert run.raw[-1][0] > 14 * 1_500
    assert max(tokens for _, tokens in run.bounded) <= 2_500


def test_the_table_has_some_requests_the_largest_and_the_sum() -> None:
    rows = {row[0]: row[1:] for row in prompt_table(RUN).rows}
    assert list(rows) == [
        "request 1",
        "request 2",
        "request 5",
        "request 10",
        "request 20",
        "request 30",
        "largest",
        "all together",
    ]
    assert rows["largest"][:4] == ("145,000", "9,000", "34,800", "900")
    assert rows["all together"][0] == f"{sum(5_000 * n for n in range(30)):,}"


def test_the_page_needs_nothing_from_elsewhere_and_says_the_figures() -> None:
    page = page_of([RUN, RUN])
    assert "http" not in page
    assert "<script" not in page
    assert "a &lt;run&gt;" in page
    assert page.count("<svg") == page.count("</svg>") == 4
    assert "largest 145,000" in page


def test_the_plots_are_written_where_they_are_wanted(tmp_path: Path) -> None:
    written = write_plots([RUN], tmp_path / "new")
    assert written[0] == tmp_path / "new" / "bounded.html"
    assert all(path.stat().st_size > 1_000 for path in written)


def test_a_run_of_no_calls_can_be_drawn() -> None:
    nothing = PromptRun("empty", 0, ((10, 3),), ((12, 4),))
    assert "largest 12" in page_of([nothing])
    assert prompt_table(nothing).rows[0][1:3] == ("10", "12")
