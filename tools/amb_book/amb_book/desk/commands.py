"""What an author's message tells the desk to do: a command, plain text, or a command nobody knows."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from amb_core.errors import InvalidParameter
from amb_core.rendering import Language

__all__ = [
    "KINDS",
    "REPLACE_WORDS",
    "SHOWN",
    "Command",
    "CommandKind",
    "Heard",
    "PlainText",
    "UnknownCommand",
    "heard_as",
    "read_message",
]

CommandKind = Literal["new", "continue", "switch", "restart", "settle", "tasks", "confirm", "discard", "help"]
KINDS: tuple[CommandKind, ...] = (
    "new",
    "continue",
    "switch",
    "restart",
    "settle",
    "confirm",
    "discard",
    "tasks",
    "help",
)

WORDS: dict[str, CommandKind] = {
    **dict.fromkeys(("new", "start"), "new"),
    **dict.fromkeys(("continue", "resume"), "continue"),
    "switch": "switch",
    **dict.fromkeys(("restart", "reopen"), "restart"),
    **dict.fromkeys(("settle", "close"), "settle"),
    **dict.fromkeys(("tasks", "list"), "tasks"),
    "confirm": "confirm",
    "discard": "discard",
    "help": "help",
}
"""Words behind a slash; each ends where the word ends."""

HAN_WORDS: dict[str, CommandKind] = {
    **dict.fromkeys(("开始新任务", "新建任务", "新任务", "新建"), "new"),
    **dict.fromkeys(("继续当前任务", "继续任务", "继续"), "continue"),
    **dict.fromkeys(("切换至任务", "切换到任务", "切换任务", "切换至", "切换到", "切换"), "switch"),
    **dict.fromkeys(("重启旧任务", "重启任务", "重新开始任务", "重启"), "restart"),
    **dict.fromkeys(("结算并关闭任务", "结算任务", "关闭任务", "结算"), "settle"),
    **dict.fromkeys(("任务列表", "列出任务", "任务"), "tasks"),
    **dict.fromkeys(("确认结算", "确认"), "confirm"),
    **dict.fromkeys(("放弃结算", "放弃"), "discard"),
    "帮助": "help",
}
"""The same in Chinese, where nothing need stand between a word and what follows; the longest that fits counts."""

BRACKET_WORDS: dict[str, CommandKind] = {
    **dict.fromkeys(("start new task", "start a new task", "new task"), "new"),
    **dict.fromkeys(("continue task", "continue the task", "continue current task"), "continue"),
    **dict.fromkeys(("switch to task", "switch task"), "switch"),
    **dict.fromkeys(("restart task", "reopen task"), "restart"),
    **dict.fromkeys(("settle and close task", "settle task", "close task"), "settle"),
    **dict.fromkeys(("list tasks", "tasks"), "tasks"),
    **dict.fromkeys(("confirm settlement", "confirm"), "confirm"),
    **dict.fromkeys(("discard settlement", "discard"), "discard"),
    **{word: kind for word, kind in HAN_WORDS.items() if len(word) > 2},
}
"""What stands before the colon of a bracketed command; short words are left to text, which has brackets, too."""

REPLACE_WORDS = frozenset({"replace", "取代", "替换", "以新的为准"})
"""What is said behind `/confirm` when the new statements hold against what is settled for that chapter."""

SHOWN: dict[Language, dict[CommandKind, str]] = {
    "en": {
        "new": "/new TITLE – start a task; what follows on further lines is its first message",
        "continue": "/continue – where the task you are at stands; plain text goes on with it",
        "switch": "/switch TITLE-OR-NUMBER – go over to another task",
        "restart": "/restart TITLE-OR-NUMBER – take a task up again, with what holds by now",
        "settle": "/settle – read off what was agreed, for you to confirm",
        "confirm": "/confirm [CHAPTER] [replace] – write what is proposed into the book's memory and close the task",
        "discard": "/discard – throw the proposal away and go on with the task",
        "tasks": "/tasks – all tasks",
        "help": "/help – this list",
    },
    "zh": {
        "new": "[开始新任务：标题] 或 /new 标题 —— 开始一个任务，之后各行是它的第一条消息",
        "continue": "/continue —— 当前任务的进展；直接输入文字即继续当前任务",
        "switch": "[切换至任务：标题或编号] 或 /switch —— 切换到另一个任务",
        "restart": "[重启任务：标题或编号] 或 /restart —— 按当前事实重新开始一个任务",
        "settle": "[结算并关闭任务：标题] 或 /settle —— 提取已敲定的内容，供您确认",
        "confirm": "/confirm [章节] [取代] —— 把提案写入本书的记忆，并关闭任务",
        "discard": "/discard —— 放弃提案，继续任务",
        "tasks": "/tasks —— 全部任务",
        "help": "/help —— 本列表",
    },
}

_SLASHES = ("/", "／")
_WORD = re.compile(r"[a-z]+(?![a-z0-9_-])(?=\s|[:：﹕︰\u3400-\u9fff“「『《\"]|$)")
_HEAD = re.compile(r"[^\W\d_][\w-]*(?=\s|[:：]|$)")
_BRACKETS = {"[": "]", "［": "］", "【": "】", "〔": "〕", "〖": "〗"}
_COLON = re.compile(r"\s*[:：﹕︰]\s*")
_TRADITIONAL = str.maketrans("開務啟關閉結換續幫確認棄當舊並", "开务启关闭结换续帮确认弃当旧并")
_HAN = re.compile(r"[\u3400-\u9fff]")
_QUOTES = {"“": "”", '"': '"', "「": "」", "『": "』", "《": "》", "'": "'", "‘": "’"}


@dataclass(frozen=True, slots=True)
class Command:
    """What is to be done: `argument` is a title, number or chapter, `text` the message that came with it.

    A button sends the same object that a typed line is read into. InvalidParameter for a kind the desk does not know.
    """

    kind: CommandKind
    argument: str = ""
    text: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidParameter(f"{self.kind!r:.60} is no command; known are {', '.join(KINDS)}.")


@dataclass(frozen=True, slots=True)
class PlainText:
    """A message for the task the author is at."""

    text: str


@dataclass(frozen=True, slots=True)
class UnknownCommand:
    """A word behind a slash that is no command."""

    word: str


def read_message(text: str) -> Command | PlainText | UnknownCommand:
    """Read a message: a command stands at its very beginning, `/word …` or `[words: …]`; anything else is text.

    Two slashes begin a text with a slash; a path, a date or a fraction is text.
    """
    said = text.strip()
    if said[:1] in _SLASHES:
        return _after_slash(said)
    return _bracketed(said) or PlainText(text)


def _after_slash(said: str) -> Command | PlainText | UnknownCommand:
    if said[1:2] in _SLASHES:
        return PlainText(said[1:])
    rest = "".join(map(_folded_char, said[1:]))
    word = _WORD.match(rest)
    kind, length = (WORDS.get(word.group()), word.end()) if word else (None, 0)
    if kind is None:
        kind, length = _han_head(rest)
    if kind is not None:
        return _command(kind, said[1 + length :])
    head = _HEAD.match(rest)
    return PlainText(said) if head is None else UnknownCommand(said[1 : 1 + head.end()])


def _folded_char(char: str) -> str:
    """A character without width and case; one that would become several stays, so that places stay what they are."""
    plain = unicodedata.normalize("NFKC", char).casefold()
    return plain if len(plain) == 1 else char


def _han_head(rest: str) -> tuple[CommandKind | None, int]:
    """The longest Chinese command word a text begins with."""
    plain = rest.translate(_TRADITIONAL)
    found = max((word for word in HAN_WORDS if plain.startswith(word)), key=len, default="")
    return (HAN_WORDS[found], len(found)) if found else (None, 0)


def _bracketed(said: str) -> Command | None:
    """The command in brackets a message begins with; None when it begins otherwise, or brackets hold a remark."""
    closing = _BRACKETS.get(said[:1])
    end = _closed_at(said, closing) if closing else None
    if end is None:
        return None
    inside, behind = said[1:end], said[end + 1 :].strip()
    words, colon, argument = _split(inside)
    kind = BRACKET_WORDS.get(_folded(words))
    if kind is None:
        return None
    if not colon and behind and kind in ("new", "switch", "restart"):
        first, _, behind = behind.partition("\n")  # "[Start new task] the siege"
        return Command(kind, _title(first), behind.strip())
    return Command(kind, _title(argument), behind)


def _closed_at(said: str, closing: str) -> int | None:
    """Where the bracket a text begins with is closed on its line; inner ones of the same kind are counted."""
    depth = 0
    for place, char in enumerate(said):
        if char == "\n":
            return None
        depth += (char == said[0]) - (char == closing)
        if depth == 0:
            return place
    return None


def _split(inside: str) -> tuple[str, bool, str]:
    colon = _COLON.search(inside)
    return (inside, False, "") if colon is None else (inside[: colon.start()], True, inside[colon.end() :])


def _folded(words: str) -> str:
    plain = unicodedata.normalize("NFKC", words).casefold().translate(_TRADITIONAL)
    return "".join(plain.split()) if _HAN.search(plain) else " ".join(plain.split())


def _command(kind: CommandKind, rest: str) -> Command:
    """A slash command: what stands on its line is the argument, what stands below it the message."""
    colon = _COLON.match(rest)
    line, _, below = (rest[colon.end() :] if colon else rest.lstrip(" \t\u3000")).partition("\n")
    if kind == "continue":
        return Command(kind, "", f"{line}\n{below}".strip())
    return Command(kind, _title(line), below.strip())


def _title(argument: str) -> str:
    """A title on one line, without the quotes around all of it."""
    title = " ".join(argument.split())
    closing = _QUOTES.get(title[:1])
    inside = title[1:-1]
    if closing and len(title) > 2 and title[-1] == closing and title[0] not in inside and closing not in inside:
        return inside.strip()
    return title


@dataclass(frozen=True, slots=True)
class Heard:
    """One message as it came in: what it says, what it is, and how it came."""

    said: str
    command: Command
    typed: bool
    unknown: str = ""


def heard_as(message: str | Command) -> Heard:
    """What came in, typed or from a button; InvalidParameter for what is neither."""
    if isinstance(message, Command):
        line = " ".join(part for part in (f"/{message.kind}", message.argument) if part)
        return Heard(f"{line}\n{message.text}" if message.text else line, message, typed=False)
    if not isinstance(message, str):
        raise InvalidParameter(f"the desk takes text or a Command, not {type(message).__name__}.")
    match read_message(message):
        case Command() as command:
            return Heard(message, command, typed=True)
        case PlainText(text):
            return Heard(message, Command("continue", text=text), typed=True)
        case UnknownCommand(word):
            return Heard(message, Command("help"), typed=True, unknown=word)
