"""A script in the place of the model, so that the server runs without a key."""

import re
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult


class ScriptedClerk(BaseChatModel):
    """Answers with what its request says about an order, and looks the order up where it says nothing."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        """A script knows its tools."""
        return self

    def _generate(self, messages: list[BaseMessage], *others: Any, **options: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._reply(messages))])

    def _reply(self, messages: list[BaseMessage]) -> AIMessage:
        asked = re.findall(r"order (\d+)\?", "\n".join(message.text for message in messages if message.type == "human"))
        if not asked:
            return AIMessage("Which order do you mean? Write: Where is order 4711?")
        number = asked[-1]
        known = re.findall(rf"Order {number}: .+|You have no order {number}\.", messages_as_text(messages))
        if known:
            return AIMessage(known[-1])
        call = {"name": "find_order", "args": {"number": int(number)}, "id": f"call-{len(messages)}"}
        return AIMessage("", tool_calls=[call])


def messages_as_text(messages: list[BaseMessage]) -> str:
    """All that is in a request, except what the clerk said before."""
    return "\n".join(message.text for message in messages if message.type != "ai")
