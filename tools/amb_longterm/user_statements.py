"""What a message says of its user, word for word: what he tells of himself and his own, and what he wishes for good.

A plain sentence in the first person is kept, unless it is a question, a request, said of the talk itself or of what is
worked on in it. Other people's words, and texts that are only handed on, are nobody's statements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from amb_core.rendering import strip_block
from amb_core.text import clip_tokens, index_tokens, sentences
from amb_longterm.everyday_words import topics_of
from amb_longterm.known_names import Known
from amb_longterm.memory_cues import cue, hears, tells_change
from amb_longterm.memory_records import MemoryType
from amb_longterm.unread_statements import UNREAD, is_of_himself, is_read, unread_sentences

__all__ = ["Clause", "clauses", "hidden_quotes", "kept_clauses", "own_words", "statements"]

_LONGEST = 2_000
"""Tokens of a message that are looked at: what comes behind is material, not talk."""
_LONGEST_STATEMENT = 600
"""Characters a statement may have: a longer clause is no rule or definition."""
_LETTERS = [chr(number) for number in range(0xA000, 0xA400)]
"""Letters of Yi, each of which stands for a quote in a text that has none of it."""
_NOT_TOLD = ("supposed", "reported", "draws on memory", "forget")
_NO_STATEMENT = ("question", "orders", "request", "small talk", "supposed", "reported", "of the talk", "task thing")
_MEND = "\u2060"
_SHORT = re.compile(
    r"(?i)\b(?:(i)(m)|(i|we|you|they)(ve)|(do|does|did|is|are|was|were|has|have|had|wo|ca|would|could|should)(nt)"
    r"|(i)(d)(?= (?:like|love|prefer|rather)\b)|(what|how|where|who|he|she|that|there|let)(s)|(they|you)(re)"
    r"|(?<![\w,] )(we)(re)(?= \w+ing\b))\b"
)
"""What people write without its apostrophe."""
_MENDED = re.compile(f"’(\\w+){_MEND}")
_MARKS = " \t\r\n,，;；、:：–—-"


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a message that is worth keeping, in its own words, and what kind of memory it is."""

    text: str
    type: MemoryType
    cue: str


def statements(message: str, *, known: Callable[[], Known] | None = None) -> tuple[Clause, ...]:
    """The clauses of a message that are to be kept: what is so of the user, his wishes, definitions, conclusions.

    Where somebody is `known`, so is what is told of him without a word of the user himself: "Minka died".
    """
    return tuple(found for _, found in kept_clauses(message, known=known) if found is not None)


def kept_clauses(message: str, *, known: Callable[[], Known] | None = None) -> list[tuple[str, Clause | None]]:
    """Each clause of a message, with what `statements` would keep of it; none where nothing is to be kept."""
    talk = own_words(message)
    if hears("do not keep", talk):
        return []
    if not is_read(talk):
        unread = ((each, "of himself" if is_of_himself(each) else UNREAD) for each in unread_sentences(talk))
        return [(each, Clause(each, MemoryType.USER_PROFILE, cue)) for each, cue in unread]
    found: list[tuple[str, Clause | None]] = []
    for clause, spoken in _clauses(talk):
        kept = _statement(clause, spoken)
        before = found[-1][1] if found else None
        if kept is None and before is not None and _goes_on(spoken):
            kept = Clause(clause, before.type, "goes on")
        if kept is None and known is not None and _tells_of_known(spoken, known):
            kept = Clause(clause, MemoryType.USER_PROFILE, "tells of somebody known")
        found.append((clause, kept))
    return found


def clauses(talk: str) -> list[str]:
    """Sentences, divided where a message goes from greeting or asking to telling, or back."""
    return [clause for clause, _ in _clauses(talk)]


def own_words(message: str) -> str:
    """What was said, without blocks of ours, code, quoted lines and texts that are only handed on."""
    quotes = _Quotes(clip_tokens(cue("quoted lines").sub(" ", strip_block(message)), _LONGEST))
    talk, done = quotes.hidden, 0
    if (voice := hears("voice", talk)) and not hears("first person", talk[: voice.start()]):
        talk = talk[: voice.end()]
    for mark in cue("material").finditer(talk):
        if mark.start() < done:
            continue
        before = next(reversed(sentences(talk[: mark.start()])), "")
        is_own = hears("own heading", before) is not None
        if hears("profile", before) or (is_own and hears("of my own", before)):
            continue
        about_words = hears("of words", before) or hears("question", before) or hears("reported", before)
        if about_words or (hears("request", before) and not is_own):
            talk = talk[: mark.start()]  # a text that something is asked about
            break
        line = talk[mark.end() :].partition("\n")[0]
        if before and not is_own and hears("first person", line):
            talk = talk[: mark.start()] + " " * (len(mark[0] + line)) + talk[mark.end() + len(line) :]  # a speaker's
            done = mark.end() + len(line)
    return quotes.shown(talk).strip()


def hidden_quotes(text: str) -> _Quotes:
    """A text with each quote as one character, `hidden`; `shown` gives a part of it back as it was."""
    return _Quotes(text)


class _Quotes:
    """A text in which each quote is one character, `hidden`, so that nothing in a quote is taken for the user's."""

    def __init__(self, text: str) -> None:
        self._found = dict(
            zip((each for each in _LETTERS if each not in text), cue("quoted").findall(text), strict=False)
        )
        letters = iter(self._found)
        self.hidden = _SHORT.sub(_spelt, cue("quoted").sub(lambda quote: next(letters, quote[0]), text))

    def shown(self, text: str) -> str:
        """A part of the hidden text as it was."""
        text = _MENDED.sub(r"\1", text)
        for letter, quote in self._found.items():
            text = text.replace(letter, quote)
        return text


def _spelt(found: re.Match[str]) -> str:
    """A short form with its apostrophe, and a mark by which it is taken out again."""
    begin, end = filter(None, found.groups())
    return f"{begin}{'n’t' if end.casefold() == 'nt' else '’' + end}{_MEND}"


def _clauses(talk: str) -> Iterator[tuple[str, str]]:
    """Each clause as it is, and with its quotes hidden."""
    quotes = _Quotes(talk)
    for sentence in sentences(quotes.hidden):
        for half in cue("halves").split(sentence):
            for piece in _pieces(half):
                if spoken := piece.strip(_MARKS):
                    yield quotes.shown(spoken), spoken.replace(_MEND, "")


def _pieces(sentence: str) -> Iterator[str]:
    """The pieces of a sentence that greet, ask or tell: a part that does none of it goes with the one before."""
    ends = [0, *(found.end() for found in cue("part break").finditer(sentence)), len(sentence)]
    parts = [sentence[start:end] for start, end in pairwise(ends) if sentence[start:end].strip(_MARKS)]
    asked = sentence.rstrip().endswith(("?", "？"))
    roles = [_role(part) for part in parts]
    if parts and not roles[0] and _orders(parts[0]):
        roles[0] = "asks"
    if asked and "asks" not in roles and len(parts) > 1:
        roles[-1] = "asks"
    run, role = "", ""
    for part, own in zip(parts, roles, strict=True):
        leads = run and not asked and not cue("leads in").sub("", run)
        if leads or (asked and role == "asks" and not hears("cause", part)):
            own = ""  # it goes on with what is to be remembered, or with what is asked
        if (own and role and own != role) or (own == "asks" and not role and not hears("subordinate", run)):
            yield from filter(None, [run])
            run = ""
        run, role = run + part, own or role
    yield run.rstrip("?？") if role == "tells" else run


def _role(part: str) -> str:
    """What a part of a sentence does: "greets", "asks", "tells", or "" for what its own words do not say."""
    part = part.replace(_MEND, "")
    return next((name for name in ("greets", "asks", "tells") if hears(name, part)), "")


def _orders(part: str) -> bool:
    """Whether a part of a sentence is an order, and not what the user says that he does."""
    return hears("orders", part) is not None or bool(hears("request", part) and not hears("first person", part))


def _statement(clause: str, spoken: str) -> Clause | None:
    """What a clause states for good; None for a question, a guess, a one-off or somebody else's words."""
    told = cue("leads in").sub("", spoken)  # "from now on write …": nobody writes
    if not told or len(clause) > _LONGEST_STATEMENT or any(hears(name, told) for name in _NOT_TOLD):
        return None
    asks, polite, passing = hears("question", spoken), hears("polite", spoken), hears("passing", spoken)
    if (polite or not asks) and (found := hears("called", spoken)):
        return Clause(clause, MemoryType.USER_PROFILE, found.group().strip())
    if not asks and hears("introduces", spoken) and not hears("task thing", spoken):
        return Clause(clause, MemoryType.USER_PROFILE, "tells of the user")
    if hears("small talk", spoken) or hears("greets", spoken):
        return None
    mine = hears("of me alone", spoken)
    if not asks and (found := hears("conclusion", spoken)):
        return Clause(clause, MemoryType.TASK_TRACES, found.group().strip())
    if not asks and not passing and not mine and (found := hears("definition", clause)):
        return Clause(clause, MemoryType.DOMAIN_FACTS, found.group().strip())
    wished = spoken[polite.end() :] if polite else spoken
    if not passing and (polite or not asks) and (found := hears("profile", wished)):
        return Clause(clause, MemoryType.USER_PROFILE, found.group().strip())
    if not asks and _is_of_user(spoken):
        return Clause(clause, MemoryType.USER_PROFILE, "tells of the user")
    return None


def _is_of_user(spoken: str) -> bool:
    """Whether a clause is a plain statement in the first person, or tells of a change in an everyday matter."""
    others = any(hears(name, spoken) for name in ("of the talk", "asks", "orders"))
    if others or _is_of_task(spoken) or not index_tokens(spoken):
        return False
    mine = any(hears(name, spoken) for name in ("first person subject", "no subject"))
    if mine or all(hears(name, spoken) for name in ("first person", "told of me")):
        return True
    return tells_change(spoken) and bool(topics_of(index_tokens(spoken))) and not hears("task thing", spoken)


def _tells_of_known(spoken: str, known: Callable[[], Known]) -> bool:
    """Whether a clause is a plain statement about somebody or something that the user told of before."""
    spoken = cue("points").sub("", spoken)
    if len(spoken) > _LONGEST_STATEMENT or any(hears(name, spoken) for name in ("asks", *_NO_STATEMENT)):
        return False
    subject = hears("subject", spoken)
    words = {each.casefold() for each in subject.groups() if each} if subject else set[str]()
    told = known()
    if words & told.names:
        return True
    return tells_change(spoken) and (told.begins(spoken) or not told.nouns.isdisjoint(index_tokens(" ".join(words))))


def _is_of_task(spoken: str) -> bool:
    """Whether a clause says what is done just now with the things of a task."""
    is_now = hears("in hand", spoken) or hears("event", spoken)
    return bool(is_now and hears("task thing", spoken) and not hears("lasting", spoken))


def _goes_on(spoken: str) -> bool:
    """Whether a clause is a statement of somebody named before it, or goes on about an everyday matter."""
    is_near = hears("third person", spoken) is not None or bool(topics_of(index_tokens(spoken)) - {"place"})
    return is_near and not any(hears(name, spoken) for name in _NO_STATEMENT)
