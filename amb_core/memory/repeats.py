"""What repeats, and what is another state of the same call or record: the marks they are found by, and who has them.

A result is known in one of four ways, asked in this order: the host offers a call again that this adapter has taken in
(`adapter/absorber.py`), the bank has the same call of the same run (`interaction_tree.py`), it has the same text from
another call (here, before the entry is kept), or it came in while this one was being digested (`digester.py`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence

from amb_core.memory.ids import id_number
from amb_core.models import InteractionEntry
from amb_core.reading import Layout, TextRecord, detect_layout, read_records
from amb_core.reading.outcomes import brought_value
from amb_core.text.pure_cache import text_cache

__all__ = [
    "LONGEST_READ",
    "WORD_OR_TWO",
    "MarkTable",
    "Repeats",
    "call_mark",
    "fingerprint_of_text",
    "first_id",
    "ids_asked",
    "listed_marks",
    "record_marks",
    "state_marks",
]

_TOP = 2_000
_ADDRESS = re.compile(
    r"^(?:[^\S\n]|[*#-])*(?:page |current |页面)?(?:url|address|网址|地址)\W*[:：=][\s`'\"<]*https?://(?P<url>[^\s`'\"<>#]+)"
    r"|\bRootWebArea [^\n]*?\burl=[\"']?https?://(?P<root>[^\s\"'#]+)",
    re.MULTILINE | re.IGNORECASE,
)
_TRACKING = re.compile(r"(?<=[?&])(?:utm_\w+|fbclid|gclid)=[^&]*&?")
_HEAD_LINES, _LONGEST_LINE = 8, 300
"""So many lines are looked through for the first that shows its number, so many characters of the first for paths."""
_PATH = re.compile(r"\S*/\S*[\w/]")
_ARGUMENTS = json.JSONEncoder(sort_keys=True, ensure_ascii=False, default=str)
_MARK_BYTES = 12


class MarkTable:
    """Marks of entries, found from either side.

    Those of an entry that is put without marks are asked of `marks_of` when somebody looks for marks.
    """

    def __init__(self, marks_of: Callable[[str], frozenset[bytes]] = lambda entry_id: frozenset()) -> None:
        self._marks_of = marks_of
        self._waiting: dict[str, None] = {}
        self._filed: set[str] = set()
        self._holders: dict[bytes, str] = {}
        """By mark the ids of its entries, with spaces between: nearly always one, which costs no list then."""

    def __contains__(self, entry_id: str) -> bool:
        return entry_id in self._filed or entry_id in self._waiting

    def put(self, entry_id: str, marks: frozenset[bytes]) -> None:
        """File the marks of an entry that has none yet."""
        self._waiting.pop(entry_id, None)
        self._filed.add(entry_id)
        for mark in marks:
            known = self._holders.get(mark)
            self._holders[mark] = entry_id if known is None else f"{known} {entry_id}"

    def put_later(self, entry_id: str) -> None:
        """File the marks of an entry when somebody looks for marks."""
        self._waiting[entry_id] = None

    def _file_waiting(self) -> None:
        for entry_id in tuple(self._waiting):
            marks = self._marks_of(entry_id)
            self._waiting.pop(entry_id, None)
            if marks:
                self.put(entry_id, marks)

    def drop(self, entry_id: str) -> None:
        """Forget the marks of an entry, for which all are looked through; an unknown one is no error."""
        self._waiting.pop(entry_id, None)
        if entry_id not in self._filed:
            return
        self._filed.discard(entry_id)
        holding = (mark for mark, known in self._holders.items() if entry_id in known)  # or a longer id begins like it
        for mark in [mark for mark in holding if entry_id in self._holders[mark].split()]:
            left = [other for other in self._holders[mark].split() if other != entry_id]
            if left:
                self._holders[mark] = " ".join(left)
            else:
                del self._holders[mark]

    def holders(self, mark: bytes) -> list[str]:
        """The entries that have a mark, each once."""
        self._file_waiting()
        return self._holders.get(mark, "").split()


# --- marks of calls and records ---------------------------------------------------------------------------------------

LONGEST_READ = 200_000
"""Characters of a text up to which its records are looked at."""
_OWN_KEY = re.compile(r"(?:^|\.)[^.]*(?:[a-z0-9]_id|[a-z]I[dD])$")
"""A field that says what it is the id of ("order_id"): such a record is known by it whichever call shows it."""
_KEY = re.compile(
    r"(?:^|[\W_]|(?<=[a-z])(?=[A-Z]))(?:id|key|uuid|guid|code|sku|no|number|ref)$|[号码]$|编号", re.IGNORECASE
)
"""A field that may say which record it is, where its value is `_MARKED`: no count and no word."""
_MARKED = re.compile(r"(?=\S*\d)(?=\S*[^\W\d_]|\d{6})\S{4,}")
_LISTED = re.compile(r"(?:^|/)([^/=]+)=[^/=]*$")
"""The member of a list that is known by one of its fields."""
WORD_OR_TWO = re.compile(r"[^\W\d_]{1,20}(?:[ _-][^\W\d_]{1,20}){0,2}")
"""A state that is told in words."""
_DAY = re.compile(r"\d{4}([-/.])\d{1,2}\1\d{1,2}")
_ASKED = re.compile(r"(?=\S*\d|\S*[^\W\d_]\W+[^\W\d_])\S{3,}")
"""What a call may ask for as the name of one record: "4471", "ines.roth", but no word and no small number."""


def state_marks(entry: InteractionEntry) -> frozenset[bytes]:
    """Marks that this entry shares with every other state of the same call or of one of its records."""
    mark = call_mark(entry)
    if mark is None:
        return frozenset()
    return frozenset((mark, *record_marks(entry.text, ids_asked(entry)), *listed_marks(entry)))


@text_cache(most=64)
def _listed(text: str, tool: str) -> dict[bytes, TextRecord]:
    records = {} if len(text) > LONGEST_READ else read_records(text)
    return {
        _mark("listed", tool, identity): record
        for identity, record in records.items()
        if (own := _LISTED.search(identity)) and not _KEY.search(own[1]) and _has_state(record, own[1])
    }


def listed_marks(entry: InteractionEntry) -> dict[bytes, TextRecord]:
    """The records of lists that have no id, such as the points of a plan, by marks that results of one tool share.

    Such a record is known by its text, and has a field of a word or two that says how it stands.
    """
    return _listed(entry.text, str(entry.metadata.get("tool") or ""))


def _has_state(record: TextRecord, own: str) -> bool:
    return any(name != own and WORD_OR_TWO.fullmatch(value) for name, value in record.fields.items())


def ids_asked(entry: InteractionEntry) -> tuple[str, ...]:
    """What of the arguments of an entry's call may name a record."""
    arguments = entry.metadata.get("arguments")
    values = arguments.values() if isinstance(arguments, Mapping) else ()
    named = (str(one) for one in values if isinstance(one, str | int) and not isinstance(one, bool))
    return tuple(sorted({one for one in named if _ASKED.fullmatch(one)}))


def call_mark(entry: InteractionEntry) -> bytes | None:
    """The mark of a call: the same for the same tool, arguments, source and ground.

    None for what came from no call, and for a call that failed or brought nothing: that is no state of what it asked
    for, and what it brought before stands.

    The ground is what its result says it is about. A tree of a page that gives its address has the mark of that page,
    whichever call showed it.
    """
    tool = entry.metadata.get("tool")
    if not isinstance(tool, str) or entry.metadata.get("kind") != "tool" or entry.metadata.get("is_error"):
        return None
    if not brought_value(entry.text):
        return None
    if address := _page_address(entry.text):
        return _mark("page", address)
    arguments = _ARGUMENTS.encode(entry.metadata.get("arguments") or {})
    return _mark("call", tool, arguments, str(entry.metadata.get("source") or ""), _ground(entry.text, arguments))


def _page_address(text: str) -> str:
    """The address that a page tree gives as its own, at its top; "" where it gives none."""
    found = _ADDRESS.search(text, 0, _TOP) if text.find("://", 0, _TOP) >= 0 else None
    if found is None or detect_layout(text) is not Layout.PAGE_TREE:
        return ""
    return _TRACKING.sub("", found["url"] or found["root"]).removeprefix("www.").rstrip("/?")


@text_cache(most=64)
def _ground(text: str, arguments: str) -> str:
    """What a result is about besides what its call names: "scroll down" in another file is another call.

    It is the file that the result shows and the line it begins with, else the paths in its first line. A page without
    an address, which the call did not name either, is its own ground: nothing tells it from other pages.
    """
    from amb_core.reading.passage_units import find_files, line_number

    files = find_files(text)
    if files:
        start, file = files[0]
        shown = (line_number(line) for line in text[start:].split("\n", _HEAD_LINES)[:_HEAD_LINES])
        return f"{file}:{next(filter(None, shown), '')}"
    layout = detect_layout(text)
    if layout is Layout.PAGE_TREE and "://" not in arguments:
        return fingerprint_of_text(text).hex()
    if layout in (Layout.JSON, Layout.JSON_LINES):
        return ""
    return " ".join(_PATH.findall(text.lstrip()[:_LONGEST_LINE].partition("\n")[0]))


@text_cache(most=64)
def record_marks(text: str, asked: tuple[str, ...] = ()) -> dict[bytes, TextRecord]:
    """The records of a text that name themselves, by a mark that is equal wherever the same record stands.

    What stands in another record that names itself is told apart by that one too: two orders paid with one card have
    two payments. `asked` are values of the call, by which it is told what the one record is that holds one of them.
    """
    if len(text) > LONGEST_READ:
        return {}
    records = read_records(text)
    times = Counter(pair for record in records.values() for pair in record.fields.items())
    named = {identity: keys for identity, record in records.items() if (keys := _own_keys(record, asked, times))}
    for value, answers in _answers(records, asked).items():
        if len(answers) == 1 and answers[0][0] not in named:
            named[answers[0][0]] = [(answers[0][1], value)]
    found: dict[bytes, TextRecord] = {}
    several: set[bytes] = set()  # what two records of a text have in common tells neither from other records
    for identity, keys in named.items():
        steps = identity.split("/") if identity else []
        around = (named.get("/".join(steps[:at]), []) for at in range(len(steps)))
        parts = [part for each in (*around, keys) for pair in each for part in pair]
        mark = _mark("record", *parts)
        several |= {mark} & found.keys()
        found[mark] = records[identity]
    return {mark: record for mark, record in found.items() if mark not in several}


def _own_keys(record: TextRecord, asked: Container[str], times: Mapping[tuple[str, str], int]) -> list[tuple[str, str]]:
    """The field that says which record it is, with its value; several ids together where none is its alone.

    Two accounts of one owner have the same `owner_id`, so a key of its own comes first, unless an id says the same;
    then the id that the call asked for, then the first one: with which card it was paid may be told later. What a
    number names, such as a flight, is another one on another day.
    """
    ids = [pair for pair in record.fields.items() if _OWN_KEY.search(pair[0])]
    ids.sort(key=lambda pair: ("." in pair[0], pair[1] not in asked))
    keys = [pair for pair in record.fields.items() if "." not in pair[0] and _KEY.search(pair[0]) and pair not in ids]
    key = next((pair for pair in keys if _MARKED.fullmatch(pair[1])), None)
    if key is not None and key[1] not in (value for _, value in ids):
        return [key, *(pair for pair in record.fields.items() if _DAY.fullmatch(pair[1]))]
    own = next((pair for pair in ids if times[pair] == 1), None)
    return sorted(ids) if own is None else [own]


def first_id(record: TextRecord) -> str:
    """The name of the first field that says what it is the id of; "" for none."""
    return next((name for name in record.fields if _OWN_KEY.search(name)), "")


def _answers(records: Mapping[str, TextRecord], asked: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """By value that was asked for, the records and their fields that hold it."""
    found: dict[str, list[tuple[str, str]]] = {value: [] for value in asked}
    for identity, record in records.items() if found else ():
        for name, value in record.fields.items():
            if value in found and "." not in name:
                found[value].append((identity, name))
    return found


def fingerprint_of_text(text: str) -> bytes:
    """A mark of a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_MARK_BYTES).digest()


def _mark(*parts: str) -> bytes:
    return fingerprint_of_text("\x1e".join(parts))


# --- which texts say an earlier one again -----------------------------------------------------------------------------

_WORDS = re.compile(r"\d+(?:[.,:]\d+)*|\w+|[^\w\s.,;:!?…，。；：！？、\"'“”‘’()\[\]（）「」*_`]")
"""What has to be the same in a repeat: words, numbers as they are written, and signs that are no punctuation."""


class Repeats:
    """The texts that can be repeated, found by their words; `states` are the marks of calls and records."""

    def __init__(self, entries: dict[str, InteractionEntry], states: MarkTable) -> None:
        self._entries = entries
        self._states = states
        self._texts = MarkTable(lambda entry_id: frozenset({_text_mark(entries[entry_id].text)}))

    def file(self, entry: InteractionEntry) -> None:
        """From now on this entry can be repeated; filed before: no effect."""
        if entry.entry_id not in self._texts:
            self._texts.put_later(entry.entry_id)

    def drop(self, entry_id: str) -> None:
        """No longer find repeats of an entry; an unknown one is no error."""
        self._texts.drop(entry_id)

    def original_of(self, entry: InteractionEntry) -> str | None:
        """The id of an earlier entry that this one says again, else None.

        White space, case and punctuation may differ; but what the same call returned before, and machine data, are
        repeated word for word. A call that was made before repeats its own results only: that it brings now what
        another call brought is a new state of it; and a call that is made for the first time does not repeat what
        another one has taken back since.
        """
        mine = self._of_same_call(entry)
        for original in self.with_text(entry.text):
            if mine and original not in mine:
                continue
            if self._is_same(entry, self._entries[original], exact=bool(mine)):
                return original if mine or not self._is_taken_back(original, before=entry) else None
        return None

    def with_text(self, text: str) -> list[str]:
        """The entries of which the text has the same words, oldest first."""
        return sorted(self._texts.holders(_text_mark(text)), key=id_number)

    def says_again(self, entry: InteractionEntry, original: InteractionEntry) -> bool:
        """Whether an entry that nobody has looked at yet would be found to repeat another one."""
        mine = self._of_same_call(entry)
        if original.entry_id not in mine if mine else self._is_taken_back(original.entry_id, before=entry):
            return False
        return self._is_same(entry, original, exact=bool(mine))

    @staticmethod
    def _is_same(entry: InteractionEntry, original: InteractionEntry, *, exact: bool) -> bool:
        if exact or detect_layout(entry.text) is not Layout.PROSE:
            return entry.text.split() == original.text.split()
        return _text_mark(entry.text) == _text_mark(original.text)

    def _of_same_call(self, entry: InteractionEntry) -> frozenset[str]:
        """What the call of an entry had brought before."""
        mark = call_mark(entry)
        known = () if mark is None else self._states.holders(mark)
        newest = next(reversed(self._entries), "")
        if not newest or id_number(newest) <= id_number(entry.entry_id):
            return frozenset(known).difference((entry.entry_id,))
        return frozenset(one for one in known if id_number(one) < id_number(entry.entry_id))

    def _is_taken_back(self, entry_id: str, *, before: InteractionEntry) -> bool:
        """Whether the call of an entry has brought another text since, as far as it came before another entry."""
        mark, at = call_mark(self._entries[entry_id]), id_number(before.entry_id)
        known = () if mark is None else self._states.holders(mark)
        newest = max((one for one in known if id_number(one) < at), key=id_number, default=entry_id)
        return self._entries[newest].text.split() != self._entries[entry_id].text.split()


@text_cache(most=64)
def _text_mark(text: str) -> bytes:
    """A mark of a text that is equal for equal words and signs in equal order."""
    return fingerprint_of_text("\x1f".join(_WORDS.findall(text.casefold())) or text.strip())
