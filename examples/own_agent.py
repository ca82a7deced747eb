"""An agent of your own whose requests stay bounded: your functions, your model, one bank. Copy it and change it.

    LLM_MODEL=gpt-5-mini LLM_API_KEY=… python own_agent.py
    LLM_MODEL=local LLM_BASE_URL=http://127.0.0.1:8080/v1 python own_agent.py      # a server of your own

Without a model a script stands in for it. It reads twelve pages and answers, in the language of the user.
"""

import json
import os

from amb_core import MemoryBank, Settings, open_chat
from amb_core.chat import ScriptedChatModel
from amb_core.chat_io import ChatReply, ToolCall
from amb_core.cli.user_language import choose_language
from amb_react import ReActAgent, ReActEvent, TurnStarted
from amb_tools.research.demo_command import sample_pages

BUDGET = 8_000  # tokens that a request may have
sizes: list[int] = []
if choose_language() == "zh":
    PAGES = {page.name: page.text for page in sample_pages("zh")}  # AMB's own documentation
    TASK, FIRST = "怎样删除一个用户的全部记忆？", "delete-a-user.md"
    ANSWER = "调用 `banks.delete(user=…)`，它删除这个用户的全部记忆库 [n2]。"
    TURN, END = "第 {} 轮：请求约 {:,} 个 token", "{} 个结果在记忆里；每次请求都不超过 {:,} 个 token，上限是 {:,}。"
else:
    PAGES = {page.name: page.text for page in sample_pages("en")}  # the Python language reference
    TASK, FIRST = "What does a return statement in a finally clause of Python do?", "try.txt"
    ANSWER = "It is always the last one executed, and its value is what the function returns [n2]."
    TURN, END = "turn {}: about {:,} tokens", "{} results are in memory; no request was above {:,} tokens of {:,}."


def read_page(name: str) -> str:
    """Read a page; an empty name lists all of them."""
    return PAGES[name][:12_000] if name in PAGES else ", ".join(PAGES)


def script() -> ScriptedChatModel:
    """What a model could say."""
    reads = [ToolCall(name, "read_page", json.dumps({"name": name})) for name in ["", FIRST, *PAGES][:13]]
    return ScriptedChatModel([*(ChatReply("", (call,), "tool_calls") for call in reads), "…", ANSWER])


def show(event: ReActEvent) -> None:
    """One line a turn."""
    if isinstance(event, TurnStarted):
        sizes.append(event.prompt_tokens)
        print(TURN.format(event.turn, event.prompt_tokens))


chat = open_chat() if os.environ.get("LLM_MODEL") else script()
with MemoryBank(TASK, settings=Settings(prompt_budget_tokens=BUDGET)) as bank:
    run = ReActAgent(bank, chat, [read_page], max_output_tokens=1_000, on_event=show).run()
    print(f"\n{run.problem or run.prediction}")
    for note, source in run.sources.items():
        print(f"  {note}: {source.source}")
    print(END.format(bank.size.entries, max(sizes), BUDGET))
# Prints: results are in memory; no request was above
