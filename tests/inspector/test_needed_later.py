"""What later calls needed of old results, the words a passage shares with its moment, and the price: from real runs."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from amb_core.models import BankSnapshot, InteractionEntry
from amb_inspector.needed_later import later_uses, shared_words
from amb_inspector.payload import page_payload

doors_run: Callable[..., BankSnapshot] = runpy.run_path(str(Path(__file__).with_name("doors_run.py")))["doors_run"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_value_that_only_an_old_result_held_is_found_with_its_call_its_source_and_its_request(language: str) -> None:
    run = doors_run(language=language, budget=2_500)
    (use,) = later_uses(run)
    assert (use["value"], use["source"], use["call"], use["there"]) == ("K-4000", "e1", "e13", True)
    assert "K-4000" in run.injections[use["turn"]].block


def test_a_value_that_the_block_did_not_say_is_counted_as_not_there() -> None:
    run = doors_run(asks_first=False)
    silent = tuple(injection.model_copy(update={"block": ""}) for injection in run.injections)
    (use,) = later_uses(run.model_copy(update={"injections": silent}))
    assert not use["there"]


def test_what_the_newest_two_results_hold_is_not_far() -> None:
    assert later_uses(doors_run(calls=2)) == []


def test_what_the_goal_names_and_what_was_forgotten_is_not_looked_for() -> None:
    run = doors_run()
    named = run.insight.model_copy(update={"task_goal": "Open the door with K-4000."})
    assert later_uses(run.model_copy(update={"insight": named})) == []
    gone = InteractionEntry(entry_id="e1", text="", timestamp=run.entries[0].timestamp, forgotten=True)
    entries = tuple(gone if entry.entry_id == "e1" else entry for entry in run.entries)
    assert later_uses(run.model_copy(update={"entries": entries})) == []


def test_a_bank_without_requests_needed_nothing(empty: BankSnapshot) -> None:
    assert later_uses(empty) == []


def test_a_passage_names_the_words_it_shares_with_what_the_agent_was_doing() -> None:
    run = doors_run(budget=2_000)
    asked = page_payload(run)["words"][-1]
    first = next(at for at, one in enumerate(run.injections[-1].receipts) if [s.entry_id for s in one.spans] == ["e1"])
    assert {"door_0", "code"} <= set(asked[first])
    assert "wall" not in asked[first]


def test_a_part_of_a_dotted_name_is_a_word_too() -> None:
    assert shared_words("call makeChild", "can = symbols.makeChild(features)") == ["makeChild"]


@pytest.mark.parametrize(
    ("shown", "shared"),
    [
        ("青屿海水淡化厂的日产水量为8万吨，工厂采用反渗透工艺。", {"青屿海水淡化厂", "日产水量", "采用", "工艺"}),
        ("值班长说，淡化厂今年停产。", {"淡化厂"}),
        ("生产水平很高。", set()),
    ],
)
def test_of_chinese_the_whole_stretch_is_named_and_no_pair_across_two_words(shown: str, shared: set[str]) -> None:
    assert set(shared_words("青屿海水淡化厂的日产水量是多少？采用什么工艺？", shown)) == shared


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("Find out: where the gulls nest", "Look here to find out more, from memory."),
        ("Answer the question from memory, citing nodes; look up only what is still missing: gulls", "A question."),
        ("查明：海鸥在哪里筑巢", "已经查明，放不进记忆。"),
        ("根据记忆回答问题并注明节点，只查仍然缺少的内容：海鸥", "回答问题时注明节点。"),
    ],
)
def test_the_planners_own_words_are_no_reason(asked: str, shown: str) -> None:
    assert shared_words(asked, shown) == []


def test_the_price_of_a_model_is_on_the_page_only_where_it_is_known() -> None:
    run = doors_run(calls=2)
    known, unknown, unnamed = (page_payload(run, model=name)["price"] for name in ("gpt-5-mini", "nobody's", ""))
    assert known["prompt"] > 0
    assert known["currency"] == "USD"
    assert (unknown["prompt"], unknown["model"], unnamed["prompt"]) == (None, "nobody's", None)


def test_a_price_list_of_ones_own_has_no_currency(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "prices.json"
    own.write_text('{"house": {"prompt": 2.0, "completion": 4.0}}')
    monkeypatch.setenv("AMB_PRICES", str(own))
    assert page_payload(doors_run(calls=2), model="house")["price"] == {
        "model": "house", "prompt": 2.0, "currency": "", "day": "",
    }  # fmt: skip
