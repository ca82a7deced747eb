"""Nobody waits in silence: what a model works on is said on standard error after two seconds, and not before."""

from __future__ import annotations

import re
from typing import Any

import pytest

from amb_cli.discreet import DiscreetChat
from amb_cli.environment import Secrets
from amb_core.chat_io import ChatRequest

REQUEST = ChatRequest(messages=({"role": "user", "content": "Answer with the word: ready"},), purpose="check")


@pytest.mark.slow
def test_a_model_that_takes_its_time_is_told_of(paced: Any, capsys: pytest.CaptureFixture[str]) -> None:
    paced.seconds = 2.2
    DiscreetChat(paced, Secrets()).complete(REQUEST)
    said = capsys.readouterr()
    assert re.fullmatch(r"amb: scripted works: 2 s, about \d+ tokens sent, 0 spent before\n", said.err)
    assert said.out == ""


def test_a_quick_model_is_not_told_of(paced: Any, capsys: pytest.CaptureFixture[str]) -> None:
    DiscreetChat(paced, Secrets()).complete(REQUEST)
    assert capsys.readouterr().err == ""
