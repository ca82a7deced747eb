"""A script in the place of the model, so that the server runs without a key."""

import json
import re
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from amb_cli.user_language import choose_language

TEXTS: dict[str, str] = json.loads(Path(__file__).with_name("texts.json").read_text("utf-8"))[choose_language()]


class ScriptedClerk(BaseChatModel):
    """Answers with what its request says about an order, and looks the order up where it says nothing."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        """A script knows its tools."""
        return self

    def _generate(self, messages: list[BaseMessage], *others: Any, **options: Any) -> ChatResult:
        request = "\n".join(message.text for message in messages if message.type != "ai")
        number = ([None, *re.findall(TEXTS["asked"], request)])[-1]
        answers = "|".join(re.escape(TEXTS[key].format(number, "")) + ".*" for key in ("found", "none"))
        known = re.findall(answers, request)
        if number is None:
            reply = AIMessage(TEXTS["which"])
        elif known:
            reply = AIMessage(known[-1])
        else:
            call = {"name": "find_order", "args": {"number": int(number)}, "id": f"call-{len(messages)}"}
            reply = AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=reply)])
