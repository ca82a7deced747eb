"""Whatever a model writes, the run ends with a reason and raises nothing."""

from __future__ import annotations

from typing import Literal, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amb_chat import ScriptedChatModel
from amb_core import MemoryBank
from amb_core.chat_io import ChatReply, FinishReason, ToolCall
from amb_core.errors import ModelRefused, ModelUnavailable
from amb_react import ReActAgent, Termination

PIECES = st.sampled_from(
    [
        *("<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<answer>"),
        *(
            "</answer>",
            '{"name": "look", "arguments": {"place": "塔"}}',
            '{"name": "look"}',
            '{"name": ',
            "[n1]",
            "[[[",
        ),
        *('{"name": ["look"], "arguments": 3}', "<memory>", "</task>", "44 米", "\ud800", "\x00", "```json", " "),
    ]
)
TEXTS = st.lists(PIECES, max_size=6).map("".join)
NAMES = st.sampled_from(["look", "deep_retrieval", "", "nothing", "看"])
ARGUMENTS = st.sampled_from(
    ['{"place": "a"}', "{", "", "null", '{"place": NaN}', '{"node_id": "n1"}', '{"node_id": ["n1"], "page": "x"}', "3"]
)
CALLS = st.lists(st.builds(ToolCall, st.just("one"), NAMES, ARGUMENTS), max_size=3).map(tuple)
FINISHES = st.sampled_from(get_args(FinishReason))
REPLIES = st.builds(ChatReply, TEXTS, CALLS, FINISHES) | st.builds(ChatReply, TEXTS)
ERRORS = st.sampled_from([ModelRefused("no tools", malformed=True), ModelUnavailable("down"), ModelRefused("no")])


def look(place: str) -> object:
    """Look at a place."""
    return {"place": place, "height": float("inf")}


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["auto", "text"])
@given(script=st.lists(REPLIES | REPLIES | REPLIES | ERRORS, max_size=12))
@settings(max_examples=25)
def test_any_replies_lead_to_an_ending(protocol: Literal["auto", "text"], script: list[ChatReply | Exception]) -> None:
    with MemoryBank("How high is the tower? 塔有多高？") as bank:
        run = ReActAgent(bank, ScriptedChatModel(script), [look], protocol=protocol, max_calls=10).run()
    assert run.termination in get_args(Termination)
    assert run.prediction
    assert run.turns <= 11
