"""Makes any text safe to stand inside our tags; ordinary text comes through byte for byte.

Three kinds of harm are undone, readably and in place: markup that could close our block, open another or pass for a
chat template's control token (`‹/memory›`); a line start that poses as another role or as one of our own notes
(`‹System›:`, `‹n12›`); and characters that hide or reorder what is there (`\\x00`, `\\u202e`, `\\ud800`).

What we say ourselves is told apart by its place, not by its words. A line of ours begins at the margin, a line of
somebody else's text never does (`quoted_lines`); and within a line of ours, whatever could be taken for a mark of ours
stands in quotation marks that it cannot close (`quoted`, `quoted_name`).
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence

from amb_core.rendering.labels import LABELS
from amb_core.text import clip_tokens, estimate_tokens
from amb_core.text.pure_cache import remembered
from amb_core.text.text_spans import GAP

__all__ = [
    "clip_line",
    "cut_line",
    "escape",
    "escape_line",
    "indented",
    "quoted",
    "quoted_lines",
    "quoted_name",
    "unquoted",
    "visible",
]

_INDENT = "  "
"""What a line of somebody else's text begins with, and no line of ours."""
_FEWEST = 8
"""Letters and figures below which the beginning of a long word says nothing."""
_MARK_TOKENS = 3
"""What the mark of a cut costs."""
_LINE_ENDS = re.compile("\r\n|[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_PART = (
    r"(?:(?![ːˑㆍ\u119eᐧꞏꓸꓽ])[\w\s!\"#$%&'*+,./<=>?@\\^`~{}\[\]’‘‹›…、。，–—€£¥°§×%-]"
    r"|:(?=[/\\\d:])|\|(?!\s))*"
)
_PLAIN = re.compile(rf"{_PART}|[A-Za-z_][\w.-]*\({_PART}\)")
"""What has neither a quotation mark nor anything that divides the parts of a line of ours, such as `·`, ` (` or `: `.

A call, such as `read(7)`, is one piece.
"""
_WORDS_OF_OURS = {
    words.casefold()
    for labels in LABELS.values()
    for name in labels.__slots__
    for part in re.split(r"\{\w*\}|[“”():：（）;；,，。.]", getattr(labels, name))
    if " " in (words := part.strip()) or (len(words) > 3 and not words.isascii())
}
_OURS = re.compile("|".join([r"\bstep \d", r"第 ?\d+ ?步", *map(re.escape, sorted(_WORDS_OF_OURS))]))
"""What lines of ours say, and how they name a step: in somebody else's words it would be taken for ours."""
_NAME = re.compile(r"[A-Za-z0-9_./:@?=&%#+~*<>\[\]-]+|\w+\.[A-Za-z0-9]{1,5}")
_QUOTES = str.maketrans(dict.fromkeys('"“”„‟«»＂〝〞〟「」『』❝❞｢｣﹁﹂﹃﹄⹂🙶🙷🙸', "'"))

_NAMES = (
    "task", "team", "story", "experience", "memory", "memories", "memory_block", "memory_blocks", "core_memory",
    "archival_memory", "tool", "tools", "tool_call", "tool_calls", "tool_output", "tool_outputs", "tool_response",
    "tool_responses", "tool_result", "tool_results", "tool_use", "function", "function_call", "function_calls",
    "function_output", "function_result", "function_results", "function_response", "invoke", "think", "thinking",
    "thought", "reasoning", "scratchpad", "observation", "answer", "final_answer", "system", "system_prompt",
    "system_message", "system_reminder", "user", "assistant", "human", "developer", "instruction", "instructions",
    "important", "information", "rules", "conversation", "conversation_history", "chat_history", "im_start",
    "im_end", "start_of_turn", "end_of_turn", "s", "bos", "eos", "sys", "任务", "团队", "故事", "记忆", "系统",
    "系统提示", "系统提示词", "系统消息", "系统指令", "用户", "助手", "指令", "思考", "工具调用", "工具结果",
    "工具输出", "回答", "最终答案",
)  # fmt: skip
_NESTED = 4
"""So many entities within entities are read."""
_WINDOW = 240
"""How many characters after an opening bracket may belong to one tag."""

# What a reader skips, so that `<mem\u200bory>` reads as `<memory>`.
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_INVISIBLE = re.compile(f"[\x00-\x08\x0e-\x1f\x7f{_UNSEEN}]")
_ON_LETTERS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_MARKS = re.compile(f"[{_ON_LETTERS}]")
_GAPS = re.compile(f"[{_UNSEEN}{_ON_LETTERS}…]")
_LATIN = re.compile(r"LATIN (?:SMALL |CAPITAL )?LETTER (?:SMALL CAPITAL )?([A-Z])(?: WITH .*)?")
_LOOKALIKES = {
    code: found[1].lower()
    for code in (*range(0x180, 0x2B0), *range(0x1D00, 0x1DC0), *range(0x2C60, 0x2C80), *range(0xA720, 0xA800))
    if (found := _LATIN.fullmatch(unicodedata.name(chr(code), "")))
} | str.maketrans(
    "аеорсухіѕмткԁһӏνɡոսաεοικτυαıɑɩүҽԛԝғгпјєӡքցհյζᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᎽᏀᏃᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏴ",
    "aeopcyxismtkdhlvgnuweoiktuaiaiyeqwfrnjezfghjzdrtiajewmhygzrwsvslcpkdb",
)  # every Latin letter with a stroke or a hook, small capitals; Cyrillic, Armenian, Greek, Cherokee

_ENTITY = (
    r"&(?:amp;)*(?:{name}|#0*{decimal}|#x0*{hex});?|\\u(?:00{hex}|\{{0*{hex}\}})|\\x{hex}|\\0?{octal}|%(?:25)*{hex}"
)
_OPEN = re.compile(
    "[<＜﹤˂ᐸᚲ❬❮❰⟨⧼⦑\u2329〈]|" + _ENTITY.format(name="lt", decimal="60", hex="3c", octal="74"), re.IGNORECASE
)  # fmt: skip
_CLOSE = re.compile(
    "[>＞﹥˃ᐳ❭❯❱⟩⧽⦒\u232a〉]|" + _ENTITY.format(name="gt", decimal="62", hex="3e", octal="76"), re.IGNORECASE
)  # fmt: skip
_SPELLED = "|".join(
    r"\s*".join(r"[\s_-]*" if char == "_" else char for char in name) for name in sorted(_NAMES, key=len, reverse=True)
)
_TAG = re.compile(
    rf"(?P<gap>\s*)(?P<slash>[/\\]?)\s*(?:[a-z][\w-]{{0,30}}\s*:\s*)?(?P<name>{_SPELLED})(?![\w.@-])(?P<rest>.*)",
    re.DOTALL,
)
_ATTRIBUTES = re.compile(r"\s*(?:[\w:-]+\s*=.*)?[/\s]*", re.DOTALL)
_CONTROL_TOKEN = re.compile(r"\s*\|\s*/?\w|\s*/?\w+\s*\|\s*$")
_PADDING = re.compile(f"[\\s{_UNSEEN}]*")

_BRACKETS = r"[\[［【〔〖]"
_BRACKETED = re.compile(rf"{_BRACKETS}([^\n\[［【〔〖\]］】〕〗]{{1,40}})[\]］】〕〗](\(#)?")
_MARKER = re.compile(
    r"\s*/?\s*(?:inst|sys|system_prompt|tool_calls?|tool_results?|tool_content|available_tools|think|normal|cross_validate)\s*"
)
_ROLE = (
    r"(?:system|human|assistant|user|developer|ai)(?:[\s_]+(?:prompt|message|note|response|instructions?))?"
    r"|tool(?:[\s_]+(?:call|response|result|output)s?)?|observation|thought|action(?:\s+input)?|final\s+answer"
    r"|(?:系统|系統)(?:提示词?|消息|指令)?|用户|用戶|人类|助手|助理|开发者|工具(?:调用|结果|响应|输出)?|观察|行动|思考|最终答案"
)
_ROLE_NAME = re.compile(rf"\s*(?:{_ROLE})\s*")
_COLONS = ":：﹕︰∶꞉˸׃։"
_LINE_HEAD = re.compile(rf"^[^\n\w]*+[^\n{_COLONS}]{{1,60}}+(?=[{_COLONS}])", re.MULTILINE)
_ROLE_HEAD = re.compile(rf"[^\w‹]*(?:{_ROLE})[^\w›]*")
_KEY = re.compile(r"""[\s{\[(,]*(["'])\w[\w ]*\1""")
_VALUE = re.compile(r""":\s*(?:["'{\[\d-]|(?:true|false|null|True|False|None)\b)""")
_HEADING = re.compile(r"^(?=[^\n\w‹]*(?:#|[=*~_–—-]{2}))[^\n]{1,80}$", re.MULTILINE)
_ROLE_HEADING = re.compile(
    rf"[\W_]*(?:(?:begin|start|end|new)(?:\s+of)?\s+)?(?:{_ROLE}|(?:new\s+)?instructions?|response|指令)[\W_]*"
)
_NOTE_HEAD = re.compile(rf"^([^\n\w‹]*?)({_BRACKETS}[^\n\[［【〔〖\]］】〕〗]{{1,24}}[\]］】〕〗])", re.MULTILINE)
_NOTE_ID = re.compile(r"\s*[a-z]\d+\s*")
_LEAD = re.compile(r"[\s>*_\"'`~|-]*")

_RUN = 3
"""So many unseen characters in a row are shown as their number: single ones have uses, runs hide text."""
_HIDDEN = re.compile(
    "\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    "|\U000e0077\U000e006c\U000e0073)\U000e007f"  # the flags of England, Scotland, Wales: kept
    r"|\r(?:\n|\Z)"  # an ordinary line end: kept; half of one is left where a stretch ends
    f"|[{_UNSEEN}]{{{_RUN},}}"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u115f\u1160\u180e\u2028\u2029\u202a-\u202e\u2061-\u206f\u3164\ud800-\udfff\uffa0"
    "\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)


@remembered(most=4_096, longest=1_000)
def escape(text: str) -> str:
    """The text with everything that could break out of a block, pose as a role or hide made harmless and visible.

    Applying it twice changes nothing more. Text without such content is returned unchanged.
    """
    text = visible(text)
    if _OPEN.search(text):
        text = _without_tags(text)
    text = _LINE_HEAD.sub(_role_head, text)
    text = _HEADING.sub(_role_heading, text)
    if _BRACKETED.search(text):
        text = _NOTE_HEAD.sub(_note_head, text)
        text = _BRACKETED.sub(_marker, text)
    return text


def escape_line(text: str) -> str:
    """`escape` for what must stay on one line: runs of white space become one space."""
    return escape(" ".join(text.split()))


def quoted_lines(text: str) -> list[str]:
    """The lines of somebody else's text, escaped, each behind two spaces; blank ones are left out."""
    return [f"{_INDENT}{line}" for line in _LINE_ENDS.split(escape(text)) if line.strip()]


def indented(text: str) -> str:
    """An escaped text with every line behind two spaces; blank lines stay blank."""
    return "\n".join(f"{_INDENT}{line}" if line.strip() else line for line in _LINE_ENDS.split(text))


def quoted(text: str, *, also: str = "") -> str:
    """Somebody else's words within a line of ours: bare where they have no words of ours, and nothing that divides it.

    `also` are further characters that do so in that place. In “…” else, without quotation marks of its own.
    """
    line = escape_line(text)
    folded = unicodedata.normalize("NFKC", line)
    is_plain = _PLAIN.fullmatch(folded) and not any(char in folded for char in also)
    return line if is_plain and not _OURS.search(folded.casefold()) else f"“{unquoted(line)}”"


def quoted_name(text: str) -> str:
    """A name where a mark of ours could stand: bare as one word of plain letters, such as a tool's; in “…” else."""
    line = escape_line(text)
    return line if not line or _NAME.fullmatch(line) else f"“{unquoted(line)}”"


def unquoted(line: str) -> str:
    """A line without anything that closes a quotation."""
    return line.translate(_QUOTES)


def clip_line(text: str, tokens: int) -> str:
    """`escape_line`, cut with an ellipsis where it is longer than so many tokens."""
    line = escape_line(text)
    return line if estimate_tokens(line) <= tokens else clip_tokens(line, tokens - 1).rstrip() + "…"


def cut_line(line: str, tokens: int, *, ends: bool = False) -> str:
    """A line in so many tokens, cut between words with a mark; of one long word, such as a path, the end.

    With `ends` what is left out is in the middle, as of a command, which tells most at its end.
    """
    if estimate_tokens(line) <= tokens:
        return line
    room, words = tokens - _MARK_TOKENS, line.split(" ")
    if room <= 0:
        return ""
    if estimate_tokens(words[0]) > room:
        begins = clip_tokens(words[0], room)
        return _path_end(words[0], tokens) or (f"{begins}{GAP}" if sum(map(str.isalnum, begins)) >= _FEWEST else "")
    head = _as_many(words, room // 3 if ends else room)
    room -= estimate_tokens(" ".join(words[:head])) + 1
    tail = _as_many(words[head:][::-1], room) if ends else 0
    last = words[len(words) - tail :]
    path = (
        _path_end(words[len(words) - tail - 1], room + _MARK_TOKENS - estimate_tokens(" ".join(last))) if ends else ""
    )
    return " ".join([*words[:head], path or GAP, *last])


def _path_end(path: str, tokens: int) -> str:
    """The last parts of a path in so many tokens, with a mark, of an address also the host; "" where none fits."""
    whole = path.rstrip("/")
    is_address = "://" in whole
    parts = whole.split("/")
    host = "/".join(parts[:3]) if is_address else ""
    parts, kept = parts[3:] if is_address else parts, list[str]()
    begins = [host] if host and estimate_tokens(f"{host}/{GAP}/{parts[-1] if parts else ''}") <= tokens else []
    while len(parts) > 1 and estimate_tokens("/".join([*begins, GAP, parts[-1], *kept])) <= tokens:
        kept.insert(0, parts.pop())
    return "/".join([*begins, GAP, *kept]) if kept else ""


def _as_many(words: Sequence[str], tokens: int) -> int:
    """How many of the first words have so many tokens."""
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        fits = estimate_tokens(" ".join(words[:middle])) <= tokens
        low, high = (middle, high) if fits else (low, middle - 1)
    return low


def visible(text: str) -> str:
    """The text with what hides, reorders or steers a terminal shown as escapes, for people to read."""
    return _HIDDEN.sub(_visible, text)


def _visible(match: re.Match[str]) -> str:
    found = match.group()
    if len(found) == 1:
        return "" if found == "\r" and match.end() == len(match.string) else _code(found)
    return found if found[0] in "\r\U0001f3f4" else f"‹{_code(found[0])}… ×{len(found)}›"


def _code(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _role_head(match: re.Match[str]) -> str:
    """A role before a colon; in quotation marks it is the key of a member of data, as `"user": 7` has it."""
    head = match.group()
    is_key = _KEY.fullmatch(head) and _VALUE.match(match.string, match.end())
    if is_key or not _ROLE_HEAD.fullmatch(_folded(head)):
        return head
    return _bracketed(head)


def _role_heading(match: re.Match[str]) -> str:
    return _bracketed(match.group()) if _ROLE_HEADING.fullmatch(_folded(match.group())) else match.group()


def _note_head(match: re.Match[str]) -> str:
    """A line that begins with an id of ours, or with a role, in square brackets."""
    lead, bracketed = match.groups()
    inside = _folded(bracketed[1:-1])
    poses = _NOTE_ID.fullmatch(inside) or _ROLE_NAME.fullmatch(inside)
    return f"{lead}‹{bracketed[1:-1]}›" if poses else match.group()


def _marker(match: re.Match[str]) -> str:
    """A control token of a chat template in square brackets, or a role with a fragment link behind it."""
    inside = _folded(match[1])
    poses = _MARKER.fullmatch(inside) or (match[2] and _ROLE_NAME.fullmatch(inside))
    return f"‹{match[1]}›{match[2] or ''}" if poses else match.group()


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
    padding = _PADDING.match(text, start)
    inner = padding.end() if padding else start
    next_opening = _OPEN.search(text, inner, inner + _WINDOW)
    limit = next_opening.start() if next_opening else min(len(text), inner + _WINDOW)
    closing = _CLOSE.search(text, inner, limit)
    gap = " " if any(map(str.isspace, text[start:inner])) else ""
    raw = gap + text[inner : closing.start() if closing else limit]
    end = closing.start() if closing else None
    inside = _folded(raw)
    harmful = _harm(inside, start, end)
    if harmful is None and not raw.isascii():  # what is not seen, marks on letters and cuts may also end a name
        harmful = _harm(_folded(_GAPS.sub(" ", raw)), start, end)
    cut_off = end is None and limit == len(text) and _begins_a_name(inside)
    return start if harmful is None and cut_off else harmful


def _harm(inside: str, start: int, end: int | None) -> int | None:
    """`_tag_end` of one reading of what stands between the brackets; `end` is where the closing one is, if any."""
    if _CONTROL_TOKEN.match(inside):
        return start if end is None else end
    tag = _TAG.match(inside)
    if tag is None:
        return None
    if end is not None and _ATTRIBUTES.fullmatch(tag["rest"]):
        return end
    # Otherwise only what touches the bracket reads as a tag: `a < task b` is a comparison.
    return start if tag["slash"] or (not tag["gap"] and len(tag["name"]) > 1) else None


def _begins_a_name(inside: str) -> bool:
    """Whether the text ends within a tag, which what follows it in a prompt could complete."""
    begun = inside.removeprefix("/").removeprefix("\\")
    return any(name.startswith(begun) for name in _NAMES)


def _folded(text: str) -> str:
    """The text as a reader takes it in: entities read, without what is not seen, in plain small letters."""
    for _ in range(_NESTED):
        if "&" not in text or (read := html.unescape(text)) == text:
            break
        text = read
    if text.isascii():
        return _INVISIBLE.sub("", text).lower()
    plain = _MARKS.sub("", unicodedata.normalize("NFKD", _INVISIBLE.sub("", text)))
    return unicodedata.normalize("NFKC", plain).casefold().translate(_LOOKALIKES)
