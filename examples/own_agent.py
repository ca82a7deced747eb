"""An agent of your own whose requests stay bounded: your functions, your model, one bank. Copy it and change it.

    LLM_MODEL=gpt-5-mini LLM_API_KEY=… python own_agent.py
    LLM_MODEL=local LLM_BASE_URL=http://127.0.0.1:8080/v1 python own_agent.py      # a server of your own

Without a model a stand-in reads twelve pages of the manual of Python and quotes what its last request says.
"""

import json
import os
import re
from pydoc_data.topics import topics

from amb_chat import ScriptedChatModel
from amb_core import MemoryBank, Settings, open_chat
from amb_core.chat_io import ChatReply, ChatRequest, ToolCall
from amb_react import ReActAgent, ReActEvent, TurnStarted

BUDGET = 8_000  # tokens that a request may have
TASK = "What does a return statement in a finally clause of Python do?"
sizes: list[int] = []


def read_page(name: str) -> str:
    """Read a page; an empty name lists all of them."""
    return topics[name][:12_000] if name in topics else ", ".join(topics)


to_read = iter(["", "try", *topics][:13])


def stand_in(request: ChatRequest) -> ChatReply:
    """Read the pages, then say the sentence that shares most words with the question, and the note it stands in."""
    if (name := next(to_read, None)) is not None:
        return ChatReply("", (ToolCall(name, "read_page", json.dumps({"name": name})),), "tool_calls")
    said = " ".join(str(request.messages).replace("\\n", " ").split()).replace(TASK, "")
    asked = set(re.findall(r"\w{4,}", TASK.lower()))
    best = max(
        re.finditer(r"[^.:]{40,}[.:]", said), key=lambda one: len(asked & set(re.findall(r"\w+", one[0].lower())))
    )
    *_, note = re.findall(r"\[n\d+\]", said[: best.start()])
    return ChatReply(f"{best[0].strip()} {note}")


def show(event: ReActEvent) -> None:
    """One line a turn."""
    if isinstance(event, TurnStarted):
        sizes.append(event.prompt_tokens)
        print(f"turn {event.turn}: about {event.prompt_tokens:,} tokens")


chat = open_chat() if os.environ.get("LLM_MODEL") else ScriptedChatModel(stand_in)
with MemoryBank(TASK, settings=Settings(prompt_budget_tokens=BUDGET)) as bank:
    run = ReActAgent(bank, chat, [read_page], max_output_tokens=1_000, on_event=show).run()
    print(f"\n{run.problem or run.prediction}")
    for note, source in run.sources.items():
        print(f"  {note}: {source.source}")
    print(f"{bank.size.entries} results are in memory; no request was above {max(sizes):,} tokens of {BUDGET:,}.")
# Prints: results are in memory; no request was above
