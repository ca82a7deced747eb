"""Nothing that is logged holds a key, a prompt or a word of a source, however much is logged."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from amb_core import ContextAdapter, ManualClock, MemoryBank, Settings, StepResult, ToolResult, run_task
from amb_loops.task_loop import EnhancedPrompt

KEY = "sk-secret-5Qm2Zt8Lw0"
TOLD = f"The vault of Amberly opens with {KEY}. The vault of Amberly has 12 doors."
DENIED = f"The vault of Amberly opens with {KEY}. The vault of Amberly has 14 doors."


class Failing:
    """An embedder that fails with everything it was given in the text of its error."""

    model_id, dimension, languages = "failing", 4, None

    def embed(self, texts: Any) -> Any:
        raise RuntimeError(f"{KEY} {list(texts)}")


def scenario(bank: MemoryBank) -> None:
    """Everything that logs: results, a contradiction, a failing embedder, failing steps, a closed bank."""
    adapter = ContextAdapter(bank, sharing=True)
    adapter.intercept_context([ToolResult(tool="read", output=text, source=KEY) for text in (TOLD, DENIED)])
    adapter.prepare([{"role": "user", "content": f"{TOLD} {KEY}"}])

    def step(prompt: EnhancedPrompt) -> StepResult:
        raise ValueError(f"{KEY} {prompt}")

    run_task(bank, step, max_rounds=2)
    bank.absorb(ToolResult(tool="read", output=f"{TOLD} Again.", source="c"), wait=False)
    bank.host.flush()
    bank.forget("e1")
    bank.close()
    adapter.enhance_prompt([{"role": "user", "content": TOLD}], query=TOLD)


def test_a_scenario_at_the_loudest_level_logs_no_key_and_no_text(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "LLM_API_KEY", "AMB_API_KEY"):
        monkeypatch.setenv(name, KEY)
    with caplog.at_level(logging.DEBUG):
        scenario(
            MemoryBank(f"What opens {KEY}?", embedder=Failing(), clock=ManualClock(1.0, step=1), settings=Settings())
        )
    assert any(record.name.startswith("amb.") for record in caplog.records)
    written = caplog.text + "".join(capfd.readouterr()) + "".join(str(record.__dict__) for record in caplog.records)
    assert KEY not in written
    assert not [word for word in ("Amberly", "doors", "vault") if word in written]


def test_settings_and_errors_do_not_repeat_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("LLM_API_KEY", KEY)
    assert KEY not in repr(Settings()) + str(Settings().model_dump())
