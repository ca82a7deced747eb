"""A loop over OpenAI-style messages with ContextAdapter: the transcript grows, the requests do not.

`model` stands for your chat client; this one asks for one page of the Python reference after another.
"""

import json
from pydoc_data.topics import topics
from typing import Any

from amb_core import ContextAdapter, MemoryBank
from amb_core.adapter import TokenCounter

TASK = "How does Python look up special method names?"
PAGES = [name for name in sorted(topics) if len(topics[name]) > 5_000][:20]
Message = dict[str, Any]


def read_page(name: str) -> str:
    """The tool: the first 5,000 characters of a topic."""
    return topics[name][:5_000]


def model(messages: list[Message], turn: int) -> Message:
    """A scripted model: it calls `read_page` as long as there are pages."""
    if turn == len(PAGES):
        return {"role": "assistant", "content": "I have read all pages."}
    call = {"name": "read_page", "arguments": json.dumps({"name": PAGES[turn]})}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"call-{turn}", "type": "function", "function": call}],
    }


bank = MemoryBank(TASK)
adapter = ContextAdapter(bank)
tokens = TokenCounter()
messages: list[Message] = [{"role": "system", "content": "Answer briefly."}, {"role": "user", "content": TASK}]
request = messages

print("request  transcript  with AMB   (tokens)")
for turn in range(len(PAGES) + 1):
    request = adapter.next_request(messages)  # what is new becomes memory; what does not fit has left
    print(f"{turn + 1:7}  {sum(map(tokens.message, messages)):10,}  {sum(map(tokens.message, request)):8,}")
    reply = model(request, turn)
    messages.append(reply)
    for call in reply.get("tool_calls", []):
        arguments = json.loads(call["function"]["arguments"])
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": read_page(**arguments)})

print(f"\n{bank.size.entries} results became {bank.size.nodes} notes. The last block begins:\n")
print(request[-1]["content"][:800])
bank.close()
# Prints: 20 results became
