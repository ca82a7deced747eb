"""An agent of your own whose requests stay bounded: your functions, your model, one bank. Copy it and change it.

    LLM_MODEL=gpt-5-mini LLM_API_KEY=… python own_agent.py
    LLM_MODEL=local LLM_BASE_URL=http://127.0.0.1:8080/v1 python own_agent.py      # a server of your own

Without a model a script stands in for it. It reads twelve pages and answers.
"""

import json
import os
from pydoc_data.topics import topics

from amb_core import MemoryBank, Settings, open_chat
from amb_core.chat import ScriptedChatModel
from amb_core.chat_io import ChatReply, ToolCall
from amb_react import ReActAgent, ReActEvent, TurnStarted

TASK = "What does a return statement in a finally clause of Python do?"
BUDGET = 8_000  # tokens that a request may have


def list_pages() -> str:
    """List the pages of the Python language reference."""
    return ", ".join(sorted(topics))


def read_page(name: str) -> str:
    """Read one page of the Python language reference."""
    return topics.get(name, f"There is no page {name!r}.")[:12_000]


def script() -> ScriptedChatModel:
    """What a model could say."""
    names = "try return compound exceptions execmodel with raise for while if del yield".split()
    reads = [ToolCall(name, "read_page", json.dumps({"name": name})) for name in names]
    calls = [ToolCall("list", "list_pages", "{}"), *reads]
    answer = "It is always the last one executed, and its value is what the function returns [n2]."
    return ScriptedChatModel([*(ChatReply("", (call,), "tool_calls") for call in calls), "I have read enough.", answer])


def show(event: ReActEvent) -> None:
    """One line a turn."""
    if isinstance(event, TurnStarted):
        sizes.append(event.prompt_tokens)
        print(f"turn {event.turn}: a request of about {event.prompt_tokens:,} tokens")


sizes: list[int] = []
chat = open_chat() if os.environ.get("LLM_MODEL") else script()
with MemoryBank(TASK, settings=Settings(prompt_budget_tokens=BUDGET)) as bank:
    run = ReActAgent(bank, chat, [list_pages, read_page], max_output_tokens=1_000, on_event=show).run()
    print(f"\n{run.problem or run.prediction}")
    for note, source in run.sources.items():
        print(f"  {note}: {source.source}")
    print(f"{bank.size.entries} results are in memory; no request was above {max(sizes):,} tokens of {BUDGET:,}.")
# Prints: results are in memory; no request was above
