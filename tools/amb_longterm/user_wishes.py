"""What a user's message wants of what is remembered: that something is forgotten, put right, or called wrong.

Only what he says himself, as a wish, counts: no quote, no question, nothing supposed, denied or told of somebody else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal

from amb_core.text import index_tokens, sentences
from amb_longterm.memory_cues import cue, hears
from amb_longterm.user_statements import hidden_quotes, own_words

__all__ = ["Act", "acts_of", "wishes_something"]

_KINDS = ("forget last", "forget all", "forget this", "meant", "is wrong", "forget perhaps", "may be meant")
_LONGEST = 200
"""Characters of a wish; what is longer tells something."""
_THANKS = frozenset(" \t\r\n.。!！?？,，;；…~～")

Kind = Literal["tells", "last", "all", "this", "perhaps", "meant", "may", "wrong"]


@dataclass(frozen=True, slots=True)
class Act:
    """A stretch of a message: what it tells, or a wish about memory with its own words.

    `about` is what is to be forgotten or what is meant; of a wish that puts right, `instead_of` is what was wrong.
    `each` says that all that has to do with it is meant.
    """

    kind: Kind
    text: str
    about: str = ""
    instead_of: str = ""
    each: bool = False


def wishes_something(message: str) -> bool:
    """Whether a message has a wish about what is remembered."""
    return any(act.kind != "tells" for act in acts_of(message))


def acts_of(message: str) -> list[Act]:
    """What a message does, in order; one without a wish tells all that it says, as it stands."""
    talk = own_words(message)
    quotes = hidden_quotes(talk)
    acts: list[Act] = []
    told: list[str] = []
    for sentence in sentences(quotes.hidden):
        rest = sentence
        while rest:
            before, wish, rest = _parted(rest)
            told += [before] if index_tokens(before) else []
            if wish is not None:
                wish = replace(wish, text=quotes.shown(wish.text), about=quotes.shown(wish.about))
                acts += [Act("tells", quotes.shown(" ".join(told)))] if any(told) else []
                acts.append(wish)
                told = []
    if not acts or (hears("do not keep", talk) and len(acts) + any(told) > 1):
        return [Act("tells", message)]
    return acts + ([Act("tells", quotes.shown(" ".join(told)))] if any(told) else [])


def _parted(sentence: str) -> tuple[str, Act | None, str]:
    """What stands before the first wish in a sentence, the wish, and what comes behind it."""
    for start in _starts(sentence):
        if (cue("leads in").sub("", sentence[:start]) or not start) and (found := _wish(sentence[start:])) is not None:
            wish, end = found
            return sentence[:start].strip(" ,，;；"), wish, sentence[start + end :].strip()
    return sentence, None, ""


def _starts(sentence: str) -> Iterator[int]:
    """Where in a sentence a wish may begin: at its beginning, behind a comma, or with "and"."""
    yield 0
    for found in cue("wish break").finditer(sentence):
        yield found.end()


def _wish(spoken: str) -> tuple[Act, int] | None:
    """The wish that a text begins with, and where it ends; None where it begins with none."""
    if hears("unwise", spoken):
        return None
    opening = cue("opening").match(spoken)
    skipped = opening.end() if opening else 0
    for kind in _KINDS:
        for start in dict.fromkeys((skipped, 0)):
            bare = spoken[start:]
            if len(bare) > _LONGEST and kind not in ("forget last", "forget this"):
                continue
            if (found := cue(kind).match(bare)) and not hears("unwise", bare):
                act, end = _act(kind, bare, [group for group in found.groups() if group is not None], found.end())
                if act is not None:
                    return act, start + end
    return None


def _act(kind: str, spoken: str, groups: list[str], end: int) -> tuple[Act | None, int]:
    if kind == "forget last":
        return Act("last", spoken[:end].strip()), end
    if kind in ("forget all", "is wrong"):
        return Act("all" if kind == "forget all" else "wrong", spoken.strip()), len(spoken)
    said = groups[-1] if groups else ""
    end = _behind(spoken, said)
    if kind in ("meant", "may be meant"):
        if hears("not but", said.strip()) is None:
            said = "".join(takewhile(lambda letter: letter not in ",，;；", said))
        right, wrong = _one_not_other(said)
        about = right.strip("".join(_THANKS))
        return (Act("meant" if kind == "meant" else "may", spoken[:end].strip(), about, wrong) if about else None), end
    named = "".join(takewhile(lambda letter: letter not in ",，;；", said)).strip("".join(_THANKS))
    about = " ".join(cue("about it").sub(" ", named).split()).strip("".join(_THANKS))
    if kind == "forget perhaps":
        return Act("perhaps", spoken[:end].strip(), about), end
    if not about:
        return Act("last", spoken[:end].strip()), end
    return Act("this", spoken[:end].strip(), about, each=hears("each of it", named) is not None), end


def _behind(spoken: str, said: str) -> int:
    """Where what comes behind a part of a text begins: at the next comma, or at the end."""
    start = spoken.find(said)
    return next((at for at in range(start + len(said), len(spoken)) if spoken[at] in ",，;；"), len(spoken))


def _one_not_other(said: str) -> tuple[str, str]:
    """What is right and what was wrong; the second is "" where that is not said."""
    found = hears("not but", said.strip())
    if found is None:
        return said, ""
    parts = [group for group in found.groups() if group is not None]
    return (parts[2], parts[1]) if parts[0] == "" else (parts[0], parts[1])
