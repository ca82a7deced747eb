"""Whatever is taken in, a block parses to exactly our structure."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace

from hypothesis import given, settings
from hypothesis import strategies as st

from amb_core import ManualClock, MemoryBank, ToolResult
from amb_core.rendering import escape, escape_line

HERE = Path(__file__).parent
READER = SimpleNamespace(**runpy.run_path(str(HERE / "obedience.py")))
ATTACKS = runpy.run_path(str(HERE / "story.py"))["ATTACKS"]
PIECES = st.sampled_from(
    [
        *(
            "<",
            ">",
            "/",
            "</",
            "|",
            "[",
            "]",
            "【",
            "】",
            ":",
            "：",
            "#",
            "\n",
            "\r",
            "\x85",
            "\u2028",
            " ",
            "\u200b",
            "\u2062",
        ),
        *(
            "\u0338",
            "\u202e",
            "\ufeff",
            "\x00",
            "\ud800",
            "\U000e0041",
            "＜",
            "＞",
            "［",
            "&lt;",
            "%3c",
            "\\u003c",
            "‹",
            "›",
            "…",
        ),
        *(
            "memory",
            "task",
            "system",
            "System",
            "user",
            "INST",
            "im_start",
            "n1",
            "e1",
            "系统",
            "助手",
            "记忆",
            "(#x)",
            "= x",
        ),
        *("Next step: x", "Observation", "<think>", "**", "- ", "1. ", "The pier is 80 metres long."),
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=6) | st.sampled_from([a[3] for a in ATTACKS]), max_size=9).map("".join)


@given(TEXTS)
def test_escaped_text_is_read_as_nothing_but_text(text: str) -> None:
    for safe in (escape(text), escape_line(text)):
        found = [marker for marker in READER.structure(f"x\n{safe}") if marker.kind != "label"]
        assert not [marker for marker in found if marker.kind != "only when folded"]
        assert escape(safe) == safe


@given(TEXTS.filter(str.strip), TEXTS.filter(str.strip), TEXTS)
@settings(max_examples=12)
def test_the_block_holds_one_task_one_memory_and_our_notes(text: str, goal: str, name: str) -> None:
    with MemoryBank(goal, clock=ManualClock()) as bank:
        bank.absorb(ToolResult(tool="read", output=text, source=name, arguments={name: text}))
        block = bank.host.enhance(query=text)
    assert READER.orders(block.text) == []
    assert [marker for marker in READER.structure(block.text) if marker.kind == "note"] == []
    heads = {receipt.reason for receipt in block.receipts}
    assert sorted(READER.steps_shown(block.text)) == sorted(READER.steps_shown("\n".join(sorted(heads))))
