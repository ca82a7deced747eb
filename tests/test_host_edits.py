"""A host may edit its transcript: pairs hold for ever after, and what was taken back is never quoted by itself."""

from __future__ import annotations

import json
import os
import runpy
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from amb_core import ContextAdapter, MemoryBank, Scope, Settings

GENERATED = runpy.run_path(str(Path(__file__).with_name("edited_talks.py")))
WRITERS, Host, codes_in, pairs_torn = itemgetter("WRITERS", "Host", "codes_in", "pairs_torn")(GENERATED)
SEEDS = range(40 if os.environ.get("DEEP") else 1)
WORDS = "anchor beacon cable dinghy eddy fender gangway hatch island jetty".split()
SETTINGS = Settings(prompt_budget_tokens=4_000, strict=True)
BUDGETS = (1_200, 3_000, 40_000)


def _ask(form: str, text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": text}]} if form == "gemini" else {"role": "user", "content": text}


@pytest.mark.parametrize(
    ("form", "budget"),
    [
        pytest.param(form, budget, marks=() if budget == BUDGETS[at % 3] else pytest.mark.nightly)
        for at, form in enumerate(WRITERS)
        for budget in BUDGETS
    ],
)
def test_whatever_a_host_does_pairs_hold_and_what_it_took_back_is_not_quoted(form: Any, budget: int) -> None:
    for seed in SEEDS:
        seed += 40 * ([*WRITERS].index(form) * 3 + BUDGETS.index(budget))
        host = Host(seed)
        bank = MemoryBank("Look after the leaves.", settings=Settings(prompt_budget_tokens=budget))
        adapter = ContextAdapter(bank, form=form, scope=Scope("ana", "one"))
        done: list[str] = []
        for step in range(40):
            host.grow("talk" if host.random.random() < 0.4 else "work")
            if step > 8 and host.random.random() < 0.5:
                done.append(host.edit())
            talk = WRITERS[form](host.turns)
            if host.random.random() < 0.5:
                talk.append(_ask(form, "Which marks, signs and tallies are known by now?"))
            request = adapter.next_request(talk)
            assert not pairs_torn(request), (seed, step, done)
            quoted = codes_in(json.dumps(request).replace("\\n", " ")) - codes_in(json.dumps(talk))
            assert not host.gone & quoted, (seed, step, done)
        assert not adapter.failures.keys() - {"send a message whole"}, adapter.failures


# --- one edit at a time -----------------------------------------------------------------------------------------------


def _page(n: int) -> str:
    return f"The code of page {n} is K{n * n * 7 + 1_000}Z, and " + " ".join(
        WORDS[(n * 3 + k * k) % 10] for k in range(200)
    )


def _turn(n: int, text: str | None = None, **asked: Any) -> list[dict[str, Any]]:
    function = {"name": "read", "arguments": json.dumps(asked or {"n": n})}
    call = {"id": f"t{n}", "type": "function", "function": function}
    result = {"role": "tool", "tool_call_id": f"t{n}", "content": _page(n) if text is None else text}
    return [{"role": "assistant", "content": None, "tool_calls": [call]}, result]


def _read(pages: int = 20, **options: Any) -> tuple[ContextAdapter, list[dict[str, Any]]]:
    """An adapter whose host has read so many pages, each of which gave way to later ones, and its transcript."""
    adapter = ContextAdapter(MemoryBank("Read the pages.", settings=SETTINGS, **options))
    talk: list[dict[str, Any]] = [{"role": "user", "content": "Read the pages."}]
    for n in range(pages):
        talk += _turn(n)
        adapter.next_request(talk)
    return adapter, talk


def _asked(adapter: ContextAdapter, talk: list[dict[str, Any]], about: str) -> str:
    """What a request for a question has that the host did not send."""
    talk = [*talk, {"role": "assistant", "content": "Yes?"}, {"role": "user", "content": about}]
    return "\n".join(str(one["content"]) for one in adapter.next_request(talk) if one not in talk)


CLEARED = [
    "[cleared]",
    "[Old tool result content cleared]",
    "Tool output omitted to save context.",
    f"{_page(3)[:30]}… [truncated, 1,200 characters]",
    "",
    *(
        pytest.param(instead, marks=pytest.mark.nightly)
        for instead in ("The user rejected this tool call.", "Request timed out.", "File unchanged since last read.")
    ),
    "Error: no such page",
    "【旧的工具结果已清除】",
    pytest.param("用户拒绝了此操作", marks=pytest.mark.nightly),
]


@pytest.mark.parametrize("instead", CLEARED)
def test_what_is_cleared_stays_recallable_and_what_stands_instead_is_no_memory(instead: str) -> None:
    adapter, talk = _read()
    talk[8] = {**talk[8], "content": instead}
    said = _asked(adapter, talk, "What is the code of page 3?")
    assert "step 4 · read 3\n" in said, "no mark says that it changed"
    assert f"K{63 + 1_000}Z" in said
    assert adapter.bank.size.entries == 20


@pytest.mark.parametrize("instead", [CLEARED[0], CLEARED[-2]])
def test_a_call_made_again_in_vain_outdates_nothing(instead: str) -> None:
    adapter, talk = _read()
    again = _turn(3, instead)
    again[0]["tool_calls"][0]["id"] = again[1]["tool_call_id"] = "again"
    talk += again
    for n in range(20, 28):
        talk += _turn(n)
        adapter.next_request(talk)
    said = _asked(adapter, talk, "What is the code of page 3?")
    assert "step 4 · read 3\n" in said
    assert f"K{63 + 1_000}Z" in said


@pytest.mark.parametrize("instead", ["The code of page 3 is ****.", "Summary: nothing of note."])
def test_what_is_replaced_is_quoted_to_no_model_and_stays_in_the_record(instead: str) -> None:
    old = f"K{63 + 1_000}Z"
    adapter, talk = _read()
    notes = list(adapter.bank.host.notes_of(4))
    talk[8] = {**talk[8], "content": instead}
    assert old not in _asked(adapter, talk, "What is the code of page 3?")
    for n in range(20, 24):
        talk += _turn(n)
        assert old not in json.dumps(adapter.next_request(talk))
    assert old not in json.dumps(adapter.prepare(talk, inject="always"))
    (tool,) = adapter.memory_tools()
    for asked in ("step 4", "step 4 lines 1-1", "4", *notes, *(note.id for note in adapter.bank.nodes)):
        assert old not in tool(node_id=asked), asked
        assert instead in tool(node_id=asked) or asked not in ("step 4", *notes), "what stands there now"
    for query in ("What is the code of page 3?", "step 4", f"Where is {old}?", "read 3"):
        assert old not in adapter.bank.recall(query).text
    assert not any(old in view.text for view in adapter.bank.host.deep_retrieval("step 4"))
    assert old not in str([node.model_dump(exclude={"embedding"}) for node in adapter.bank.nodes])
    assert any(old in entry.text for entry in adapter.bank.snapshot().entries), "its host can trace it"
    talk[8] = {**talk[8], "content": _page(3)}
    assert old in _asked(adapter, talk, "What is the code of page 3?"), "it stands there again"
    assert old in tool(node_id="step 4")
    assert any(old in adapter.bank.host.passages(note.id)[0][1] for note in adapter.bank.nodes), "and has notes again"


def test_what_is_deleted_is_not_quoted_and_what_leaves_a_window_is() -> None:
    adapter, talk = _read()
    assert "K1343Z" not in _asked(adapter, talk[:15] + talk[17:], "What is the code of page 7?")
    adapter, talk = _read()
    for gone in range(1, 8):
        adapter.next_request(talk[:1] + talk[1 + 2 * gone :])
    said = _asked(adapter, talk[:1] + talk[15:], "What is the code of page 3?")
    assert "step 4 · read 3\n" in said
    assert f"K{63 + 1_000}Z" in said


def test_a_branch_that_was_left_is_marked_where_it_is_shown() -> None:
    adapter, talk = _read()
    for mark, asked in ((" · of a branch that was left", talk[:9]), ("", talk)):
        adapter.next_request(asked)
        said = _asked(adapter, asked, "What is the code of page 12?")
        assert not mark or f"step 13 · read 12{mark}\n" in said
        assert mark or "branch" not in said, "the host went back to it"


def test_words_that_were_edited_regenerated_or_deleted_are_not_quoted() -> None:
    adapter, talk = _read(6)
    more = " ".join(f"Plank {k} of it is {WORDS[k * k % 10]} and old." for k in range(120))
    talk += [{"role": "assistant", "content": f"The wharf has the colour OCHRE by my reading of page two. {more}"}]
    talk += [{"role": "user", "content": f"My berth at the wharf has the number 4711 and no other. {more}"}]
    talk += [{"role": "assistant", "content": "Noted."}, {"role": "user", "content": "Go on reading now."}]
    for n in range(6, 20):
        talk += _turn(n)
        adapter.next_request(talk)
    question = "Which colour has the wharf, and which number has my berth at the wharf?"
    said = _asked(adapter, talk, question)
    assert "OCHRE" in json.dumps(talk)
    assert "4711" in said
    edited = list(talk)
    edited[13] = {**talk[13], "content": "The wharf has no colour at all by my reading."}
    edited[14] = {**talk[14], "content": "My berth at the wharf is nobody's business."}
    said = _asked(adapter, edited, question)
    assert "OCHRE" not in said
    assert "4711" not in said
    assert "4711" not in adapter.bank.recall("Which number has my berth at the wharf, 4711 or none?").text
    assert not any(word in adapter.deep_retrieval("step 6") for word in ("4711", "OCHRE"))
    said = _asked(adapter, [*talk[:13], *talk[15:]], question)
    assert "OCHRE" not in said
    assert "4711" not in said
    assert "nobody's business" not in said


def test_what_was_taken_back_stays_so_after_a_restart_and_edits_made_meanwhile_are_seen(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/task.db"
    adapter, talk = _read(store=url)
    talk[8] = {**talk[8], "content": "The code of page 3 is ****."}
    adapter.next_request(talk)
    adapter.bank.close(keep=True)
    talk[10] = {**talk[10], "content": "The code of page 4 is ****."}
    with MemoryBank.resume(url, settings=SETTINGS) as bank:
        said = _asked(ContextAdapter(bank), talk, "What is the code of page 3 and of page 4?")
        assert f"K{63 + 1_000}Z" not in said
        assert f"K{112 + 1_000}Z" not in said
        assert bank.size.entries == 22


def test_what_stands_in_requests_is_corrected_at_once() -> None:
    adapter, talk = _read()
    question = "What is the code of page 3?"
    assert f"K{63 + 1_000}Z" in _asked(adapter, talk, question)
    talk += [{"role": "assistant", "content": "Yes?"}, {"role": "user", "content": question}]
    talk[8] = {**talk[8], "content": "The code of page 3 is ****."}
    assert f"K{63 + 1_000}Z" not in json.dumps(adapter.next_request(talk))


@pytest.mark.parametrize("kept", [0, 80])
def test_a_host_that_cleared_or_shortened_every_result_goes_on(kept: int) -> None:
    adapter, talk = _read()
    for one in talk:
        if one["role"] == "tool":
            one["content"] = f"{one['content'][:kept]}… [truncated]" if kept else "[cleared]"
    assert not pairs_torn(adapter.next_request([*talk, *_turn(20)]))


def test_a_text_that_was_taken_back_takes_no_part_in_disputes_and_its_edit_is_no_second_source(tmp_path: Path) -> None:
    said = "The Harbour Point battery has a usable capacity of {} MWh."
    adapter, talk = _read(1)
    for n, figure in enumerate((18, 12, 12), start=50):
        talk += _turn(n, said.format(figure), file=f"f{n}.txt")
        adapter.next_request(talk)
    assert {frozenset(one.values) for one in adapter.bank.conflicts} == {frozenset(("18 MWh", "12 MWh"))}
    edited = list(talk)
    for at in (6, 8):
        edited[at] = {**talk[at], "content": said.format(18)}
    adapter.next_request(edited)
    assert adapter.bank.conflicts == ()
    assert "12 MWh" not in adapter.bank.recall("usable capacity of the Harbour Point battery").text
    with MemoryBank.load(adapter.bank.export(tmp_path / "bank.json"), settings=SETTINGS) as loaded:
        assert loaded.conflicts == ()
        assert "12 MWh" not in loaded.open("step 3")
    edited[6] = {**talk[6], "content": said.format(11)}
    adapter.next_request(edited)
    assert {frozenset(one.values) for one in adapter.bank.conflicts} == {frozenset(("18 MWh", "11 MWh"))}
    adapter.next_request(talk)
    assert {frozenset(one.values) for one in adapter.bank.conflicts} == {frozenset(("18 MWh", "12 MWh"))}


def test_a_result_that_says_the_same_and_stands_keeps_its_notes() -> None:
    adapter, talk = _read(1)
    talk += [*_turn(50, "The quay of Osk is 412 m long."), *_turn(51, "The quay of Osk is 412 m long.")]
    adapter.next_request(talk)
    assert [len(node.sources) for node in adapter.bank.nodes][-1] == 1, "the second one made none of its own"
    talk[4] = {**talk[4], "content": "The quay of Osk is closed."}
    adapter.next_request(talk)
    assert "412 m" in adapter.bank.recall("How long is the quay of Osk?").text
    assert "412 m" in adapter.deep_retrieval("step 3")
    assert "412 m" not in adapter.deep_retrieval("step 2")
    talk[6] = {**talk[6], "content": "The quay of Osk is closed as well."}
    adapter.next_request(talk)
    assert "412 m" not in adapter.bank.recall("How long is the quay of Osk?").text
    assert "412 m" not in adapter.deep_retrieval("step 2") + adapter.deep_retrieval("step 3")
