"""Makes any text safe to stand inside our tags; ordinary text comes through byte for byte.

Three kinds of harm are undone, readably and in place: markup that could close our block, open another or pass for a
chat template's control token (`‹/memory›`); a line start that poses as another role or as one of our own notes
(`‹System›:`, `‹n12›`); and characters that hide or reorder what is there (`\\x00`, `\\u202e`, `\\ud800`).
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["escape", "escape_line"]

_NAMES = (
    "task", "memory", "memories", "tool", "tools", "tool_call", "tool_calls", "tool_response", "tool_responses",
    "tool_result", "tool_results", "tool_use", "function", "function_call", "function_calls", "function_result",
    "function_results", "function_response", "invoke", "think", "thinking", "thought", "reasoning", "scratchpad",
    "answer", "final_answer", "system", "system_prompt", "system_message", "system_reminder", "user", "assistant",
    "human", "developer", "instruction", "instructions", "im_start", "im_end", "start_of_turn", "end_of_turn",
    "s", "bos", "eos", "sys",
)  # fmt: skip
_WINDOW = 240
"""How many characters after an opening bracket may belong to one tag."""

# What a reader skips, so that `<mem\u200bory>` reads as `<memory>`.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_LOOKALIKES = str.maketrans("аеорсухіѕмткαεοικυντ", "aeopcyxismtkaeoikuvt")  # Cyrillic and Greek

_ENTITY = r"&(?:amp;)*(?:{name}|#0*{decimal}|#x0*{hex});?|\\u00{hex}|\\x{hex}"
_OPEN = re.compile(
    "[<＜﹤˂ᐸ❮⟨\u2329〈]|" + _ENTITY.format(name="lt", decimal="60", hex="3c"), re.IGNORECASE
)  # fmt: skip
_CLOSE = re.compile(
    "[>＞﹥˃ᐳ❯⟩\u232a〉]|" + _ENTITY.format(name="gt", decimal="62", hex="3e"), re.IGNORECASE
)  # fmt: skip
_SPELLED = "|".join(
    r"\s*".join(r"[\s_-]*" if char == "_" else char for char in name) for name in sorted(_NAMES, key=len, reverse=True)
)
_TAG = re.compile(
    rf"(?P<gap>\s*)(?P<slash>[/\\]?)\s*(?:[a-z][\w-]{{0,30}}\s*:\s*)?(?P<name>{_SPELLED})(?![\w.@-])(?P<rest>.*)",
    re.DOTALL,
)
_ATTRIBUTES = re.compile(r"\s*(?:[\w:-]+\s*=.*)?[/\s]*", re.DOTALL)
_CONTROL_TOKEN = re.compile(r"\s*\|\s*/?\w")
_BRACKETED = re.compile(
    r"\[(\s*/?\s*(?:inst|system_prompt|tool_calls|tool_results|available_tools|think)\s*)\]", re.IGNORECASE
)

_ROLE = (
    r"(?:system|human|assistant|user|developer|ai)(?:\s+(?:prompt|message|note|response))?|tool\s+(?:call|response|result)"
    r"|系统(?:提示词?|消息|指令)?|系統|用户|用戶|人类|助手|助理|开发者|工具(?:调用|结果|响应)"
)
_LINE_HEAD = re.compile(r"^[^\n:：﹕︰∶꞉]{1,60}(?=[:：﹕︰∶꞉])", re.MULTILINE)
_ROLE_HEAD = re.compile(rf"[\s>*_#\"'`~|-]*(?:{_ROLE})[\s*_`\"']*")
_HEADING = re.compile(r"^[^\n\w‹]{0,8}#{1,6}[^\n]{1,40}$", re.MULTILINE)
_ROLE_HEADING = re.compile(rf"\W*(?:{_ROLE}|(?:new\s+)?instructions?|response|指令)\W*")
_NOTE_LINE = re.compile(r"^([^\n\w]{0,8})\[([nsp]\d+)\]", re.IGNORECASE | re.MULTILINE)
_LEAD = re.compile(r"[\s>*_\"'`~|-]*")

_HIDDEN = re.compile(
    "\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f"  # a flag: kept
    "|\r\n"  # an ordinary line end: kept
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)
_SPACES = re.compile(r"\s+")


def escape(text: str) -> str:
    """The text with everything that could break out of a block, pose as a role or hide made harmless and visible.

    Applying it twice changes nothing more. Text without such content is returned unchanged.
    """
    if _OPEN.search(text):
        text = _without_tags(text)
    text = _HIDDEN.sub(_visible, text)
    text = _BRACKETED.sub(r"‹\1›", text)
    text = _LINE_HEAD.sub(_role_head, text)
    text = _HEADING.sub(_role_heading, text)
    return _NOTE_LINE.sub(r"\1‹\2›", text)


def escape_line(text: str) -> str:
    """`escape` for what must stay on one line: runs of white space become one space."""
    return escape(_SPACES.sub(" ", text).strip())


def _visible(match: re.Match[str]) -> str:
    found = match.group()
    if len(found) > 1:
        return found
    code = ord(found)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _role_head(match: re.Match[str]) -> str:
    return _bracketed(match.group()) if _ROLE_HEAD.fullmatch(_folded(match.group())) else match.group()


def _role_heading(match: re.Match[str]) -> str:
    return _bracketed(match.group()) if _ROLE_HEADING.fullmatch(_folded(match.group())) else match.group()


def _bracketed(head: str) -> str:
    lead = _LEAD.match(head)
    start = lead.end() if lead else 0
    return f"{head[:start]}‹{head[start:]}›"


def _without_tags(text: str) -> str:
    parts: list[str] = []
    done = 0
    for opening in _OPEN.finditer(text):
        end = _tag_end(text, opening.end())
        if end is None:
            continue
        closing = _CLOSE.match(text, end)
        parts += [text[done : opening.start()], "‹", text[opening.end() : end], "›" if closing else ""]
        done = closing.end() if closing else end
    parts.append(text[done:])
    return "".join(parts)


def _tag_end(text: str, start: int) -> int | None:
    """Where the harmful tag whose opening bracket ends at `start` is closed (before the bracket); None for harmless.

    A tag that nothing closes ends at `start`: only its opening bracket is replaced.
    """
    next_opening = _OPEN.search(text, start, start + _WINDOW)
    limit = next_opening.start() if next_opening else min(len(text), start + _WINDOW)
    closing = _CLOSE.search(text, start, limit)
    inside = _folded(text[start : closing.start() if closing else limit])
    if _CONTROL_TOKEN.match(inside):
        return closing.start() if closing else start
    tag = _TAG.match(inside)
    if tag is None:
        return None
    if closing and _ATTRIBUTES.fullmatch(tag["rest"]):
        return closing.start()
    # Otherwise only what touches the bracket reads as a tag: `a < task b` is a comparison.
    return start if tag["slash"] or (not tag["gap"] and len(tag["name"]) > 1) else None


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold().translate(_LOOKALIKES)
