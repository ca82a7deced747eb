"""English and Chinese are equals: every page is there twice, with the same code, settings and measured tables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from amb_core.settings import CheckedSettings, Settings
from amb_longterm import LongTermSettings
from amb_team import TeamSettings

DOCS = Path(__file__).resolve().parents[1] / "docs"
ENGLISH = {page.name: page.read_text("utf-8") for page in DOCS.glob("*.md")}
CHINESE = {page.name: page.read_text("utf-8") for page in (DOCS / "zh").glob("*.md")}
LINK_TO_ENGLISH = re.compile(r"\]\(\.\./([\w-]+\.md)")
FENCE = re.compile(r"^```(\w+)\n", re.MULTILINE)
MEASURED = re.compile(r"<!-- table: .*?<!-- end of table -->", re.DOTALL)
FIGURE = re.compile(r"\d[\d,.]*\d|\.?\d+")
ONLY_IN_ENGLISH = {"glossary.md": "glossary.md"}
"""Chinese pages that lead to more on the English one, such as rare words."""


def _rows(table: str) -> list[list[str]]:
    """Name, variables, default and range of each setting, without the words of a language."""
    rows = [line.split(" | ")[:4] for line in table.splitlines() if re.match(r"\| `\w+` \| `[A-Z]", line)]
    return [[re.sub(r" and | 且 ", " & ", cell).replace("`、`", "`, `") for cell in row] for row in rows]


WRAPPED = re.compile(
    r"^(?![#|<>]|```).*[\u3000-\u9fff\uff00-\uffef].*\n(?!\s*(?:$|[-*+] |\d+\. |[#|<>]|```))", re.MULTILINE
)
FENCED = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "page",
    [
        *DOCS.glob("zh/*.md"),
        *DOCS.parent.glob("examples/projects/**/README.zh.md"),
        *(DOCS.parent / name for name in ("README.zh.md", "SECURITY.md", "CONTRIBUTING.md")),
    ],
    ids=lambda page: page.relative_to(DOCS.parent).as_posix(),
)
def test_a_chinese_paragraph_is_one_line(page: Path) -> None:
    """A forge shows the end of a line inside of it as a blank, which Chinese has not."""
    assert not WRAPPED.findall(FENCED.sub("", page.read_text("utf-8")))


def test_every_page_is_there_in_both_languages() -> None:
    assert set(ENGLISH) == set(CHINESE)


@pytest.mark.parametrize("name", sorted(CHINESE))
def test_a_chinese_page_leads_to_chinese_pages(name: str) -> None:
    led = set(LINK_TO_ENGLISH.findall(CHINESE[name])) & set(CHINESE)
    assert led <= {ONLY_IN_ENGLISH.get(name)}


def test_the_chinese_readme_leads_to_chinese_pages() -> None:
    text = (DOCS.parent / "README.zh.md").read_text("utf-8")
    assert [name for name in re.findall(r"\]\(docs/([\w-]+\.md)", text) if name in CHINESE] == []


@pytest.mark.parametrize("name", sorted(CHINESE))
def test_a_chinese_page_shows_as_much_code_as_the_english_one(name: str) -> None:
    english, chinese = (FENCE.findall(pages[name]) for pages in (ENGLISH, CHINESE))
    assert chinese == english


@pytest.mark.parametrize(
    ("name", "settings"),
    [("settings.md", Settings), ("longterm.md", LongTermSettings), ("team.md", TeamSettings)],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_a_chinese_page_shows_the_settings_as_they_are(name: str, settings: type[CheckedSettings]) -> None:
    assert _rows(CHINESE[name]) == _rows(settings.table())
    assert re.search(r"^\| `\w+` .*[\u4e00-\u9fff]+.* \|$", CHINESE[name], re.MULTILINE)


@pytest.mark.parametrize("name", ["measured.md", "scale.md"])
def test_tables_that_commands_write_are_the_same_in_both_languages(name: str) -> None:
    assert MEASURED.findall(ENGLISH[name])
    assert MEASURED.findall(CHINESE[name]) == MEASURED.findall(ENGLISH[name])


@pytest.mark.parametrize(
    "name", ["integrations.md", "measured.md", "postgres.md", "scale.md", "security.md", "team.md"]
)
def test_tables_hold_the_same_figures_in_both_languages(name: str) -> None:
    english, chinese = (re.findall(r"^\|.*$", pages[name], re.MULTILINE) for pages in (ENGLISH, CHINESE))
    assert sorted(FIGURE.findall("\n".join(chinese))) == sorted(FIGURE.findall("\n".join(english)))
