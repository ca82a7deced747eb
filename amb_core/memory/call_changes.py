"""What calls changed that bring no view of it: an edit of a text, a field that was set, a file that was written anew.

A result that was read before such a call is told with what the call asked for in the place of what it shows, and with
what it was answered; a call of which nothing can be compared, such as a deletion, stands beside what it is about.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise

from amb_core.memory.call_texts import call_text, short_values
from amb_core.memory.passage_terms import identifiers
from amb_core.models import InteractionEntry
from amb_core.reading import TextRecord, read_records
from amb_core.reading.outcomes import acknowledges, brought_value, has_failed
from amb_core.text.pure_cache import text_cache

__all__ = ["CallChanges", "Change"]

_SHORTEST, _SHORTEST_LINE, _LONGEST = 12, 4, 60
"""Bytes below which a text that an edit replaces may stand anywhere, and may be any line; characters of a field that is
set at most."""
_LONGEST_RESULT, _LONGEST_WORD, _LONGEST_READ = 4_000, 300, 200_000
"""Characters of the result of a call that replaces a text, of one that gives fields a value, and of a text that is
read for either."""
_LEAST_LINES, _HEAD = 3, 160
_SELDOM, _MOST_ABOUT = 4, 2
"""What stands in so many calls at most tells what they are about; so many of the newest about something are named."""
_WORD = re.compile(r"[^\W\d_]{4,}")
_ENDING = 5
"""Characters that the ending of a file's name has at most."""
_MOST = 24
"""So many of the newest calls with something in common with what is shown are looked at."""
_SUBSTITUTES = re.compile(r"\bs([/|#,@!~])((?:\\.|(?!\1).){1,400})\1((?:\\.|(?!\1).){0,400})\1")
_QUOTED = re.compile(r"\"((?:[^\"\\\n]|\\.){1,400})\"|'((?:[^'\\\n]|\\.){1,400})'")
_SET = re.compile(
    r"(?<![\w-])(?:--(?P<option>[A-Za-z][\w-]*)(?:[ =]|$)|(?P<name>[^\W\d][\w.-]{0,60})[\"']?\s{0,4}"
    r"(?:=|:(?!/))\s{0,4})(?P<value>\"[^\"\n]{1,60}\"|'[^'\n]{1,60}'|[^\s\"',;&|()\[\]{}]{1,60})"
)
_FILE = re.compile(r"(?:^|/)[^/\s]{1,100}\.[A-Za-z]\w{0,9}$")
_FAILED = re.compile(
    r"\b(?:not|no(?! content)|cannot|unable|failed|fails?|failure|denied|invalid|refused|rejected)\b|n[’']t\b"
    r"|未|没|失败|无法|不能|拒绝",
    re.IGNORECASE,
)
"""What tells in the first line of the result of a call that it changed nothing."""
_PATH = re.compile(r"[^\s/]*/\S*|\S+\.[A-Za-z]\w{0,9}")
_INTO = re.compile(r">\s{0,4}\S{1,200}")
_OPTION = re.compile(r"(?<!\S)(--?[A-Za-z][\w-]{0,30})[ =]([^\s-]\S{0,60})")
_KEY = re.compile(r"[^\W\d][\w.-]*")
_LINE = re.compile(
    r"^[ \t]*(?:[-*] )?(?P<name>[^\W\d][\w. -]{0,40}?)[ \t]{0,8}[=:：][ \t]{0,8}(?P<value>\S.{0,60}?)[,;]?$", re.M
)


@dataclass(frozen=True, slots=True)
class Change:
    """What the call of an entry, by its number, gives a field, or puts in the place of a text where `name` is "".

    `answer` is the first line of its result: whether it came to be so is the reader's to judge.
    """

    owner: int
    name: str
    now: str
    answer: str


class _Call:
    """An entry with what its call names and gives, each worked out once."""

    def __init__(self, entry: InteractionEntry) -> None:
        self.entry = entry

    @cached_property
    def values(self) -> list[str]:
        """Its short values, in small letters."""
        return [value.strip().casefold() for value in short_values(self.entry)]

    @cached_property
    def named(self) -> frozenset[str]:
        """What it names, its short values as a whole among it."""
        return _named(call_text(self.entry)) | {one for one in self.values if len(one) > 2}

    @cached_property
    def said(self) -> frozenset[str]:
        """What it names, and its longer words."""
        words = (word.casefold() for word in _WORD.findall(call_text(self.entry)[:_LONGEST_RESULT]))
        return self.named | frozenset(words)

    @cached_property
    def files(self) -> frozenset[str]:
        """The files that it names."""
        return _files_in(call_text(self.entry)) | {one for one in self.values if _FILE.search(one)}

    @cached_property
    def given(self) -> frozenset[tuple[str, str | int]]:
        """Its arguments that are texts or numbers, with their names."""
        held = _arguments(self.entry).items()
        return frozenset((k, v) for k, v in held if isinstance(v, str | int) and not isinstance(v, bool))

    @cached_property
    def fields(self) -> Mapping[str, str]:
        """The fields that it gives a value."""
        return _fields(self.entry)

    @cached_property
    def only_acts(self) -> bool:
        """Whether its result is word of what it did, and no view; a command may say nothing at all."""
        text = self.entry.text
        is_command = any(" " in value for value in self.values)
        says = brought_value(text) or (acknowledges(text) and any(map(str.isalnum, text)))
        return len(text) <= _LONGEST_WORD and (bool(says) or is_command) and len(read_records(text)) < 2

    @cached_property
    def options(self) -> Mapping[str, str]:
        """The options of a command, with their values: `--context staging`, `-n prod`."""
        found = (match for value in short_values(self.entry) for match in _OPTION.finditer(value))
        return {match[1]: match[2] for match in found}

    @cached_property
    def answer(self) -> str:
        """The first line of its result."""
        return self.entry.text.strip().partition("\n")[0][:_HEAD]


class CallChanges:
    """The calls that may have changed something, by what they name. They are put in the order of their numbers."""

    def __init__(self) -> None:
        self._calls: dict[int, _Call] = {}
        self._naming: defaultdict[str, list[int]] = defaultdict(list)
        self._often: Counter[str] = Counter()

    def put(self, owner: int, entry: InteractionEntry) -> None:
        """Take up an entry by its number; of those whose call brought little it is asked what they changed."""
        call = _Call(entry)
        self._often.update(call.said)
        failed = entry.metadata.get("is_error") or has_failed(entry.text) or _FAILED.search(call.answer)
        if failed or len(entry.text) > _LONGEST_RESULT:
            return
        named = call.named | call.fields.keys()
        if named:
            self._calls[owner] = call
        for one in named:
            self._naming[one].append(owner)

    def since(self, owner: int, entry: InteractionEntry, spans: Sequence[tuple[int, int]]) -> list[Change]:
        """What later calls put in the place of what stretches (start, end) of an entry show, the newest of each."""
        if not self._calls:
            return []
        shown = "\n".join(entry.text[start:end] for start, end in spans)
        mine = _Call(entry)
        about = mine.named | _named(shown) | {_plain(one["name"].strip()) for one in _LINE.finditer(shown)}
        later = {one for name in about for one in self._naming.get(name, ())[-_MOST:] if one > owner}
        if not later:
            return []
        calls = [(one, self._calls[one]) for one in sorted(later)[-_MOST:]]
        files = mine.files | _files_in(shown)
        same = {one: bool(_meant(files, call.files)) for one, call in calls}
        edits, text, whole = list[Change](), shown, entry.text[:_LONGEST_READ]
        for one, call in calls:
            for old, new in _replacements(call, text, whole, files=files):
                text, whole = text.replace(old, new), whole.replace(old, new)
                edits.append(Change(one, "", new.strip(), call.answer))
        newest = dict.fromkeys(edit.now for edit in edits if edit.owner == edits[-1].owner and edit.now in text)
        found = [replace(edit, now="; ".join(newest)) for edit in edits[-1:] if text != shown]
        given = dict[str, Change | None]()
        edited = {edit.owner for edit in edits}
        for one, call in reversed([each for each in calls if each[0] not in edited]):
            for name, now, is_new in _given(call, mine, spans, shown, same=same[one]):
                given.setdefault(name, Change(one, name, now, call.answer) if is_new else None)
        return found + [change for change in given.values() if change is not None]

    def about(self, owner: int, entry: InteractionEntry, spans: Sequence[tuple[int, int]]) -> list[int]:
        """The newest later calls that only did something, and with something that stretches of an entry are about.

        It is known by what seldom stands in calls: a word that both calls have, a name that is shown, or a field of a
        record with its value. Whether they changed what is shown nobody can tell.
        """
        newest = islice(reversed(self._calls.items()), _MOST)
        acts = [(one, call) for one, call in newest if one > owner]
        if not acts:
            return []
        shown = "\n".join(entry.text[start:end] for start, end in spans)
        mine = _Call(entry)
        names, values = mine.said | _named(shown), {value for _, value in mine.given}
        fields = {
            (_plain(name), value)
            for record in _records(entry.text)
            for name, value in record.fields.items()
            if any(low < record.spans[name][1] and record.spans[name][0] < high for low, high in spans)
        }
        found: list[int] = []
        for one, call in acts:
            same = any(value in values or (_plain(name), str(value)) in fields for name, value in call.given)
            if call.only_acts and (same or any(self._often[name] <= _SELDOM for name in names & call.said)):
                found.append(one)
        return found[:_MOST_ABOUT]


def _files_in(text: str) -> frozenset[str]:
    return frozenset(one.casefold() for one in identifiers(text) if _FILE.search(one))


def _meant(files: Iterable[str], others: Iterable[str]) -> list[str]:
    """Which files may be one of others: of two paths one is the end of the other."""
    ends = [f"/{one}" for one in others]
    return [one for one in files if any(f"/{one}".endswith(end) or end.endswith(f"/{one}") for end in ends)]


def _named(text: str) -> frozenset[str]:
    """What a text names, in small letters, also by the last parts of its paths and dotted names."""
    found = {one.casefold() for one in identifiers(text)}
    for one in tuple(found):
        _, _, last = one.rpartition(".")
        found |= {one.rpartition("/")[2], last if len(last) > _ENDING else ""}
    return frozenset(one for one in found if len(one) > 2)


# --- a text in the place of another -----------------------------------------------------------------------------------


def _replacements(call: _Call, shown: str, text: str, *, files: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The texts shown, of a whole one, that a call replaces, each with what it puts there: in one of their `files`."""
    for group in _given_together(call.entry) if _meant(files, call.files) else ():
        given = [value.strip() for value in group]
        for value in given:
            whole = _written(value, text) if _writes(value, given, files) else ()
            for old, new in (*_substitutions(value), *_patched(value), *whole):
                if _stands(old, shown) and new not in shown:
                    yield old, new
        texts = [value for value in given if not _PATH.fullmatch(value) or not value]
        old = next((value for value in texts if value and _stands(value, shown)), "")
        others = [value for value in texts if value != old and (not value or value not in shown)]
        if old and others:
            words = set(old.split())
            yield old, max(others, key=lambda value: (len(words & set(value.split())), len(value)))


def _stands(text: str, shown: str) -> bool:
    """Whether a text is shown: anywhere where it is long enough to be meant, else as a line of its own."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size >= _SHORTEST or text not in shown:
        return text in shown
    return size >= _SHORTEST_LINE and text.strip() in (line.strip() for line in shown.split("\n"))


def _substitutions(text: str) -> Iterator[tuple[str, str]]:
    """The texts that a command replaces: `s/old/new/`, or two quoted texts one after the other that are much alike."""
    for found in _SUBSTITUTES.finditer(text):
        yield found[2].replace("\\", ""), found[3].replace("\\", "")
    before = ""
    for found in _QUOTED.finditer(text):
        new = found[1] or found[2]
        words, others = set(before.split()), set(new.split())
        if before != new and len(words & others) * 2 >= max(len(words), len(others)) > 1:
            yield before, new
        before = new


def _patched(text: str) -> Iterator[tuple[str, str]]:
    """The lines that a patch takes out, with those that it puts in their place."""
    out, put = list[str](), list[str]()
    for line in (*text.split("\n"), "") if "\n-" in text else ():
        if line.startswith("-") and not line.startswith("---") and not put:
            out.append(line[1:])
        elif line.startswith("+") and not line.startswith("+++"):
            put.append(line[1:])
        else:
            if out:
                yield "\n".join(out), "\n".join(put)
            out, put = ([line[1:]] if line.startswith("-") and not line.startswith("---") else []), []


def _writes(value: str, given: Iterable[str], files: frozenset[str]) -> bool:
    """Whether a text is what a call writes into one of the files: given with it, or named in its first line."""
    first = value.partition("\n")[0]
    names = [one for one in given if one != value] + ([first] if _INTO.search(first) else [])
    return any(_meant(files, _files_in(one) | {one.casefold()}) for one in names)


def _written(value: str, text: str) -> Iterator[tuple[str, str]]:
    """The lines of a text that a file which was written anew has no more, and what it has there.

    Where hardly a line is left as it was, only fields are known to be the same ones, by their names.
    """
    theirs, mine = value.split("\n"), text.split("\n")
    held = set(theirs)
    missing = [at for at, line in enumerate(mine) if line not in held]
    if len(mine) < _LEAST_LINES or not missing:
        return
    if 2 * len(missing) > len(mine):
        fields = {found["name"]: line for line in theirs if (found := _LINE.match(line))}
        for line in (mine[at] for at in missing):
            if (found := _LINE.match(line)) and found["name"] in fields:
                yield line, fields[found["name"]]
        return
    low = high = missing[0]
    while high < len(mine) and mine[high] not in held:
        high += 1
    first = theirs.index(mine[low - 1]) + 1 if low else 0
    last = theirs.index(mine[high], first) if high < len(mine) and mine[high] in theirs[first:] else first + high - low
    yield "\n".join(mine[low:high]), "\n".join(theirs[first:last])


# --- a field that is set ----------------------------------------------------------------------------------------------


def _given(
    call: _Call, mine: _Call, spans: Sequence[tuple[int, int]], shown: str, *, same: bool
) -> Iterator[tuple[str, str, bool]]:
    """The fields shown that a call gives a value, and whether that is another: of what it names."""
    entry = mine.entry
    given = call.fields if call.only_acts else {}
    if given and call.entry.metadata.get("tool") == entry.metadata.get("tool"):  # each call of it is given these
        given = {name: value for name, value in given.items() if name not in _arguments(entry)}
    if not given:
        return
    if any(mine.options.get(name, value) != value for name, value in call.options.items()):
        return  # in another place: --context staging
    told = {*call.named, *map(str.casefold, call_text(call.entry).split()), *map(str.casefold, given.values())}
    words = {word for word in told - set(map(str.casefold, given.values())) if len(word) > 2 and not word.isdigit()}
    records = _records(entry.text)
    for record in records:
        _, _, key = record.identity.rpartition("=")
        names = [value for value in record.fields.values() if value == key or identifiers(value)]
        is_named = any(len(value) > 2 and value.casefold() in told for value in names)
        is_named |= not record.identity and any(value.casefold() in words for value in record.fields.values())
        for name, value in record.fields.items():
            start, end = record.spans[name]
            now = None if value == key else _value_of(given, name, whole=not is_named)
            if now is not None and any(low < end and start < high for low, high in spans):
                yield f"{key} {name}".strip(), now, now.casefold() != value.casefold()
    lines = [] if records else [(one["name"].strip(), one["value"].strip("\"' ")) for one in _LINE.finditer(shown)]
    if same or any(value.casefold() in words for _, value in lines):
        for name, value in lines:
            if (now := _value_of(given, name, whole=False)) is not None:
                yield name, now, now.casefold() != value.casefold()


def _arguments(entry: InteractionEntry) -> Mapping[str, object]:
    arguments = entry.metadata.get("arguments")
    return arguments if isinstance(arguments, dict) else {}


@text_cache(most=32)
def _records(text: str) -> tuple[TextRecord, ...]:
    return () if len(text) > _LONGEST_READ else tuple(one for one in read_records(text).values() if one.fields)


def _value_of(given: Mapping[str, str], name: str, *, whole: bool) -> str | None:
    """The value that is given to a field, by its name, or with `whole` only by two parts of its name or more."""
    wanted = _plain(name)
    for one, value in given.items():
        is_part = one == wanted or wanted.endswith(f".{one}") or (not whole and one.endswith(f".{wanted}"))
        if is_part and (not whole or "." in one):
            return value
    return None


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_")


def _fields(call: InteractionEntry) -> dict[str, str]:
    """The fields that a call gives a value: by its arguments, by a key among them, and within a command."""
    found: dict[str, str] = {}
    waiting = list(_arguments(call).items())
    scalars = list[tuple[str, str]]()
    while waiting:
        name, value = waiting.pop(0)
        if isinstance(value, dict):
            waiting += value.items()
        elif isinstance(value, str | int | float) and len(str(value)) <= _LONGEST:
            scalars.append((name, str(value)))
        if isinstance(value, str) and len(value) <= _LONGEST_WORD and "\n" not in value:
            put = "\n".join(new for _, new in _substitutions(value))
            for each in _SET.finditer(put or value):
                found[_plain(each["option"] or each["name"])] = each["value"].strip("\"'")
    for (_, key), (_, value) in pairwise(scalars):
        if _KEY.fullmatch(key):
            found[_plain(key)] = value
    return found | {_plain(name): value for name, value in scalars}


def _given_together(call: InteractionEntry) -> list[list[str]]:
    """The texts that a call was given, those of each mapping among its arguments together."""
    found, waiting = list[list[str]](), [call.metadata.get("arguments")]
    while waiting:
        value = waiting.pop(0)
        inner = [*value.values()] if isinstance(value, Mapping) else value if isinstance(value, list) else []
        found.append([one for one in inner if isinstance(one, str) and len(one) <= _LONGEST_READ])
        waiting += [one for one in inner if isinstance(one, Mapping | list)]
    return found
