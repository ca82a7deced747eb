"""What an agent's next action uses out of earlier tool results, and whether it stands in a request.

A *string* is an identifier, a figure, a path, an address or a name of several words; it counts where it stands between
word boundaries. In a message that is sent as it was it stands there. In a text that an arm made (a block, a shortened
result) it counts only inside 80 characters in a row of its source, or inside its whole line or record: a list of bare
identifiers without what they belong to helps no agent. A *word* is a plain word of six letters or more, or three
Chinese characters in a row.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from amb_replay.recorded_run import FlatText, RecordedRun, calls_in

__all__ = ["LaterUse", "Used", "shows", "strings_in", "words_in"]

_RUN = re.compile(
    r"https?://[^\s'\"<>()\[\]{}\\,;]+"
    r"|[A-Za-z0-9_$](?:[A-Za-z0-9_$]|[./#+%-](?=[A-Za-z0-9_])|::(?=[A-Za-z_])|(?<=[0-9])[:,](?=[0-9]))*"
)
_NAME = re.compile(r"(?<![A-Za-z])[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})+(?![A-Za-z])")
_INNER = re.compile(r"_|[a-z][A-Z]|[A-Za-z0-9](?:[./#]|::)[A-Za-z0-9]")
_WORD = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z]{6,}(?![A-Za-z0-9_])")
_HAN = re.compile(r"[\u4e00-\u9fff]{3,}")
_IN_A_ROW = 80
_PLACES = 60
"""So many places of a string in one text are looked at."""


def strings_in(text: str) -> set[str]:
    """Identifiers, figures, paths, addresses and names of several words, of three characters or more."""
    runs = (run.rstrip(".:/$") for run in _RUN.findall(text))
    found = {run for run in runs if len(run) > 2 and (any(map(str.isdigit, run)) or _INNER.search(run))}
    return found | set(_NAME.findall(text))


def words_in(text: str) -> set[str]:
    """Plain words of six letters or more in small letters, and every three Chinese characters in a row."""
    found = {word.lower() for word in _WORD.findall(text)}
    for run in _HAN.findall(text):
        found.update(run[at : at + 3] for at in range(len(run) - 2))
    return found


def _places(text: str, wanted: str) -> Iterator[int]:
    """Where the string stands between word boundaries."""
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not (at and _in_word(text[at - 1])) and not (end < len(text) and _in_word(text[end])):
            yield at
        at = text.find(wanted, at + 1)


def _in_word(char: str) -> bool:
    return char == "_" or (char.isascii() and char.isalnum())


def _some_places(text: str, wanted: str) -> list[int]:
    return [place for place, _ in zip(_places(text, wanted), range(_PLACES), strict=False)]


def shows(made: str, wanted: str, source: FlatText) -> bool:
    """Whether a flat text holds the string inside 80 characters in a row of the source, or its whole line or record."""
    shown = _some_places(made, wanted)
    if not shown:
        return False
    for place in _some_places(source.text, wanted):
        units = [source.line_at(place), *_record_at(source.text, place)]
        for at in shown:
            left = _alike_before(source.text, place, made, at)
            right = _alike_behind(source.text, place + len(wanted), made, at + len(wanted))
            if left + len(wanted) + right >= _IN_A_ROW:
                return True
            start, end = place - left, place + len(wanted) + right
            if any(start <= begin and stop <= end for begin, stop in units):
                return True
    return False


def _record_at(text: str, place: int) -> Iterator[tuple[int, int]]:
    """The innermost record in braces around a place, if it is short."""
    begin = text.rfind("{", max(0, place - _IN_A_ROW), place)
    end = text.find("}", place, place + _IN_A_ROW)
    if begin >= 0 and end >= 0:
        yield begin + 1, end


def _alike_before(source: str, place: int, made: str, at: int) -> int:
    most = min(_IN_A_ROW, place, at)
    return next((n for n in range(most) if source[place - 1 - n] != made[at - 1 - n]), most)


def _alike_behind(source: str, place: int, made: str, at: int) -> int:
    most = min(_IN_A_ROW, len(source) - place, len(made) - at)
    return next((n for n in range(most) if source[place + n] != made[at + n]), most)


@dataclass(frozen=True, slots=True)
class Used:
    """One string or word that the next action uses: in which results it stood, and whether the agent had said it.

    `near` says that the newest two results hold it; else it is far. `holders` are the places of all earlier messages
    that hold it, `sources` those of the results among them, the newest first. `recent` says that the newest two turns
    in which tools were called brought it.
    """

    text: str
    is_word: bool
    near: bool
    said: bool
    holders: frozenset[int]
    sources: tuple[int, ...]
    recent: bool = False


class LaterUse:
    """Looks up, model call by model call, what the agent took from which earlier result."""

    def __init__(self, run: RecordedRun) -> None:
        self._run = run
        self._seen: dict[str, tuple[int, list[int]]] = {}
        self._words: defaultdict[str, list[int]] = defaultdict(list)
        self._counted = 0
        pinned = [run.flat[at].text for at in run.pinned]
        self._fixed, self._fixed_words = "\n".join(pinned), words_in("\n".join(pinned))

    def at(self, call: int) -> list[Used]:
        """What the message at this place uses of what stood in earlier results and not in the system text or task."""
        action = _action(self._run.messages[call])
        strings = sorted(one for one in strings_in(action) if next(_places(self._fixed, one), None) is None)
        found = [self._used(one, self._holders(one, call), call, is_word=False) for one in strings]
        self._count_words(call)
        parts = {part for one in strings for part in words_in(one)}
        words = sorted(words_in(action) - self._fixed_words - parts)
        found += [self._used(word, self._words.get(word, ()), call, is_word=True) for word in words]
        return [one for one in found if one is not None]

    def _used(self, text: str, holders: Sequence[int], call: int, *, is_word: bool) -> Used | None:
        results = self._run.results_before(call)
        sources = tuple(sorted(set(holders).intersection(results), reverse=True))
        if not sources:
            return None
        said = any(self._run.roles[at] != "tool" for at in holders)
        near = bool(set(results[-2:]).intersection(sources))
        recent = sources[0] >= self._run.newest_turns(call)
        return Used(text, is_word, near, said, frozenset(holders), sources, recent)

    def _holders(self, text: str, call: int) -> list[int]:
        """Places of the messages before the call that hold the string; each message is searched once."""
        start, holders = self._seen.get(text, (0, []))
        flat = self._run.flat
        holders += [at for at in range(start, call) if next(_places(flat[at].text, text), None) is not None]
        self._seen[text] = (max(start, call), holders)
        return list(holders)

    def _count_words(self, call: int) -> None:
        for at in range(self._counted, call):
            for word in words_in(self._run.flat[at].text):
                self._words[word].append(at)
        self._counted = max(self._counted, call)


def _action(message: Mapping[str, Any]) -> str:
    """What the agent does: the values in the arguments of its calls, else what it says."""
    calls = [called for _, called in calls_in(message)]
    if not calls:
        content = message.get("content")
        return content if isinstance(content, str) else ""
    return "\n".join(line for call in calls for line in _values(call.get("arguments") or call.get("input") or ""))


def _values(arguments: object) -> Iterator[str]:
    """The values in a call's arguments; their names are the tool's, not the agent's."""
    if isinstance(arguments, str):
        try:
            read = json.loads(arguments)
        except ValueError:
            read = None
        yield from _leaves(read) if isinstance(read, dict | list) else (arguments,)
    else:
        yield from _leaves(arguments)


def _leaves(value: object) -> Iterator[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            waiting.extend(one.values())
        elif isinstance(one, Collection) and not isinstance(one, str):
            waiting.extend(one)
        elif one is not None and not isinstance(one, bool):
            yield str(one)
