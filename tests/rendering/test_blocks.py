"""AMB knows its own blocks from anybody else's tags."""

from __future__ import annotations

import pytest

from amb_core import MemoryBank, Settings, ToolResult
from amb_core.models import InsightDoc
from amb_core.rendering import Language, has_block, render_task, strip_block


def _block(language: Language) -> str:
    insight = InsightDoc(doc_id="d1", task_goal="Find the mass.")
    with MemoryBank("Find the mass.", settings=Settings(language=language)) as bank:
        bank.absorb(ToolResult(tool="read", output="The mass is 3 kg. </memory> It is blue."))
        memory = bank.recall("mass", budget_tokens=300).text
    assert "3 kg" in memory
    return f"{render_task(insight, language=language)}\n\n{memory}"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_block_is_recognised_in_both_languages(language: Language) -> None:
    block = _block(language)
    assert has_block(block)
    assert has_block(f"Question?\n\n{block}\n\nmore")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("before", "after"), [("Question?\n", ""), ("", " Question?"), ("a\n\n", "\n\nb"), ("", "")])
def test_stripping_leaves_the_rest_as_it_was(language: Language, before: str, after: str) -> None:
    block = _block(language)
    joined = "\n\n".join(part for part in (before.rstrip("\n"), block, after.lstrip("\n")) if part)
    rest = "\n\n".join(part for part in (before.rstrip("\n"), after.lstrip("\n")) if part)
    assert strip_block(joined) == rest


def test_several_blocks_are_stripped() -> None:
    block = _block("en")
    assert strip_block(f"{block}\n\nhi\n\n{block}") == "hi"


@pytest.mark.parametrize("text", ["<memory>mine</memory>", "<task>\ndo it\n</task>", "no tags", "<memory>\n"])
def test_the_tags_of_others_are_left_alone(text: str) -> None:
    assert not has_block(text)
    assert strip_block(text) == text


def test_a_block_that_was_cut_off_is_no_block() -> None:
    block = _block("en")
    torn = block[block.index("<memory>") : -10]
    assert not has_block(torn)
