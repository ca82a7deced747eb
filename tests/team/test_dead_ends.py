"""Dead ends that lead on, and queries that are written like the name of a page."""

from __future__ import annotations

import pytest

from amb_team.curator import is_dead_end, suggestions


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Could not find [Velm]. Similar: ['Rose (film)', \"Harry's Velm\"].", "Harry's Velm"),
        ("No results. Did you mean: Rose Garden, Velm Harbour?", "Velm Harbour"),
        ("未找到。相似条目：《玫瑰》、《维尔姆港》", "维尔姆港"),
        ("No results.", None),
    ],
)
def test_a_dead_end_leads_on_to_what_bears_on_the_task(text: str, first: str | None) -> None:
    assert is_dead_end(text)
    task = "维尔姆港在哪里？" if "未" in text else "Where is Velm Harbour?"
    assert next(iter(suggestions(text, task=task)), None) == first
