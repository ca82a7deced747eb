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

HAN_WORDS: dict[str, CommandKind] = {
    **dict.fromkeys(("开始新任务", "新建任务"), "new"),
    "继续": "continue",
    **dict.fromkeys(("切换至任务", "切换任务"), "switch"),
    "重启任务": "restart",
    **dict.fromkeys(("结算并关闭任务", "结算任务", "结算"), "settle"),
    "任务": "tasks",
    "确认": "confirm",
    "放弃": "discard",
    "帮助": "help",
}
"""Words behind a slash, where the longest that fits counts and the kinds themselves are words, too; those of more than
two characters also before the colon of a bracketed command.
"""

_ENGLISH_WORDS: dict[str, CommandKind] = {
    **dict.fromkeys(("start new task", "begin new task", "new task"), "new"),
    **dict.fromkeys(("switch to task", "switch task"), "switch"),
    "restart task": "restart",
    **dict.fromkeys(("settle and close task", "settle task", "close task"), "settle"),
}
"""The same in English, before the colon of a bracketed command; `a` and `the` are left out."""
_ARTICLES = frozenset(("a", "an", "the"))

REPLACE_WORDS = frozenset({"replace", "取代"})
"""What is said behind `/confirm` when the new statements hold against what is settled for that chapter."""

SHOWN: dict[Language, dict[CommandKind, str]] = {
    "en": {
        "new": "[Start new task: TITLE] or /new TITLE – start a task; further lines are its first message",
        "continue": "/continue – where the task you are at stands; plain text goes on with it",
        "switch": "[Switch to task: TITLE-OR-NUMBER] or /switch – go over to another task",
        "restart": "[Restart task: TITLE-OR-NUMBER] or /restart – take a task up again, with what holds by now",
        "settle": "[Settle and close task: TITLE] or /settle – read off what was agreed, for you to confirm",
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

_BY_NAME: dict[str, CommandKind] = {kind: kind for kind in KINDS}
_SLASHES = ("/", "／")
_WORD = re.compile(r"[a-z]+(?![a-z0-9_-])(?=\s|[:：﹕︰\u3400-\u9fff“「『《\"]|$)")
_HEAD = re.compile(r"[^\W\d_][\w-]*(?=\s|[:：]|$)")
_BRACKETS = {"[": "]", "［": "］", "【": "】"}
_COLON = re.compile(r"\s*[:：﹕︰]\s*")
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
    kind, length = (_BY_NAME.get(word.group()), word.end()) if word else (None, 0)
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
    found = max((word for word in HAN_WORDS if rest.startswith(word)), key=len, default="")
    return (HAN_WORDS[found], len(found)) if found else (None, 0)


def _bracketed(said: str) -> Command | None:
    """The command in brackets a message begins with; None when it begins otherwise, or brackets hold a remark."""
    closing = _BRACKETS.get(said[:1])
    end = _closed_at(said, closing) if closing else None
    if end is None:
        return None
    inside, behind = said[1:end], said[end + 1 :].strip()
    colon = _COLON.search(inside)
    words, argument = (inside[: colon.start()], inside[colon.end() :]) if colon else (inside, "")
    kind = HAN_WORDS.get("".join(words.split())) if len(words) > 2 else None
    english = " ".join(word for word in words.casefold().split() if word not in _ARTICLES)
    kind = kind or _ENGLISH_WORDS.get(english) or (_BY_NAME.get(english) if colon else None)
    return Command(kind, _title(argument), behind) if kind is not None else None


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
