"""A redactor by patterns, check digits and the words around: no model, no dependency, linear time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property

from amb_core.errors import InvalidParameter
from amb_core.protocols import Redaction
from amb_redaction.bank_cards import find_bank_cards, find_ibans
from amb_redaction.command_lines import find_in_commands
from amb_redaction.id_cards import find_id_cards
from amb_redaction.keys import find_secrets
from amb_redaction.kinds import ALL_KINDS, SECRETS, Found, RedactionKind, mark_of
from amb_redaction.net_addresses import find_emails, find_ips
from amb_redaction.phones import find_phones
from amb_redaction.plain_view import PlainView

__all__ = ["PatternRedactor"]

_FINDERS: tuple[Callable[[PlainView], Iterator[Found]], ...] = (
    *(find_secrets, find_in_commands, find_emails, find_ibans, find_id_cards),
    *(find_bank_cards, find_ips, find_phones),
)
"""In the order in which they have their say about a piece of text."""
_MOST_ROUNDS = 12
"""What is left beside a mark may be found in the next round; more than three have not been seen outside of tests."""


class PatternRedactor:
    """Takes e-mail addresses, phone numbers, cards, addresses of machines and keys out of English and Chinese texts.

    `kinds` are those to take out, by name or as `RedactionKind` (default: all). InvalidParameter for an unknown one.
    Thread-safe; equal texts give equal results.
    """

    def __init__(self, kinds: Collection[RedactionKind | str] = ALL_KINDS) -> None:
        try:
            self.kinds = frozenset(RedactionKind(kind) for kind in kinds)
        except ValueError:
            names = ", ".join(RedactionKind)
            raise InvalidParameter(f"kinds are some of {names}, not {kinds!r:.80}.") from None

    @cached_property
    def of_secrets(self) -> PatternRedactor:
        """This one for keys and passwords alone: what is taken out of what a user asks to be kept."""
        return PatternRedactor(self.kinds & SECRETS)

    def redact(self, text: str) -> Redaction:
        """The text with a mark such as `[phone]` for each thing taken out, and how many there were of each kind."""
        counts = Counter[str]()
        for _ in range(_MOST_ROUNDS):
            found = self.find(text)
            if not found:
                break
            counts.update(thing.kind.value for thing in found)
            text = _marked(text, found)
        return Redaction(text, {kind.value: counts[kind.value] for kind in RedactionKind if counts[kind.value]})

    def find(self, text: str) -> list[Found]:
        """What `redact` takes out in its first round, in order; none overlaps another."""
        view = PlainView(text)
        found: list[Found] = []
        for find in _FINDERS:
            found = _joined(found, (thing for thing in find(view) if thing.kind in self.kinds))
        return [Found(thing.kind, *view.origin(thing.start, thing.end)) for thing in found]


def _joined(kept: list[Found], found: Iterable[Found]) -> list[Found]:
    """Both in order of place: what is kept, and those found that overlap neither it nor one another."""
    joined: list[Found] = []
    waiting = iter([*kept, None])
    following = next(waiting)
    for thing in sorted(found, key=lambda thing: (thing.start, -thing.end)):
        while following is not None and following.start < thing.end:
            joined.append(following)
            following = next(waiting)
        if not joined or joined[-1].end <= thing.start:
            joined.append(thing)
    return [
        *joined,
        *([following] if following is not None else []),
        *(thing for thing in waiting if thing is not None),
    ]


def _marked(text: str, found: Iterable[Found]) -> str:
    pieces, done = [], 0
    for thing in found:
        pieces += [text[done : thing.start], mark_of(thing.kind)]
        done = thing.end
    return "".join([*pieces, text[done:]])
