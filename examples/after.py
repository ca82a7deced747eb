"""The little agent of `before.py` with AMB: five lines are new or changed, and its prompts stay bounded.

`chat` stands for your endpoint: it asks for one page after another, and counts what it is sent.
"""

import json
from collections.abc import Sequence
from pydoc_data.topics import topics
from typing import Any

from amb_core import ContextAdapter, MemoryBank, Settings

TASK = "How does Python look up special method names?"
PAGES = [name for name in sorted(topics) if len(topics[name]) > 5_000][:20]
Message = dict[str, Any]


def read_page(name: str) -> str:
    """Read a page of the Python reference."""
    return topics[name][:5_000]


sizes: list[int] = []


def chat(messages: Sequence[Message], tools: dict[str, Any]) -> Message:
    """A scripted model: it reads twenty pages and answers."""
    sizes.append(len(json.dumps(list(messages))) // 4)
    if len(sizes) > 20:
        return {"role": "assistant", "content": "On the type, not on the instance."}
    call = {"name": "read_page", "arguments": json.dumps({"name": PAGES[len(sizes) - 1]})}
    return {"role": "assistant", "tool_calls": [{"id": f"c{len(sizes)}", "type": "function", "function": call}]}


memory = ContextAdapter(MemoryBank(TASK, settings=Settings(prompt_budget_tokens=12_000)))
tools: dict[str, Any] = {"read_page": read_page} | {tool.name: tool for tool in memory.memory_tools()}
messages: list[Message] = [{"role": "user", "content": TASK}]
while messages[-1].get("role") != "assistant":
    reply = chat(memory.next_request(messages), tools)
    messages.append(reply)
    for call in reply.get("tool_calls", []):
        output = tools[call["function"]["name"]](**json.loads(call["function"]["arguments"]))
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": output})

print("prompt tokens, turn by turn:", *sizes)
# Prints: prompt tokens, turn by turn:
