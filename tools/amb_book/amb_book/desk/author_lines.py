"""Tasks, proposals and commands as lines for an author to read."""

from __future__ import annotations

import json
from collections.abc import Sequence

from amb_book.desk.commands import KINDS, SHOWN
from amb_book.desk.desk_replies import DeskError, Reply
from amb_book.desk.desk_words import Language, say
from amb_book.desk.proposals import Proposal, Row
from amb_book.desk.task_context import conversation
from amb_book.desk.tasks import Task, Turn, task_number
from amb_book.forms import place_line
from amb_core.text import clip_tokens

__all__ = ["help_lines", "proposal_lines", "task_lines", "unknown_command", "where_it_stands"]

_LAST = 2
_TURN_TOKENS = 80
_ENDS = 60
"""Characters of a text that are shown at its beginning and its end."""


def task_lines(tasks: Sequence[Task], at: Task | None, language: Language) -> str:
    """All tasks, one a line, with the one the author is at marked."""
    if not tasks:
        return say(language, "no_tasks")
    lines = [say(language, "tasks")]
    for task in tasks:
        state = say(language, "open" if task.state == "open" else f"state_{task.state}")
        here = say(language, "here") if at is not None and task.id == at.id else ""
        lines.append(f"{task_number(task.id)}. {task.title} ({state}, {task.turns}){here}")
    return "\n".join(lines)


def help_lines(language: Language) -> str:
    """Every command with what it does."""
    return "\n".join([say(language, "help"), *(SHOWN[language][kind] for kind in KINDS)])


def unknown_command(word: str, language: Language, at: Task | None) -> Reply:
    """The answer to a command nobody knows."""
    known = tuple(f"/{kind}" for kind in KINDS)
    text = say(language, "unknown_command", word=word[:40], known=" ".join(known))
    return Reply("error", text, at, error=DeskError("unknown_command", text, known))


def where_it_stands(task: Task, turns: Sequence[Turn], summary: str, language: Language) -> str:
    """A task, what was said in it in short, and what was said last."""
    key = {"open": "task_open", "settling": "settling", "closed": "task_closed"}[task.state]
    lines = [say(language, key, title=task.title, number=task_number(task.id), turns=len(turns))]
    if summary:
        lines += [say(language, "earlier"), summary]
    last = conversation(turns)[-_LAST:]
    if last:
        lines.append(say(language, "last"))
        lines += [f"{'>' if turn.role == 'author' else '<'} {_short(turn.text)}" for turn in last]
    return "\n".join(lines)


def proposal_lines(proposal: Proposal, language: Language) -> str:
    """A proposal: every statement with how it stands to what is settled."""
    form = _form_lines(proposal, language)
    text = _text_lines(proposal, language)
    if not proposal.rows:
        head = say(language, "proposal_empty", title=proposal.title)
        return "\n".join(filter(None, (head, proposal.note, *text, *form)))
    fields = {"chapter": proposal.chapter, "turns": proposal.turns, "title": proposal.title}
    lines = [say(language, "proposal", count=len(proposal.rows), **fields)]
    lines += [*([proposal.note] if proposal.note else []), *text]
    for number, row in enumerate(proposal.rows, 1):
        lines.append(f"{number}. {json.dumps(dict(row.statement), ensure_ascii=False)}")
        lines += [f"   – {remark}" for remark in _remarks(row, language)]
    return "\n".join([*lines, *form])


def _text_lines(proposal: Proposal, language: Language) -> list[str]:
    """How the text begins and ends that goes to the archive."""
    if not proposal.text:
        return []
    one_line = " ".join(proposal.text.split())
    there = say(language, "text_there", chars=proposal.there) if proposal.there else ""
    fields = {"chars": len(proposal.text), "chapter": proposal.chapter, "there": there}
    return [say(language, "text", begin=one_line[:_ENDS], end=one_line[-_ENDS:], **fields)]


def _form_lines(proposal: Proposal, language: Language) -> list[str]:
    """The places to fill in, numbered."""
    places = [place_line(row.statement, row.holds, language) for row in proposal.form]
    told = [f"[{number}] {place}" for number, place in enumerate(places, 1)]
    return [say(language, "form"), *told] if told else []


def _remarks(row: Row, language: Language) -> list[str]:
    told = [f"“{row.evidence}”"] if row.evidence else []
    told += [say(language, "new", names=", ".join(row.new))] if row.new else []
    for clash in row.clashes:
        told.append(say(language, "invalid_row" if clash.kind == "invalid" else clash.kind, text=clash.text))
    return told


def _short(text: str) -> str:
    line = " ".join(text.split())
    clipped = clip_tokens(line, _TURN_TOKENS)
    return line if clipped == line else f"{clipped}…"
