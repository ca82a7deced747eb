"""The dead whom speech reports as living, and what is no death."""

from __future__ import annotations

from functools import cache

import pytest
from amb_book.checking import ConsistencyChecker
from amb_book.facts import FactGraph
from amb_book.graph import RecordGraph

from amb_core.stores import InMemoryStore

_PEOPLE = {
    "en": ("Lady Ottoline Marr", "Sir Giles Marr", "Piers Lowe", "Bridget Fenn", "Tom Askew"),
    "zh": ("岑月娥", "岑伯庸", "卢阿七", "方小蝶", "丁老五"),
}
_ALIAS = {"en": "the Heron", "zh": "鹭翁"}
_LEDGER = {"en": "Toll Ledger", "zh": "税册"}
_GONE = {"en": ("dead", "lost his right leg", "destroyed"), "zh": ("已死", "失去右腿", "烧毁")}


@cache
def _book(language: str) -> FactGraph:
    facts = FactGraph(RecordGraph(InMemoryStore(), "book:facts"))
    lady, sir, dead, _, lame = people = _PEOPLE[language]
    gone, leg, burnt = _GONE[language]
    statements: list[dict[str, object]] = [{"entity": each, "kind": "character"} for each in people]
    statements[2]["aliases"] = [_ALIAS[language]]
    statements += [{"entity": _LEDGER[language], "kind": "item"}]
    statements += [{"subject": lady, "relation": "MARRIED_TO", "object": sir}]
    facts.settle(chapter=1, statements=statements)
    states = {sir: gone, dead: gone, lame: leg, _LEDGER[language]: burnt}
    facts.settle(chapter=2, statements=[{"status": {"of": who, "is": how}} for who, how in states.items()])
    return facts


def _found(draft: str) -> list[tuple[str, str]]:
    facts = _book("en" if draft.isascii() else "zh")
    return [(each.kind, each.entities[0]) for each in ConsistencyChecker().check(draft, facts=facts)]


@pytest.mark.parametrize(
    ("draft", "kind", "who"),
    [
        ("“鹭翁刚从码头回来，说船已备好。”方小蝶道。", "alias_dead", "卢阿七"),
        ("方小蝶端着碗。只见那鹭翁捋着胡子从人群里挤出来。", "alias_dead", "卢阿七"),
        ("Bridget Fenn counts the coins. The lamp has died. Piers lifts the lid and grins.", "dead_acts", "Piers Lowe"),
        ("Bridget Fenn pretends to be reading. Piers lifts the lid and grins.", "dead_acts", "Piers Lowe"),
    ],
)
def test_the_dead_are_found_in_what_is_reported_and_told_now(draft: str, kind: str, who: str) -> None:
    assert (kind, who) in _found(draft)
