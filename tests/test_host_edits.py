"""A host may edit its transcript: pairs hold for ever after, and what was taken back is never quoted by itself."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from amb_core import ContextAdapter, MemoryBank, Scope, Settings
from tests.edited_talks import WRITERS, Host, chat, codes_in, pairs_torn

SEEDS = range(40) if os.environ.get("DEEP") else range(4)


def _ask(form: str, text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": text}]} if form == "gemini" else {"role": "user", "content": text}


@pytest.mark.parametrize("budget", [1_200, 3_000, 40_000])
@pytest.mark.parametrize("form", WRITERS)
def test_whatever_a_host_does_pairs_hold_and_what_it_took_back_is_not_quoted(form: str, budget: int) -> None:
    for seed in SEEDS:
        host = Host(seed)
        bank = MemoryBank("Look after the leaves.", settings=Settings(prompt_budget_tokens=budget, strict=False))
        adapter = ContextAdapter(bank, form=form, scope=Scope("ana", "one"))  # type: ignore[arg-type]
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
            told = host.gone & codes_in(json.dumps(request).replace("\\n", " ")) - codes_in(json.dumps(talk))
            assert not told, (seed, step, done, told)
        assert not adapter.failures.keys() - {"send a message whole"}, adapter.failures
