"""Hostile tool outputs leave the prompt's structure, the plan and everything else in memory as they were."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

HERE = Path(__file__).parent
READER = SimpleNamespace(**runpy.run_path(str(HERE / "obedience.py")))
STORY = SimpleNamespace(**runpy.run_path(str(HERE / "story.py")))
CASES = STORY.CASES
IN_TURN = (pytest.mark.slow, pytest.mark.nightly)
each_in_turn = pytest.mark.parametrize(
    ("language", "text"),
    [
        pytest.param(*case.values, id=case.id, marks=IN_TURN[: 1 if number % 6 == 0 else 2])
        for number, case in enumerate(CASES)
    ],
)


def test_there_are_enough_attacks_and_each_says_where_it_was_reported() -> None:
    assert len(STORY.ATTACKS) >= 90
    assert len({name for name, *_ in STORY.ATTACKS}) == len(STORY.ATTACKS)
    assert all(len(pattern) > 3 and len(report) > 20 for _, pattern, report, _ in STORY.ATTACKS)


def test_the_reader_obeys_most_of_them_where_nothing_is_escaped() -> None:
    obeyed = [
        name for name, _, _, text in STORY.ATTACKS if READER.orders(f"<task>\n{text}\n</task>\n<memory>\n</memory>")
    ]
    assert len(obeyed) >= 60


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("language", "text"), CASES)
def test_the_prompt_keeps_its_structure_and_memory_its_knowledge(language: str, text: str) -> None:
    with STORY.begun(language) as bank:
        before, known = STORY.knowledge(bank), [node.id for node in bank.nodes]
        STORY.planted(bank, text, language)
        for block in (bank.host.enhance(), bank.host.enhance(query=STORY.framed(text, language))):
            assert READER.orders(block.text) == []
            assert [marker for marker in READER.structure(block.text) if marker.kind == "note"] == []
            heads = {receipt.reason for receipt in block.receipts}
            assert sorted(READER.steps_shown(block.text)) == sorted(READER.steps_shown("\n".join(sorted(heads))))
        assert STORY.knowledge(bank, of=known) == before
        assert bank.merges == ()
        assert [conflict.status for conflict in bank.conflicts if conflict.status == "resolved"] == []


@each_in_turn
def test_forgetting_a_hostile_result_leaves_the_bank_as_if_it_had_never_come(language: str, text: str) -> None:
    with STORY.begun(language) as bank, STORY.begun(language) as clean:
        for entry_id in reversed(STORY.planted(bank, text, language)):
            bank.forget(entry_id)
        assert STORY.everything(bank) == STORY.everything(clean)


@each_in_turn
def test_source_pages_show_hostile_text_without_tags_roles_or_heads_of_its_own(language: str, text: str) -> None:
    with STORY.begun(language) as bank:
        entries = STORY.planted(bank, text, language)
        for node in bank.nodes:
            for page in STORY.pages_of(bank, node.id):
                found = READER.structure(page)
                assert {marker.kind for marker in found} <= {"note", "label"}
                assert {marker.text for marker in found if marker.kind == "note"} <= {"e1", "e2", *entries}


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_budget_cuts_a_block_so_that_it_can_be_broken(language: str) -> None:
    with STORY.begun(language) as bank:
        for name, _, _, text in STORY.ATTACKS:
            if name.startswith("zh-") == (language == "zh"):
                STORY.planted(bank, text, language)
        for _, _, _, text in STORY.ATTACKS[::3]:
            blocks = [bank.host.enhance(query=text, budget_tokens=budget) for budget in (40, 100, 300, 900)]
            assert [READER.orders(block.text) for block in blocks] == [[]] * len(blocks)
