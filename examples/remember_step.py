"""`@remember(bank)` over the step functions people already have: plain, async, and streaming."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from amb_core import MemoryBank, remember

CORPUS = Path(__file__).parent / "corpora" / "island_microgrid"
bank = MemoryBank("What is the usable capacity of the Harbour Point battery?")


def tool_message(number: int, file: str) -> list[dict[str, Any]]:
    """A call to `open_file` and its result, as a chat client would give and get them."""
    function = {"name": "open_file", "arguments": f'{{"file": "{file}"}}'}
    call = {"id": f"call-{number}", "type": "function", "function": function}
    text = (CORPUS / file).read_text(encoding="utf-8")
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call["id"], "content": text},
    ]


@remember(bank)
def step(messages: list[dict[str, Any]]) -> None:
    """Your function: it sees the block as the last message, and appends what it did."""
    print(f"plain:  {len(messages)} messages; the last one begins {messages[-1]['content'].splitlines()[:2]}")
    messages.extend(tool_message(1, "operator-annual-report.md"))


@remember(bank)
async def async_step(messages: list[dict[str, Any]]) -> None:
    """The same with await."""
    print("async:  the fact of the step before is in the block:", "18 MWh" in messages[-1]["content"])
    messages.extend(tool_message(2, "fire-safety-review.md"))


@remember(bank)
async def streaming_step(messages: list[dict[str, Any]]) -> AsyncIterator[str]:
    """The same as an async generator."""
    for word in ("It", "is", "18", "MWh."):
        yield word


async def main(transcript: list[dict[str, Any]]) -> None:
    """The transcript stays yours: raw, and without any block."""
    step(transcript)
    await async_step(transcript)
    print("stream:", *[word async for word in streaming_step(transcript)])
    print(f"the transcript has {len(transcript)} messages, the memory {bank.size.nodes} notes")


asyncio.run(main([{"role": "user", "content": bank.insight.task_goal}]))
bank.close()
# Prints: the fact of the step before is in the block: True
