"""What the agent and the user say, and long arguments of calls, are kept, found, forgotten, and no evidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from amb_core import ContextAdapter, MemoryBank, Settings
from amb_core.adapter.chat_messages import MATE
from amb_core.models import InteractionEntry

PLAN = "\n".join(f"Stage {k}: paint panel {k * 13 % 97} in shade S{k * 31 % 211}." for k in range(160))
DECISION = "Decision: pump P-9 stays off, because its seal leaks since Monday evening."
SETTINGS = Settings(prompt_budget_tokens=3_000)


def _call(name: str, number: int, **arguments: Any) -> dict[str, Any]:
    return {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def _talk() -> list[dict[str, Any]]:
    return [
        {"role": "system", "content": "You are a careful engineer who looks after the pumps of a town."},
        {"role": "user", "content": "Look after the pumps."},
        {
            "role": "assistant",
            "content": DECISION,
            "tool_calls": [_call("write_file", 0, path="plan.txt", content=PLAN)],
        },
        {"role": "tool", "tool_call_id": "c0", "content": "OK"},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "Use port 8080."},
    ]


def _said(bank: MemoryBank) -> list[InteractionEntry]:
    return [entry for entry in bank.snapshot().entries if entry.metadata.get("kind") == "said"]


def _bank(**options: Any) -> MemoryBank:
    return MemoryBank("Look after the pumps.", settings=SETTINGS, **options)


def test_each_is_an_entry_once_without_notes_and_results_alone_are_steps() -> None:
    bank = _bank()
    for _ in range(2):
        ContextAdapter(bank).next_request(_talk())
    told = [(entry.metadata["speaker"], entry.metadata["step"]) for entry in _said(bank)]
    assert told == [("user", 1), ("agent", 1), ("agent", 1), ("user", 2)]
    assert (bank.size.entries, bank.size.messages) == (1, 4)
    assert not any(span.entry_id.startswith("w") for node in bank.nodes for span in node.sources)


@pytest.mark.parametrize(
    ("question", "header", "mark"),
    [
        ("Is pump P-9 to stay off?", "step 1 · you said", "its seal leaks"),
        ("In which shade is the panel of stage 57?", "step 1 · you wrote plan.txt", f"shade S{57 * 31 % 211}."),
        ("Which port is to be used?", "step 2 · the user said", "port 8080"),
    ],
)
def test_recall_finds_it_and_names_the_speaker(question: str, header: str, mark: str) -> None:
    bank = _bank()
    ContextAdapter(bank).next_request(_talk())
    found = bank.recall(question, budget_tokens=600)
    assert header in found.text
    assert mark in found.text
    assert found.tokens <= 600


def test_a_step_is_opened_with_what_was_said_at_it() -> None:
    bank = _bank()
    ContextAdapter(bank).next_request(_talk())
    assert [entry.entry_id for entry in bank.host.deep_retrieval("step 1")] == ["e1", "w1", "w2", "w3"]
    assert [entry.entry_id for entry in bank.host.deep_retrieval("step 2")] == ["w4"], "it led to what follows"
    answer = {"role": "assistant", "content": "Port 8080 it is, from the next start of the pumps on, as you wish."}
    call = {"role": "assistant", "content": None, "tool_calls": [_call("start", 1, port=8080)]}
    more = [answer, call, {"role": "tool", "tool_call_id": "c1", "content": "started"}]
    for talk in ([*_talk(), *more], [*_talk(), *more, {"role": "user", "content": "Stop pump P-9 again, please."}]):
        for each in (bank, _bank()):
            ContextAdapter(each).next_request(talk)
            texts = [entry.text for entry in each.host.deep_retrieval("step 2")]
            assert texts == ["started", "Use port 8080.", answer["content"]], "and the words of that step only"


@pytest.mark.parametrize("scheme", ["sqlite", "json"])
def test_it_is_the_same_after_reopening_and_stays_forgotten(scheme: str, tmp_path: Path) -> None:
    store = f"{scheme}:///{tmp_path}/bank.{scheme}"
    bank = _bank(store=store)
    ContextAdapter(bank).next_request(_talk())
    before = _said(bank)
    bank.close()
    bank = MemoryBank.resume(store=store, settings=SETTINGS)
    ContextAdapter(bank).next_request(_talk())
    assert _said(bank) == before
    for entry_id in ("w2", "e1"):  # an argument goes with its call
        bank.forget(entry_id)
    ContextAdapter(bank).next_request(_talk())
    assert [entry.entry_id for entry in _said(bank)] == ["w1", "w4"]
    assert "shade" not in bank.recall("In which shade is the panel of stage 57?").text
    bank.close()


def test_it_stays_in_the_bank_of_its_own_agent() -> None:
    own, shared, common, results = _bank(), _bank(), _bank(), MemoryBank("Go.", settings=Settings(keep="results"))
    ContextAdapter(own, shared=shared).next_request(_talk())
    ContextAdapter(common, sharing=True).next_request(_talk())
    ContextAdapter(results).next_request(_talk())
    assert len(_said(own)) == 4
    assert not [*_said(shared), *_said(common), *_said(results)]


@pytest.mark.parametrize("asked", ["src/part_{}/conf_{}.py", "https://ex.org/p/{}", "CU-10{}", "第{}号水闸的历史"])
def test_a_result_is_found_by_what_its_call_asked_for(asked: str) -> None:
    bank = _bank()
    talk: list[dict[str, Any]] = [{"role": "user", "content": "Check all items."}]
    for k in range(12):
        call = _call("get", k, what=asked.format(k, k))
        text = f"The keeper is Q{k}x. " + " ".join(f"lamp {k * j % 7} hangs at {j} cm." for j in range(9))
        talk += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{k}", "content": text},
        ]
    ContextAdapter(bank).next_request(talk)
    for k in range(12):
        assert f"Q{k}x" in bank.recall(f"What stood in {asked.format(k, k)}?", budget_tokens=300).text


def test_what_was_said_is_in_a_block_when_it_is_asked_for_and_takes_no_room_while_the_agent_works() -> None:
    adapter = ContextAdapter(_bank())
    talk = _talk()[:2]
    for number in range(14):
        said = DECISION if number == 2 else f"Gauge {number} of pump P-{number} is read next."
        talk += [
            {"role": "assistant", "content": said, "tool_calls": [_call("gauge", number, pump=f"P-{number}")]},
            {
                "role": "tool",
                "tool_call_id": f"c{number}",
                "content": "\n".join(f"P-{number} line {k}: {k * 7 % 91} bar, seal {k % 9}" for k in range(30)),
            },
        ]
        working = [str(message["content"]) for message in adapter.next_request(talk)]
        assert not any("you said" in text for text in working if "<memory>" in text)
    assert any("<memory>" in text for text in working)
    asked = adapter.next_request([*talk, {"role": "user", "content": "Does pump P-9 stay off, and why?"}])
    assert any("its seal leaks since Monday" in str(m["content"]) for m in asked if "<memory>" in str(m["content"]))


def test_what_a_team_mate_says_is_its_own_and_not_the_users() -> None:
    told = "The ferry to Bergen leaves at 14:20 from the northern quay on Mondays."
    with MemoryBank("Plan the trip.") as bank:
        mate = {"role": "user", "name": "retriever", "content": told, MATE: True}
        ContextAdapter(bank).next_request([{"role": "user", "content": "Plan the trip to Bergen, please."}, mate])
        assert [entry.metadata["speaker"] for entry in _said(bank)] == ["user", "agent"]
        assert "retriever said\n  The ferry" in bank.recall("When does the ferry leave?").text
