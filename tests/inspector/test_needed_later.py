"""What later calls needed of old results, the words a passage shares with its moment, and the price: from real runs."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from amb_core.models import BankSnapshot, InteractionEntry
from amb_inspector.needed_later import later_uses
from amb_inspector.payload import page_payload

doors_run: Callable[..., BankSnapshot] = runpy.run_path(str(Path(__file__).with_name("doors_run.py")))["doors_run"]


def test_what_the_goal_names_and_what_was_forgotten_is_not_looked_for() -> None:
    run = doors_run()
    named = run.insight.model_copy(update={"task_goal": "Open the door with K-4000."})
    assert later_uses(run.model_copy(update={"insight": named})) == []
    gone = InteractionEntry(entry_id="e1", text="", timestamp=run.entries[0].timestamp, forgotten=True)
    entries = tuple(gone if entry.entry_id == "e1" else entry for entry in run.entries)
    assert later_uses(run.model_copy(update={"entries": entries})) == []


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
