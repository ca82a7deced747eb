"""What a passage or a message is found by: its words, its identifiers, and pieces of these."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from amb_core.text import index_tokens
from amb_core.text.han_numbers import han_number
from amb_core.text.pure_cache import remembered
from amb_core.text.text_spans import asks

__all__ = [
    "asked_keys",
    "date_terms",
    "defined_terms",
    "definitions_of",
    "form_of",
    "identifiers",
    "identifiers_in",
    "index_terms_of",
    "is_question",
    "key_terms",
    "long_words_in",
    "numbered_terms",
    "parts_of",
    "pieces_of",
    "plain_text",
    "query_weights",
    "words_of",
]

_IDENTIFIER = re.compile(
    r"""https?://[^\s'"<>)\]}\\]+
    | (?<![\w-])--?[A-Za-z][\w-]*
    | [A-Za-z0-9_](?:[A-Za-z0-9_./@\#+-]|::|(?<=\d):(?=\d)|(?<=\d),(?=\d))*[A-Za-z0-9_]
    | (?:/[A-Za-z0-9_.-]+)+""",
    re.VERBOSE,
)
_NAME = re.compile(r"\b[A-Z][a-z]+(?: [A-Z][a-z]+)+\b")
_TELLS = re.compile(r"^-|[\d_/@#]|[A-Za-z]\.[A-Za-z]|::|[a-z][A-Z]")
"""What tells an identifier, a path, an option of a command or a figure from a word."""
_NUMBERED = re.compile(
    r"(?P<word>(?<![^\W_])(?:(?![\u3040-\uffff])[^\W\d_]){2,20})[ \xa0](?P<number>\d{1,6})(?![\w%]|[.,:/-]\d)"
    r"|(?P<han>(?:(?!第)[\u4e00-\u9fff]){2})\s?(?P<count>\d{1,6})(?![A-Za-z0-9_%]|[.,:/-]\d)"
    r"|第\s?(?P<ordinal>\d{1,6}|[零〇一二三四五六七八九十百千]{1,8})\s?(?P<unit>[\u4e00-\u9fff])"
)
"""A thing by its number: `Article 37`, `第37条`."""
_WORD = re.compile(r"[A-Za-z]{6,}|[\u3400-\u9fff]{2,}")
_ESCAPES = (("\\n", "\n"), ("\\t", " "), ('\\"', '"'), ("\\/", "/"))
_ONE_UNICODE = re.compile(r"\\{1,3}u[0-9a-fA-F]{4}")
_UNICODE = re.compile(rf"(?:{_ONE_UNICODE.pattern})+")
"""Characters as `json.dumps` writes them, also where JSON stands in JSON."""
_LAST_MONTH, _LAST_DAY = 12, 31
_SHORTEST, _LONGEST = 3, 160
_LONGEST_QUESTION = 200
_INNER = re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])")
"""Where one word of an identifier ends and the next begins."""
_YEAR = re.compile(r"\d{4}|年")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH, _AD, _HAN = rf"({'|'.join(_MONTHS)})[a-z]{{0,6}}\.?", r"((?:19|20)\d\d)(?!\d)", "〇零一二三四五六七八九十"
_DAYS = tuple(
    (order, re.compile(pattern, re.IGNORECASE))
    for order, pattern in (
        ("ymd", r"(?<!\d)((?:19|20)\d\d)[-/.](\d\d?)[-/.](\d\d?)(?!\d)"),
        ("ymd", r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?!\d)"),
        ("ymd", rf"(\d{{4}}|[{_HAN}]{{4}})年\s?(\d\d?|[{_HAN}]{{1,3}})月\s?(\d\d?|[{_HAN}]{{1,3}})[日号]"),
        ("dmy", rf"(?<!\d)(\d\d?)(?:st|nd|rd|th)?[ -](?:of )?{_MONTH},?[ -]{_AD}"),
        ("mdy", rf"\b{_MONTH} (\d\d?)(?:st|nd|rd|th)?,? {_AD}"),
        ("mdy", rf"(?<![\d/])(\d\d?)/(\d\d?)/{_AD}"),
        ("dmy", rf"(?<![\d.])(\d\d?)\.(\d\d?)\.{_AD}"),
    )
)
"""Days as they are written, and which of the three groups is the year, the month and the day."""
_GRAM, _STRIDE, _MOST_GRAMS = 4, 2, 12
_IDENTIFIER_WEIGHT, _PIECE_WEIGHT = 2.0, 0.3


def plain_text(text: str) -> str:
    """The text without the escapes of JSON strings."""
    if "\\" in text:
        if "\\u" in text:
            text = _UNICODE.sub(_characters, text)
        for escape, char in _ESCAPES:
            text = text.replace(escape, char)
    return text


def _characters(escapes: re.Match[str]) -> str:
    """The characters that are written by their numbers; two halves of one become it, a half alone stays as it is."""
    numbers = [int(one[-4:], 16) for one in _ONE_UNICODE.findall(escapes[0])]
    try:
        return b"".join(number.to_bytes(2, "big") for number in numbers).decode("utf-16-be")
    except UnicodeDecodeError:
        return escapes[0]


def identifiers_in(text: str) -> frozenset[str]:
    """The `identifiers` of a text without escapes, which is not remembered; none goes over the end of a line."""
    found = {one.rstrip(".,:;/-") for one in _IDENTIFIER.findall(text) if _TELLS.search(one)}
    found.update(_NAME.findall(text))
    return frozenset([one for one in found if _SHORTEST - one.startswith("-") <= len(one) <= _LONGEST])


def long_words_in(text: str) -> frozenset[str]:
    """What `words_of` a text without escapes has beside its identifiers."""
    return frozenset([word.lower() for word in _WORD.findall(text)])


_identifiers = remembered(most=8_000, longest=2_000)(identifiers_in)


def identifiers(text: str) -> frozenset[str]:
    """The identifiers, paths, addresses, figures and names of several words in a text, as they stand there."""
    return frozenset().union(*map(_identifiers, plain_text(text).split("\n")))


@remembered(most=8_000, longest=2_000)
def _words_of(line: str) -> frozenset[str]:
    return _identifiers(line) | long_words_in(line)


def words_of(text: str) -> frozenset[str]:
    """What a text can bring into a request that does not hold it: its identifiers and its longer words."""
    return frozenset().union(*map(_words_of, plain_text(text).split("\n")))


def numbered_terms(text: str) -> list[str]:
    """The index terms of things that a text names by a word and a number: `Article 37`, `第37条`, `第三十七条`."""
    found: list[str] = []
    for match in _NUMBERED.finditer(text):
        if ordinal := match["ordinal"]:
            number = ordinal if ordinal.isdigit() else str(int(han_number(ordinal)))
            found.append(f"={match['unit']} {number}")
        else:
            word, number = match["word"] or match["han"], match["number"] or match["count"]
            found.append(f"={word.lower()} {number}")
    return found


def date_terms(text: str) -> list[str]:
    """The index terms of the days that a text names, however written: `9 March 2026`, `2026年3月9日`, `20260309`."""
    if not _YEAR.search(text):  # most passages name no year, and each is read once when it comes
        return []
    found: list[str] = []
    for order, pattern in _DAYS:
        for match in pattern.finditer(text):
            parts = dict(zip(order, map(_day_part, match.groups()), strict=True))
            if order == "mdy" and parts["m"] > _LAST_MONTH:
                parts["m"], parts["d"] = parts["d"], parts["m"]
            if 1 <= parts["m"] <= _LAST_MONTH and 1 <= parts["d"] <= _LAST_DAY:
                found.append(f"={parts['y']:04d}-{parts['m']:02d}-{parts['d']:02d}")
    return found


def _day_part(word: str) -> int:
    """A year, month or day in figures, by its name or in Chinese."""
    if word.isdecimal():
        return int(word)
    return _MONTHS.index(word.lower()) + 1 if word.isascii() else int(han_number(word))


def parts_of(identifiers: Iterable[str]) -> list[str]:
    """The words that identifiers are written of: `maxRetryDelay` and `max_retry_delay` are found by "retry delay"."""
    joined = (one for one in identifiers if "_" in one or _INNER.search(one))
    return index_tokens(_INNER.sub(" ", " ".join(joined).replace("_", " ")))


def pieces_of(identifier: str) -> list[str]:
    """Overlapping pieces of an identifier, by which one that is written a little differently is found."""
    low = identifier.lower()
    return [f"~{low[at : at + _GRAM]}" for at in range(0, len(low) - _GRAM + 1, _STRIDE)][:_MOST_GRAMS]


_DIGITS, _LETTERS = re.compile(r"\d+"), re.compile(r"[A-Za-z]+")
_ASKED_NAME = re.compile(r"[A-Za-z_]\w{2,}")
_KEY = re.compile(r"[\"'](\w{2,40}?)s?[\"']\s*:")


def key_terms(text: str) -> list[str]:
    """The index terms of the keys that data have, those of lists as those of one: `item_ids` and `item_id` alike."""
    return [f":{key}" for key in dict.fromkeys(_KEY.findall(text))]


_DEFINED = re.compile(
    r"^[ \t\d:>|→]*(?:(?:export|public|private|protected|static|async|abstract|final|pub) ){0,4}"
    r"(?:def|class|function|func|fn|interface|struct|enum|trait|type|const|let|var|\#define)[ ]([A-Za-z_$][\w$]*)"
    r"|^(?:[ \t]*\d+[\t:|→])?([A-Za-z_]\w*)[ ]?(?::[ ][\w\[\], .|]{1,60})?=(?!=)",
    re.MULTILINE | re.VERBOSE,
)
"""What a line of a program defines: behind a word of the language, or by an assignment at its beginning."""


def defined_terms(text: str) -> list[str]:
    """The index terms of names that a text of code defines: who asks what one is means these lines, not its uses."""
    return definitions_of(match[1] or match[2] for match in _DEFINED.finditer(text))


def definitions_of(names: Iterable[str]) -> list[str]:
    """The index terms of the lines that define some names."""
    return [f"≝{name.lower()}" for name in names]


def asked_keys(call: str) -> list[str]:
    """The `key_terms` of what a call was given, and of the last word of each: a `website_url` is a `url` elsewhere."""
    keys = key_terms(call)
    return [*dict.fromkeys((*keys, *(f":{one.rpartition('_')[2]}" for one in keys if "_" in one)))]


def form_of(identifier: str) -> str:
    """How an identifier is built: `#W4967593` and `#W2611340` alike, two paths of Java files, two addresses.

    "" for what is built like a word, which has no form of its own.
    """
    head, slash, last = identifier.rpartition("/")
    if slash:
        return f"{'://' if '://' in head else '/'}{last.rpartition('.')[2] if '.' in last else ''}"
    form = _LETTERS.sub("a", _DIGITS.sub(lambda run: f"{len(run[0])}", identifier))
    return form if form != "a" else ""


@remembered(most=64, longest=8_000)
def query_weights(text: str) -> Mapping[str, float]:
    """The index terms of a text with their weights: identifiers count more than words, pieces of them less."""
    plain = plain_text(text)
    weights = dict.fromkeys(index_tokens(plain), 1.0)
    found = identifiers(plain)
    weights.update((piece, _PIECE_WEIGHT) for one in found for piece in pieces_of(one))
    if len(plain) <= _LONGEST_QUESTION:
        weights.update(dict.fromkeys(definitions_of(_ASKED_NAME.findall(plain)), 1.0))
    weights.update(
        (term, _IDENTIFIER_WEIGHT) for term in (*index_terms_of(found), *numbered_terms(plain), *date_terms(plain))
    )
    return weights


def index_terms_of(found: Iterable[str]) -> list[str]:
    """The index terms of identifiers alone; of a path its last part as well, for a path is written from many places."""
    whole = [one if one.startswith("-") else one.lower().strip("/") for one in found]
    return [f"={one}" for name in whole for one in dict.fromkeys((name, name.rpartition("/")[2])) if one]


def is_question(text: str) -> bool:
    """Whether a text of a few words asks something."""
    return asks(text) and len(text) <= _LONGEST_QUESTION
