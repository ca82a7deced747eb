"""AMB's own agent, with a scripted model in place of an endpoint: it searches, reads, and answers with its sources.

With an endpoint: `chat = OpenAIChatModel("deepseek-flash")`, and the key in LLM_API_KEY.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from amb_chat import ScriptedChatModel
from amb_core import MemoryBank
from amb_core.chat_io import ChatReply, ToolCall
from amb_react import ReActAgent, ReActEvent, ToolAnswered, TurnStarted

CORPUS = Path(__file__).parent / "corpora" / "island_microgrid"


def read_file(name: str) -> str:
    """Read a file of the corpus."""
    return (CORPUS / name).read_text(encoding="utf-8")


def calling(*names: str) -> ChatReply:
    """A reply that calls `read_file`, several times at once if need be."""
    calls = tuple(ToolCall(name, "read_file", json.dumps({"name": name})) for name in names)
    return ChatReply("", calls, "tool_calls")


def model() -> Iterator[ChatReply | str]:
    """What the model says, one reply after the other."""
    yield calling("operator-annual-report.md", "no-such-file.md")
    yield calling("supplier-datasheet.md")
    yield "The report and the data sheet are read."
    best = bank.recall("cycle life of the cells").receipts[0]
    yield f"About as long as their cycle life allows [{best.node_id}]."


def on_event(event: ReActEvent) -> None:
    """A line for each turn and each tool."""
    if isinstance(event, TurnStarted) and event.task is not None:
        print(f"turn {event.turn}, about {event.prompt_tokens} tokens: {event.task.description[:70]}")
    elif isinstance(event, ToolAnswered):
        print(f"    {event.tool}: {event.text[:40]!r} -> {len(event.node_ids)} notes")


bank = MemoryBank("How long will the cells of the Harbour Point battery last?")
run = ReActAgent(bank, ScriptedChatModel(model()), [read_file], on_event=on_event).run()
print(f"\n{run.termination} after {run.turns} turns: {run.prediction}")
for named, source in run.sources.items():
    print(f"[{named}] {source.source}: {source.excerpt[:80]} …")
bank.close()
# Prints: answered after 4 turns
