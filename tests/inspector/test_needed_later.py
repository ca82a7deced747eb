"""What later calls needed of old results, the words a passage shares with its moment, and the price: from real runs."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from amb_core.inspector.needed_later import later_uses, shared_words
from amb_core.inspector.payload import page_payload
from amb_core.models import BankSnapshot, Injection, InteractionEntry, Receipt, Span

doors_run: Callable[..., BankSnapshot] = runpy.run_path(str(Path(__file__).with_name("doors_run.py")))["doors_run"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_value_that_only_an_old_result_held_is_found_with_its_call_its_source_and_its_request(language: str) -> None:
    run = doors_run(language=language)
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
    first = InteractionEntry(entry_id="e1", text="", timestamp=run.entries[0].timestamp, forgotten=True)
    assert later_uses(run.model_copy(update={"entries": (first, *run.entries[1:])})) == []


def test_a_bank_without_requests_needed_nothing(empty: BankSnapshot) -> None:
    assert later_uses(empty) == []


def test_a_passage_names_the_words_it_shares_with_what_the_agent_was_doing() -> None:
    run = doors_run()
    entries = {entry.entry_id: entry for entry in run.entries}
    asked = run.injections[9]
    (first,) = (one for one in asked.receipts if one.spans and one.spans[0].entry_id == "e1")
    shared = shared_words(asked, first, entries)
    assert {"door_0", "code"} <= set(shared)
    assert "wall" not in shared


def test_a_part_of_a_dotted_name_is_a_word_too() -> None:
    entry = InteractionEntry(entry_id="e1", text="can = symbols.makeChild(features)", timestamp=1.0)
    whole = Span(entry_id="e1", start=0, end=len(entry.text))
    told = {"node_id": "n1", "rank": 0, "score": 1.0, "reason": "", "tokens": 9, "form": "passage", "spans": (whole,)}
    asked = Injection(
        turn=1, timestamp=2.0, query="call makeChild", block="", receipts=(), prompt_tokens=1, raw_tokens=1
    )
    assert shared_words(asked, Receipt.model_validate(told), {"e1": entry}) == ["makeChild"]


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
