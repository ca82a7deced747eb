"""Every example is short, and runs to its end without a key or a network."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import re
import runpy
import sys
import tempfile
import warnings
from contextlib import redirect_stderr, redirect_stdout
from difflib import ndiff
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
LINES = 60
QUICK = {"fifteen_lines"}
"""What the quick tests run of them: what is closest to what most people write."""
BY_NIGHT = {"supervisor", "hotpotqa_team"}
"""What tests/longterm/test_supervisor_example.py runs by day, and a whole experiment."""
PRINTS = re.compile(r"^# Prints: (.+)$", re.MULTILINE)
FRAMEWORKS, marks_for = itemgetter("FRAMEWORKS", "marks_for")(
    runpy.run_path(str(Path(__file__).with_name("frameworks.py")))
)


def _with_marks(example: Path) -> object:
    needed = [name for name in FRAMEWORKS if example.stem.startswith(f"{name}_")]
    marks = [*marks_for(needed, example.read_text(encoding="utf-8"))]
    if example.stem not in QUICK:
        marks.append(pytest.mark.slow)
    if example.stem in BY_NIGHT:
        marks.append(pytest.mark.nightly)
    return pytest.param(example, id=example.stem, marks=marks)


@cache
def _ran(example: Path) -> tuple[str, str]:
    """What the example prints and what it logs, run once for all tests that look at it; a start of Python is spared."""
    out, error = io.StringIO(), io.StringIO()
    warned = logging.StreamHandler(error)
    warned.setLevel(logging.WARNING)
    with (
        tempfile.TemporaryDirectory() as folder,
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(out),
        redirect_stderr(error),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("error", ResourceWarning)
        for name in [name for name in os.environ if name.startswith("AMB_")]:
            patch.delenv(name)
        patch.setenv("AMB_LANGUAGE", "en")
        patch.setattr(sys, "argv", [str(example)])
        patch.chdir(folder)
        logging.getLogger().addHandler(warned)
        code: Any = 0
        loop = asyncio.new_event_loop()  # the one of the thread may be at its end by what another test did
        asyncio.set_event_loop(loop)
        try:
            runpy.run_path(str(example), run_name="__main__")
        except SystemExit as ended:
            code = ended.code
        finally:
            logging.getLogger().removeHandler(warned)
            asyncio.set_event_loop(None)
            loop.close()
    assert not code
    return out.getvalue(), error.getvalue()


@pytest.mark.parametrize("example", [_with_marks(example) for example in EXAMPLES])
def test_the_example_runs_and_shows_its_point(example: Path) -> None:
    said, logged = _ran(example)
    point = PRINTS.search(example.read_text(encoding="utf-8"))
    assert point, "end it with a line: # Prints: …"
    assert point[1] in said
    assert not logged


@pytest.mark.slow
def test_the_agent_to_copy_quotes_its_memory_within_its_bound() -> None:
    said, _ = _ran(ROOT / "examples" / "own_agent.py")
    answer, source = said.partition("\n\n")[2].splitlines()[:2]
    assert '"finally"' in answer
    assert source.strip() == f"{re.findall(r'n[0-9]+', answer)[-1]}: read_page(name='try')"
    assert re.search(r"no request was above 7,\d{3} tokens of 8,000", said)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_the_example_is_short(example: Path) -> None:
    assert len(example.read_text(encoding="utf-8").splitlines()) <= LINES


def test_a_page_shows_how_little_differs_and_what_it_brings() -> None:
    page = (ROOT / "docs" / "start.md").read_text(encoding="utf-8")
    before, after = ((ROOT / "examples" / name).read_text(encoding="utf-8") for name in ("before.py", "after.py"))
    changed = [line for line in ndiff(before.splitlines(), after.splitlines()) if line[:1] in "+-"]
    shown = page.split("```diff\n")[1].split("```")[0]
    code = [line for line in changed if line[2:] and not line[2:].startswith('"""')]
    assert [line[0] + line[2:] for line in code] == [line for line in shown.splitlines() if line[0] in "+-"]


@pytest.mark.slow
def test_the_page_says_the_prompt_sizes_as_they_are() -> None:
    page = " ".join((ROOT / "docs" / "start.md").read_text(encoding="utf-8").split())
    said = re.search(r"has ([\d,]+) tokens before and ([\d,]+) after, and the largest one after has ([\d,]+)\.", page)
    assert said
    before, after = (
        [int(size) for size in _ran(ROOT / "examples" / name)[0].split(": ")[1].split()]
        for name in ("before.py", "after.py")
    )
    # The pages are those of the Python that runs; another one's are a little different.
    for shown, size in zip(said.groups(), (before[-1], after[-1], max(after)), strict=True):
        assert abs(int(shown.replace(",", "")) - size) < 0.15 * size + 200
