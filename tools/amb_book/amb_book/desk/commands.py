"""What an author's message tells the desk to do: a command, plain text, or a command nobody knows."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from amb_book.desk.command_words import BRACKET_WORDS, HAN_WORDS, KINDS, WORDS, CommandKind
from amb_core.errors import InvalidParameter

__all__ = ["Command", "CommandKind", "PlainText", "UnknownCommand", "read_message"]

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
