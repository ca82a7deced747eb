"""A script in the place of the model, so that the bot runs without a key."""

import json
import re

from amb_core.chat_io import ChatReply, ChatRequest, ToolCall


def scripted_reply(request: ChatRequest) -> ChatReply | str:
    """Keeps "My … is …", "I …" and "我……"; answers a question with what the memories hold about its words.

    The end of the message ends its sentence.
    """
    last = request.messages[-1]
    said = str(next(each for each in reversed(request.messages) if each["role"] == "user")["content"])
    chinese = bool(re.search("[\u4e00-\u9fff]", said))
    if last["role"] == "tool":
        return "已经记下。" if chinese else "I have noted that."
    if re.match(r"(?:My |I |我)(?!.*(?:[?？]$|[吗呢]$|什么|哪))", said):
        arguments = json.dumps({"content": said, "namespace": "user_profile"})
        return ChatReply("", (ToolCall(f"call-{len(request.messages)}", "memory_write", arguments),), "tool_calls")
    known = re.findall(r"^- (.+)$", str(request.messages[0]["content"]), re.MULTILINE)
    fitting = [
        re.sub(r"(?<![.!?。！？])$", "。" if chinese else ".", each) for each in known if words(said) & words(each)
    ]
    if chinese:
        return f"您说过：{''.join(fitting)}" if fitting else "我还不知道。请用一句话告诉我。"
    return f"You told us: {' '.join(fitting)}" if fitting else "I do not know that yet. Tell me in one sentence."


def words(text: str) -> set[str]:
    """Longer words, and pairs of Chinese characters."""
    pairs = {text[at : at + 2] for at in range(len(text) - 1) if re.fullmatch("[\u4e00-\u9fff]{2}", text[at : at + 2])}
    return {*re.findall(r"[a-z]{4,}", text.lower()), *pairs} - {"what", "which", "when", "have"}
