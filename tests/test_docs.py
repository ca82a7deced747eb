"""What the pages show is true: every Python fence runs, and prints what the page says it prints.

The fences of one page share a namespace, and run as a reader copies them from the rendered page, from the first one on:
what stands in a comment is not there. A fence followed by `<!-- output -->` and a text fence must print that text.
Behind the comment `<!-- a program of its own -->` a page begins anew, with another framework perhaps.
"""

from __future__ import annotations

import contextlib
import html
import io
import os
import re
import runpy
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    *(ROOT / "README.md", ROOT / "README.zh.md"),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(ROOT.glob("tools/*/README.md")),
]
FENCE = re.compile(
    r"^```python\n(?P<code>.*?)^```$(?:\n+<!-- output -->\n+```text\n(?P<output>.*?)^```$)?", re.MULTILINE | re.DOTALL
)
APART = "<!-- a program of its own -->"
UNSEEN = re.compile(r"<!--(?! output -->).*?-->", re.DOTALL)
"""What no reader sees."""
FRAMEWORKS, marks_for = itemgetter("FRAMEWORKS", "marks_for")(
    runpy.run_path(str(Path(__file__).with_name("frameworks.py")))
)
NEEDS = re.compile(rf"^(?:from|import) amb_({'|'.join(FRAMEWORKS)})\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Fence:
    """One piece of code: the line it begins on, and what it prints (None: the page does not say)."""

    code: str
    line: int
    output: str | None


def fences(text: str) -> list[Fence]:
    """The Python fences of a page that a reader sees, in order."""
    text = UNSEEN.sub(lambda unseen: "\n" * unseen.group().count("\n"), text)
    return [Fence(m["code"], text.count("\n", 0, m.start("code")), m["output"]) for m in FENCE.finditer(text)]


def programs(text: str) -> list[str]:
    """The parts of a page that run by themselves, each on the lines where it stands."""
    parts, before = [], 0
    for part in text.split(APART):
        parts.append("\n" * before + part)
        before += part.count("\n")
    return parts


def marks_of(program: str) -> list[Any]:
    """The marks of the frameworks that a program imports."""
    code = "".join(fence.code for fence in fences(program))
    marks = marks_for(sorted(set(NEEDS.findall(code))), program)
    if "from deepagents import" in code and find_spec("deepagents") is None:
        marks.append(pytest.mark.skip(reason="deepagents is not installed: make test-frameworks-b"))
    return marks


def _with_marks(page: Path, number: int, program: str) -> object:
    folder = page.parent.name
    name = f"{folder}-{page.stem}" if folder == "zh" or page.parent.parent.name == "tools" else page.stem
    return pytest.param(page, program, id=f"{name}-{number + 1}" if number else name, marks=marks_of(program))


PROGRAMS = [
    _with_marks(page, number, program)
    for page in PAGES
    for number, program in enumerate(programs(page.read_text(encoding="utf-8")))
    if fences(program)
]


def printed_by(page: Path, program: str) -> Iterator[tuple[Fence, str]]:
    """Each fence of a program with what it prints, run in order in one namespace."""
    namespace: dict[str, Any] = {"__name__": "page"}
    for fence in fences(program):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * fence.line + fence.code, str(page), "exec"), namespace)
        yield fence, printed.getvalue()


@pytest.mark.parametrize(("page", "program"), PROGRAMS)
def test_the_code_of_the_page_runs_and_prints_what_it_says(
    page: Path, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("AMB_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("OPENAI_API_KEY", "as who has one; no page asks the provider")
    for fence, printed in printed_by(page, program):
        assert fence.output in (None, printed), "python tests/test_docs.py PAGE writes what is printed into the page"
        assert fence.output != "", f"line {fence.line}: an example that shows what is printed has something to show"


def test_fences_are_found_with_what_they_print() -> None:
    text = "# A\n\n```python\na = 1\n```\n\nWords.\n\n```python\nprint(a)\n```\n\n<!-- output -->\n```text\n1\n```\n"
    assert fences(text) == [Fence("a = 1\n", 3, None), Fence("print(a)\n", 9, "1\n")]


def test_a_part_of_a_page_may_be_a_program_of_its_own() -> None:
    first, second = programs(f"```python\na = 1\n```\n{APART}\n```python\nprint(2)\n```\n")
    assert [fence.code for fence in fences(first)] == ["a = 1\n"]
    assert fences(second) == [Fence("print(2)\n", 5, None)]


def test_what_stands_in_a_comment_is_not_run() -> None:
    text = "<!-- Here.\n```python\na = 1\n```\n-->\n\n```python\nprint(1)\n```\n"
    assert fences(text) == [Fence("print(1)\n", 7, None)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_fences_are_those_of_the_rendered_page(page: Path) -> None:
    markdown_it = pytest.importorskip("markdown_it", reason="no renderer is installed here")
    text = page.read_text(encoding="utf-8")
    rendered = markdown_it.MarkdownIt("commonmark").render(text)
    shown = re.findall(r'<pre><code class="language-python">(.*?)</code></pre>', rendered, re.DOTALL)
    assert [fence.code for fence in fences(text)] == [html.unescape(code) for code in shown if code.strip()]


def _write_outputs(page: Path) -> None:
    """Put what the fences print now into the page; a program whose framework is not here is left as it is."""
    text = page.read_text(encoding="utf-8")
    here = [
        program
        for program in programs(text)
        if not any(mark.args[:1] == (True,) or mark.name == "skip" for mark in marks_of(program))
    ]
    printed = {fence.line: told for program in here for fence, told in printed_by(page, program)}

    def filled(match: re.Match[str]) -> str:
        if match["output"] is None or text.count("\n", 0, match.start("code")) not in printed:
            return match.group()
        start, end = match.start("output") - match.start(), match.end("output") - match.start()
        return match.group()[:start] + printed[text.count("\n", 0, match.start("code"))] + match.group()[end:]

    page.write_text(FENCE.sub(filled, text), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name).resolve()
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            _write_outputs(path)


def test_every_file_the_architecture_names_is_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    named = re.findall(r"`((?:\w+/)*\w+\.py)`", text)
    assert len(named) > 12
    assert not [name for name in named if not any((ROOT / home / name).is_file() for home in ("", "amb_core", "tools"))]


def test_every_measured_figure_of_the_readme_stands_on_the_page_it_is_from() -> None:
    """Shares are whole per cent in the README, and to a tenth on the page."""

    def rows(page: Path, head: str) -> list[list[str]]:
        table = page.read_text("utf-8").split(head)[1].split("\n\n")[0]
        return [
            re.findall(r"\d*\.?\d+", line.split("|", 2)[2].replace(" of 25", "")) for line in table.splitlines()[2:]
        ]

    shown = rows(ROOT / "README.md", "| every request within the same bound |")
    measured = rows(ROOT / "docs" / "measured.md", "| arm, same bound |")
    assert len(shown) == len(measured) == 5
    for ours, theirs in zip(shown, measured, strict=True):
        assert len(ours) == len(theirs) == 10
        for one, other in zip(ours, theirs, strict=True):
            assert float(one) == (int(float(other) + 0.5) if float(other) > 25 else float(other))


def test_the_two_readmes_show_the_same_code_figures_and_pages() -> None:
    english, chinese = ((ROOT / name).read_text("utf-8") for name in ("README.md", "README.zh.md"))
    shown = [
        (
            re.findall(r"^```bash\n.*?^```$", text, re.MULTILINE | re.DOTALL)[0].count("\n"),
            sorted(set(re.findall(r"docs/(?:zh/)?([\w-]+\.md)", text))),
            sorted(set(re.findall(r"\d[\d,.]*\d", text))),
        )
        for text in (english, chinese)
    ]
    assert shown[0] == shown[1]
