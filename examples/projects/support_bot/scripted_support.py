"""A script in the place of the model, so that the bot runs without a key."""

import json
import re

from amb_core.chat_io import ChatReply, ChatRequest, ToolCall


def scripted_reply(request: ChatRequest) -> ChatReply | str:
    """Keeps "My … is …" and "I …"; answers a question with what the memories hold about its words."""
    last = request.messages[-1]
    if last["role"] == "tool":
        return "I have noted that."
    said = str(last["content"])
    if re.match(r"(My|I) .*\.$", said):
        arguments = json.dumps({"content": said, "namespace": "user_profile"})
        return ChatReply("", (ToolCall(f"call-{len(request.messages)}", "memory_write", arguments),), "tool_calls")
    known = re.findall(r"^- (.+)$", str(request.messages[0]["content"]), re.MULTILINE)
    words = {word for word in re.findall(r"\w{4,}", said.lower()) if word not in ("what", "which", "when", "have")}
    fitting = [each for each in known if words & set(re.findall(r"\w{4,}", each.lower()))]
    return f"You told us: {' '.join(fitting)}" if fitting else "I do not know that yet. Tell me in one sentence."
