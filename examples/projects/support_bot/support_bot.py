"""A support bot that knows its customers from earlier talks.

`python support_bot.py --user ann` talks in the terminal; `/memory` shows what is kept, `/forget` deletes it. With
a Chinese system, or `AMB_LANGUAGE=zh`, it speaks Chinese.
"""

import argparse
import json
import os
from pathlib import Path
from typing import Any

from amb_chat import ScriptedChatModel
from amb_cli.user_language import choose_language
from amb_core import Tool, open_chat
from amb_core.chat_io import ChatRequest
from amb_core.protocols import ChatModel
from amb_longterm import LongTermMemory, SupervisorMemory, memory_tools
from amb_longterm.user_data import delete_user
from scripted_support import scripted_reply

TEXTS: dict[str, Any] = json.loads(Path(__file__).with_name("texts.json").read_text("utf-8"))[choose_language()]
OFFERED = {"memory_search", "memory_write", "memory_delete"}


def open_model() -> ChatModel:
    """A real model where there is a key, else the scripted one."""
    if os.environ.get("OPENAI_API_KEY"):
        return open_chat(os.environ.get("MODEL", "gpt-5-mini"))
    return ScriptedChatModel(scripted_reply)


class SupportTalk:
    """One talk with one customer: the messages are of this talk, the memory is of all of them."""

    def __init__(self, chat: ChatModel, memory: LongTermMemory, user: str) -> None:
        self._chat = chat
        self._desk = SupervisorMemory(memory, user=user)
        own = memory_tools(memory, namespaces=[f"user_profile/{user}"])  # a model reaches no other customer's
        self._tools: dict[str, Tool] = {tool.name: tool for tool in own if tool.name in OFFERED}
        self._messages: list[dict[str, Any]] = []

    def say(self, text: str) -> str:
        """The bot's answer to what the customer says."""
        known = self._desk.before_supervisor(text)
        system = {"role": "system", "content": f"{TEXTS['instructions']}\n\n{known}"}
        self._messages.append({"role": "user", "content": text})
        for _ in range(6):
            request = ChatRequest((system, *self._messages), tuple(tool.schema for tool in self._tools.values()))
            reply = self._chat.complete(request)
            if not reply.tool_calls:
                self._messages.append({"role": "assistant", "content": reply.text})
                return reply.text
            calls = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in reply.tool_calls
            ]
            self._messages.append({"role": "assistant", "content": reply.text or None, "tool_calls": calls})
            for call in reply.tool_calls:
                output = self._called(call.name, call.arguments)
                self._messages.append({"role": "tool", "tool_call_id": call.id, "content": output})
        return str(TEXTS["sorry"])

    def _called(self, name: str, arguments: str) -> str:
        """What a tool of the memory says; a model's mistake comes back as advice."""
        try:
            return str(self._tools[name].function(**json.loads(arguments)))
        except (KeyError, TypeError, ValueError) as error:
            return str(TEXTS["failed"]).format(error)


def main() -> None:
    """Read lines and print answers, until the end of the input."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--user", default="ann", help="who talks; in your program, who is signed in")
    parser.add_argument("--store", default="sqlite:///memory.db", help="where memories are kept")
    options = parser.parse_args()
    with LongTermMemory(options.store) as memory:
        talk = SupportTalk(open_model(), memory, options.user)
        print(TEXTS["hello"].format(options.user))
        while True:
            try:
                text = input("> ").strip()
            except EOFError:
                return
            if text == "/memory":
                kept = memory.records(f"user_profile/{options.user}")
                print("\n".join(f"- {each.content}" for each in kept) or TEXTS["nothing"])
            elif text == "/forget":
                deleted = delete_user(options.store, user=options.user)
                talk = SupportTalk(open_model(), memory, options.user)  # this talk is forgotten as well
                print(TEXTS["deleted"].format(deleted.longterm))
            elif text:
                print(talk.say(text))


if __name__ == "__main__":
    main()
