"""The page of long-term memory holds its settings as they are."""

from pathlib import Path

import pytest

from amb_longterm import LongTermSettings

PAGE = Path(__file__).parents[2] / "docs" / "longterm.md"
SEED_NAMES = {
    "MEMORY_BACKEND": "backend",
    "MEMORY_TOP_K": "top_k",
    "MEMORY_MIN_SCORE": "min_score",
    "MEMORY_DECAY_LAMBDA": "decay_lambda",
    "MEMORY_MAX_CONTEXT_TOKENS": "max_context_tokens",
    "MEMORY_NAMESPACES": "namespaces",
}


def test_the_page_holds_the_table_as_it_is_now():
    assert LongTermSettings.table() in PAGE.read_text(encoding="utf-8"), "renew it: LongTermSettings.table()"


def test_every_setting_is_in_the_table_with_its_meaning():
    rows = [line.split("|") for line in LongTermSettings.table().splitlines()[2:]]

    assert [row[1].strip(" `") for row in rows] == list(LongTermSettings.model_fields)
    assert all(row[5].strip() not in ("", "None") for row in rows)


@pytest.mark.parametrize(("variable", "name"), SEED_NAMES.items())
def test_a_setting_can_be_given_by_its_original_name(variable, name, monkeypatch):
    given = {"backend": "sqlite", "min_score": 0.5, "decay_lambda": 0.5, "namespaces": "facts,habits"}.get(name, 77)
    monkeypatch.setenv(variable, str(given))

    wanted = ("facts", "habits") if name == "namespaces" else given
    assert getattr(LongTermSettings(), name) == wanted
    assert f"`{variable}`" in LongTermSettings.table()
