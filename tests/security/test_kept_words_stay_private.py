"""What users and agents said is one bank's alone: no shared bank, step or later request hands it to anybody else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import pytest

from amb_core import ContextAdapter, MemoryBank, ScopeMixed, Settings

GOAL = "Look after the pumps of the town."
SETTINGS = Settings(prompt_budget_tokens=2_500)
TREES = "oak elm ash fir yew bay fig".split()
ASKED: dict[str, Any] = {"role": "user", "content": "Which private word, answer and leaf do you know?"}


def _talk(who: str, turns: int = 12) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"role": "user", "content": GOAL}]
    for n in range(turns):
        name = f"call_{who}{n}"
        call = {"id": name, "type": "function", "function": {"name": "read", "arguments": json.dumps({"n": n})}}
        body = " ".join(f"{TREES[k * n % 7]} {k * n % 83}" for k in range(150))
        found.append({"role": "assistant", "content": None, "tool_calls": [call]})
        found.append({"role": "tool", "tool_call_id": name, "content": f"Leaf {n} says RESULT{who}{n}x. {body}"})
        if n % 3 == 1:
            found.append({"role": "assistant", "content": f"Noted by the agent: ANSWER{who}{n}x for the pump below."})
            found.append({"role": "user", "content": f"My private word is SECRET{who}{n}x, keep it for the pump."})
    return found


def _grown(adapter: ContextAdapter, talk: list[dict[str, Any]]) -> None:
    for end in range(1, len(talk) + 1):
        adapter.next_request(talk[:end])


def test_a_second_user_at_one_adapter_is_refused_however_far_the_talk_has_come() -> None:
    adapter = ContextAdapter(MemoryBank(GOAL, settings=SETTINGS))
    _grown(adapter, _talk("A"))
    for end in (1, 3, 9, 30):
        with pytest.raises(ScopeMixed):
            adapter.next_request(_talk("B")[:end])


@pytest.mark.parametrize("inject", ["missing", "always"])
def test_a_shared_bank_hands_out_no_words(inject: Literal["missing", "always"]) -> None:
    """Neither in a block nor where the other agent opens its steps one by one."""
    theirs = MemoryBank(GOAL, settings=SETTINGS)
    _grown(ContextAdapter(theirs), _talk("A"))
    assert theirs.size.messages > 6, "there are words to be told"
    mine = ContextAdapter(MemoryBank(GOAL, settings=SETTINGS), shared=theirs)
    told = json.dumps(mine.prepare([*_talk("B", 4), ASKED], inject=inject))
    opened = [mine.deep_retrieval(f"team step {n}") for n in range(1, 14)]
    assert "RESULTA3x" in opened[3]
    for text in (told, *opened):
        assert "SECRETA" not in text
        assert "ANSWERA" not in text


def test_what_is_forgotten_leaves_what_stands_in_requests_and_every_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/task.db"
    bank = MemoryBank(GOAL, store=url, settings=SETTINGS)
    adapter, talk = ContextAdapter(bank), _talk("A", 14)
    lost = ("is SECRETA1x,", "says RESULTA2x.", "agent: ANSWERA1x ")
    _grown(adapter, talk)
    asked = {"role": "user", "content": "Tell me the private word, the answer and what leaf 2 says, A1x and A2x."}
    talk += [{"role": "assistant", "content": "Yes?"}, asked]

    def added() -> str:
        """What the request has that the host did not send."""
        return json.dumps([one for one in adapter.next_request(talk) if one not in talk])

    assert any(one in added() for one in lost), "the block tells of it, and stands"
    for entry in bank.snapshot().entries:
        if any(one in entry.text for one in lost):
            bank.forget(entry.entry_id)
    assert not any(one in added() for one in lost)
    talk += [{"role": "assistant", "content": "That is all."}, ASKED]
    assert not any(one in added() for one in lost)
    bank.close(keep=True)
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert not any(one.encode() in stored for one in lost)


def test_a_key_in_words_or_arguments_is_redacted_wherever_memory_says_them(tmp_path: Path) -> None:
    from amb_redaction import PatternRedactor

    key = "sk-" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"
    bank = MemoryBank(GOAL, store=f"sqlite:///{tmp_path}/task.db", settings=SETTINGS, redactor=PatternRedactor())
    adapter, talk = ContextAdapter(bank), _talk("A", 3)
    talk += [{"role": "user", "content": f"The API key for the pump is {key}, use it for the panel of the cellar."}]
    page = "\n".join(f"line {n}: key={key}" for n in range(40))
    call = {
        "id": "call_w",
        "type": "function",
        "function": {"name": "write_file", "arguments": json.dumps({"text": page})},
    }
    talk += [{"role": "assistant", "content": f"I use {key} for the panel of the cellar.", "tool_calls": [call]}]
    talk += [{"role": "tool", "tool_call_id": "call_w", "content": "Written."}, *_talk("C", 9)[1:], ASKED]
    request = adapter.next_request(talk)
    assert key not in json.dumps([one for one in request if one not in talk])
    assert key not in bank.recall("Which API key has the pump in the cellar?").text
    bank.close(keep=True)
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert key.encode() not in stored
