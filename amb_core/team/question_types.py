"""What kind of thing a question asks for, English and Chinese."""

from __future__ import annotations

from amb_core.team.curating import QuestionType
from amb_core.team.question_type_words import ASKED, CHOICE, YES_NO

__all__ = ["choices", "question_type"]


def question_type(question: str) -> QuestionType:
    """What a question asks for; `other` where its words do not say."""
    if choices(question):
        return "choice"
    for kind, asked in ASKED:
        if asked.search(question):
            return kind
    return "yes-no" if YES_NO.search(question) else "other"


def choices(question: str) -> tuple[str, ...]:
    """The things a question has one choose between; () for another question."""
    found = CHOICE.search(question)
    if found is None:
        return ()
    return tuple(each.strip(' "“”') for each in found.groups() if each)
