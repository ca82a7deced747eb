"""What came in at the desk: a message that was typed, or the command of a button."""

from __future__ import annotations

from dataclasses import dataclass

from amb_book.desk.command_words import KINDS
from amb_book.desk.commands import Command, PlainText, UnknownCommand, read_message
from amb_book.desk.desk_words import Language, say
from amb_book.desk.replies import DeskError, Reply
from amb_book.desk.tasks import Task
from amb_core.errors import InvalidParameter

__all__ = ["Heard", "heard_as", "unknown_command"]


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


def unknown_command(word: str, language: Language, at: Task | None) -> Reply:
    """The answer to a command nobody knows."""
    known = tuple(f"/{kind}" for kind in KINDS)
    text = say(language, "unknown_command", word=word[:40], known=" ".join(known))
    return Reply("error", text, at, error=DeskError("unknown_command", text, known))
