"""Half a character from a model, or from a tool, is shown as its escape: it ends neither the run nor anything after."""

from __future__ import annotations

import json
import logging

import pytest

from amb_chat import OpenAIChatModel
from amb_core import MemoryBank
from amb_react import ReActAgent

pytest.importorskip("openai", reason='openai is not installed: pip install "amb[openai]"')
HALF = "\ud800"


def price(what: str) -> str:
    """The price of a thing; its books hold half a character as well."""
    if "broken" in what:
        raise ValueError(f"no {what} {HALF}")
    return f"The price of {what} is 40 euro. {HALF}"


@pytest.fixture
def storied(endpoint):
    """An endpoint whose model writes half characters wherever it can."""
    for what in (f"tea {HALF}", f"broken {HALF}"):
        endpoint.calls("price", what=what)
    endpoint.calls(f"price{HALF}", what="tea")
    endpoint.replies[-1]["content"] = f"I try this {HALF}"
    endpoint.replies.append({"role": "assistant", "content": f'<tool_call>{{"name": "price{HALF}"}}</tool_call>'})
    endpoint.says(*[f"<answer>40 euro {HALF}</answer>"] * 4)
    return endpoint


@pytest.mark.parametrize("protocol", ["auto", "text"])
@pytest.mark.parametrize("store", ["memory://", "sqlite:///{}/task.db", "json:///{}/task"])
def test_a_run_goes_on_after_half_a_character(storied, protocol, store, tmp_path, caplog):
    caplog.set_level(logging.DEBUG, logger="amb")
    with MemoryBank(f"Find the price of tea {HALF}", store=store.format(tmp_path)) as bank:
        run = ReActAgent(bank, OpenAIChatModel("m", base_url=storied.url), [price], protocol=protocol).run()
        assert (run.termination, run.answered_by, run.problem) == ("answered", "model", "")
        assert run.prediction == "40 euro \\ud800"
        assert run.usage.failed_calls == 0
        json.dumps(run.messages, ensure_ascii=False).encode()
        again = MemoryBank.load(bank.export(tmp_path / "memory.json"))
        assert any(HALF in entry.text for entry in again.snapshot().results), "raw text stays raw"
        caplog.text.encode()
