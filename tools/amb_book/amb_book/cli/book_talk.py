"""`amb book BOOK talk`: the desk in a terminal, or fed by a pipe: lines in, replies out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from amb_book.cli.author_model import author_model, tell_cost
from amb_book.cli.book_place import language_for, opened_book
from amb_book.cli.book_words import Language, word
from amb_cli.console import say

if TYPE_CHECKING:
    from amb_book import Desk, Reply
    from amb_book.desk import Proposal

__all__ = ["talk"]

_END = ("/quit", "/exit", "/退出")
_NONE = ("drop", "删去")
_PROMPT = "› "
_EXAMPLE = '{"status": {"of": "Lin Yue", "is": "dead"}}'


def talk(options: argparse.Namespace) -> int:
    """Send each line to the desk and print what it answers, until the lines end.

    A line that ends with a backslash goes on in the next one. With --json each reply is one line of JSON.
    """
    with author_model(options) as model, opened_book(options, new=True) as story:
        desk = story.desk() if model is None else model.desk(story)
        language = language_for(options, story)
        there = sys.stdin.isatty()
        if there and not options.json:
            say(word(language, "talk"))
        for message in _messages(there):
            if message.strip().casefold() in _END:
                break
            _Conversation(desk, language, as_json=options.json).take(message)
        tell_cost(model)
    return 0


def _messages(there: bool) -> Iterator[str]:
    """What is said, message by message; blank lines say nothing."""
    said: list[str] = []
    while True:
        if there:
            print("… " if said else _PROMPT, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            break
        text = line.rstrip("\r\n")
        if text.endswith("\\"):
            said.append(text[:-1])
            continue
        message = "\n".join([*said, text])
        said = []
        if message.strip():
            yield message
    if said:
        yield "\n".join(said)


class _Conversation:
    """What one message does; besides the desk's own commands those that a form has on the page."""

    def __init__(self, desk: Desk, language: Language, *, as_json: bool) -> None:
        self._desk, self._as_json = desk, as_json
        self._language: Language = language
        self._own: dict[str, Callable[[str, Proposal], Reply | None]] = {
            "/drop": self._drop,
            "/add": self._add,
            "/fill": self._fill,
            "/text": self._text,
        }

    def take(self, message: str) -> None:
        """Answer a message."""
        head, _, rest = message.strip().partition(" ")
        own = self._own.get(head.casefold())
        if own is None:
            reply = self._desk.send(message)
            self._show(reply)
            if reply.kind == "help" and not self._as_json:
                say(word(reply.task.language if reply.task is not None else self._language, "talk_help"))
            return
        waiting = self._waiting()
        if waiting is None:
            self._refuse(word(self._language, "no_proposal"))
            return
        corrected = own(rest, waiting)
        if corrected is not None:
            self._show(corrected)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _waiting(self) -> Proposal | None:
        task = self._desk.active
        return self._desk.proposal(task.proposal) if task is not None and task.state == "settling" else None

    def _drop(self, rest: str, waiting: Proposal) -> Reply | None:
        numbers = {int(each) for each in rest.replace(",", " ").split() if each.isdecimal() and len(each) < 7}
        if not numbers or not numbers <= set(range(1, len(waiting.rows) + 1)):
            self._refuse(word(self._language, "bad_rows", count=len(waiting.rows)))
            return None
        left = [each for number, each in enumerate(waiting.statements, 1) if number not in numbers]
        return self._desk.correct(waiting.id, statements=left, revision=waiting.revision)

    def _add(self, rest: str, waiting: Proposal) -> Reply | None:
        told: Any = None
        with suppress(ValueError, RecursionError):
            told = json.loads(rest)
        if not isinstance(told, dict):
            self._refuse(word(self._language, "bad_json", example=_EXAMPLE))
            return None
        return self._desk.correct(waiting.id, statements=[*waiting.statements, told], revision=waiting.revision)

    def _fill(self, rest: str, waiting: Proposal) -> Reply | None:
        from amb_book.forms import with_value

        number, _, value = rest.strip().partition(" ")
        place = int(number) if number.isdecimal() and len(number) < 7 else 0
        if not value.strip() or not 0 < place <= len(waiting.form):
            self._refuse(word(self._language, "bad_place", count=len(waiting.form)))
            return None
        told = with_value(waiting.form[place - 1].statement, value.strip())
        return self._desk.correct(waiting.id, statements=[*waiting.statements, told], revision=waiting.revision)

    def _text(self, rest: str, waiting: Proposal) -> Reply | None:
        """The text for the archive as it stands, or without it."""
        if rest.strip().casefold() in _NONE:
            return self._desk.correct(waiting.id, text="", revision=waiting.revision)
        told = {"kind": "text", "text": waiting.text, "chapter": waiting.chapter}
        say(
            json.dumps(told, ensure_ascii=False)
            if self._as_json
            else waiting.text or word(self._language, "no_text_here")
        )
        return None

    def _refuse(self, text: str) -> None:
        say(json.dumps({"kind": "error", "text": text}, ensure_ascii=False) if self._as_json else f"! {text}")

    def _show(self, reply: Reply) -> None:
        if self._as_json:
            say(json.dumps(_data(reply), ensure_ascii=False))
            return
        mark = "! " if reply.kind == "error" else ""
        say(f"{mark}{reply.text}")
        said = reply.text
        for more in (reply.note, reply.error.text if reply.error is not None else ""):
            if more not in said:
                say(f"! {more}")
                said = f"{said}\n{more}"


def _data(reply: Reply) -> dict[str, Any]:
    """A reply for programs."""
    proposal, task = reply.proposal, reply.task
    return {
        "kind": reply.kind,
        "text": reply.text,
        "task": None if task is None else {"id": task.id, "title": task.title, "state": task.state},
        "options": list(reply.options),
        "note": reply.note,
        "error": None if reply.error is None else {"kind": reply.error.kind, "text": reply.error.text},
        "proposal": None
        if proposal is None
        else {
            "id": proposal.id,
            "chapter": proposal.chapter,
            "text": proposal.text,
            "state": proposal.state,
            "rows": [{"statement": dict(row.statement), "evidence": row.evidence} for row in proposal.rows],
            "form": [
                {"statement": dict(row.statement), "holds": row.holds, "evidence": row.evidence}
                for row in proposal.form
            ],
        },
        "tasks": [{"id": each.id, "title": each.title, "state": each.state} for each in reply.tasks],
    }
