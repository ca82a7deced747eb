"""The parts of a text: paragraphs and sentences, ordered, disjoint, covering every non-blank character."""

import re
from collections.abc import Iterator

from amb_core.text.english_vocabulary import ENGLISH
from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.pure_cache import remembered
from amb_values.english_data import ALWAYS_INSIDE, ENDS_UNLESS_NUMBER, MAY_END

__all__ = ["first_sentence", "paragraph_spans", "sentence_spans", "sentences"]

_BULLET = r"[-*+•·▪◦–—][ \t]|\d{1,3}[.)、．][ \t]?(?!\d)|[(（]?[a-zA-Z\d一二三四五六七八九十]{1,3}[)）、][ \t]?"
_STRUCTURAL = lazy_pattern(
    rf"[ \t]*(?:{_BULLET}|#{{1,6}}[ \t]|[|>]|```|~~~|={{3,}}|-{{3,}}|[\[(]?\d{{1,2}}:\d\d|"
    r"[A-Z\u4e00-\u9fff][\w.'’ ·-]{0,30}[:：](?=[ \t]?\S))"
)
_OWN_LINE = lazy_pattern(r"[ \t]*(?:#{1,6}[ \t]|\||```|~~~|={3,}[ \t]*$|-{3,}[ \t]*$)")
_GAP = lazy_pattern(r"\s+")
_CANDIDATE = lazy_pattern(
    r"[.!?…]++[\"'”’)\]»*_]*+|[。！？；｡]++[。！？；…”’」』）》\"')\]]*+|(?:\n|\r\n?|\x85|\u2028|\u2029)\s*+"
)
_WORD_BEFORE = lazy_pattern(r"[^\W_](?:[\w.]*[\w])?$")
_WORD_AFTER = lazy_pattern(r"[^\W\d_]{1,20}(?:['’]\w{1,4})?")
_ENUMERATOR = lazy_pattern(r"(?:(?:^|\n)[ \t]*[(\[]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})|[.!?。；] \d{1,2})$")
_LONGEST_NUMBERING = 4
"""Characters of the longest number or letter that an item of a list begins with ("viii.")."""
_WRAPPED = range(45, 131)
_UNDERLINED = lazy_pattern(r"[^\n]{1,100}\n[ \t]*([=\-*~^\"'])\1{2,}[ \t]*")
_LONG_LINE = 150
_HEADING_LINE = lazy_pattern(r"[^\n]{1,60}(?<![.。!?！？,，;；:：…\"”])")


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None


# --- sentences -------------------------------------------------------------------------------------------------------


def _breaks_line(text: str, line_start: int, newline: int, following: int) -> bool:
    """True when the line break ends a sentence: before a list item, after a heading, at a paragraph's end."""
    if text.count("\n", newline, following) > 1 or text[newline] in "\x85\u2028\u2029":
        return True
    if following >= len(text) or _STRUCTURAL.match(text, following) or _OWN_LINE.match(text, line_start):
        return True
    last, first = text[newline - 1 : newline], text[following]
    if last in ":：" or "\u3400" <= last <= "\u9fff" or "\u3400" <= first <= "\u9fff":
        return True
    indented = text[max(newline, following - 4) : following].isspace() and following - newline > 4
    if indented and not text[line_start : line_start + 1].isspace():
        return True
    length = newline - line_start
    return not (length in _WRAPPED or (first.islower() and last not in ";{}"))


def _word_before(text: str, dot: int) -> str:
    """The word of letters, digits and full stops that ends at `dot`; of a very long one the last 24 characters."""
    start = dot
    floor = max(0, dot - 24)
    while start > floor and (text[start - 1].isalnum() or text[start - 1] in "._"):
        start -= 1
    word = text[start:dot]
    if word.isalnum():
        return word
    found = _WORD_BEFORE.search(text, floor, dot)
    return found.group() if found else ""


def _ends_at_dot(text: str, dot: int, following: int) -> bool:
    """True when the single full stop at `dot`, followed by white space and then `following`, ends its sentence."""
    word = _word_before(text, dot)
    first = text[following]
    if len(word) <= _LONGEST_NUMBERING and _ENUMERATOR.search(text, max(0, dot - 8), dot):
        return False
    lower = word.lower()
    if len(word) == 1 and word.islower() and first.isdigit():
        return False
    if lower in ALWAYS_INSIDE:
        return False
    if lower in ENDS_UNLESS_NUMBER and not word[-1].isupper():
        return not first.isdigit()
    if lower in MAY_END or "." in word or (len(word) == 1 and word.isupper()):
        next_word = _WORD_AFTER.match(text, following)
        opens = next_word is not None and next_word.group() != "I" and next_word.group().lower() in ENGLISH
        return opens and first.isupper()
    if first.islower():
        return len(word) >= 4 and word.isalpha() and word.islower()
    return True


def _ends(text: str, mark: re.Match[str]) -> bool:
    """True when the stop ends a sentence."""
    stop = mark.group()
    end = mark.end()
    if stop[0] in "。！？；｡" or stop.startswith("……"):
        return True
    if end == len(text):
        return True
    if not text[end].isspace():
        return "\u3400" <= text[end] <= "\u9fff" and stop[0] in "!?"
    gap = _GAP.match(text, end)
    following = gap.end() if gap else end
    if following == len(text):
        return True
    if stop[0] == "." and not stop.startswith(".."):
        return _ends_at_dot(text, mark.start(), following)
    return not text[following].islower()


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of every sentence, English and Chinese.

    A line break ends a sentence where a paragraph, list item, table row or heading ends, not inside wrapped prose.
    """
    return list(_sentence_spans(text))


@remembered(most=64, longest=20_000)
def _sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(_each_sentence(text))


def _each_sentence(text: str) -> Iterator[tuple[int, int]]:
    start = line_start = 0
    for mark in _CANDIDATE.finditer(text):
        if mark.group()[0] in "\n\r\x85\u2028\u2029":
            ended = _breaks_line(text, line_start, mark.start(), mark.end())
            line_start = mark.end()
        else:
            ended = _ends(text, mark)
        if ended:
            if span := _trimmed(text, start, mark.end()):
                yield span
            start = mark.end()
    if span := _trimmed(text, start, len(text)):
        yield span


def first_sentence(text: str) -> str:
    """The first sentence of a short text, "" for a blank one."""
    first = next(_each_sentence(text), None)
    return "" if first is None else text[: first[1]]


def sentences(text: str) -> list[str]:
    """The text under `sentence_spans`, in order."""
    return [text[start:end] for start, end in sentence_spans(text)]


# --- paragraphs ------------------------------------------------------------------------------------------------------


def _is_heading(line: str, following: str) -> bool:
    if _UNDERLINED.fullmatch(line):
        return True
    if line.startswith("#"):
        return "\n" not in line
    if not _HEADING_LINE.fullmatch(line) or _STRUCTURAL.match(line):
        return False
    return len(following) > 2 * len(line) and not following.startswith("#")


def _blocks(text: str) -> list[tuple[int, int]]:
    """Stretches between blank lines; where lines are long, every line is a paragraph of its own."""
    blocks: list[tuple[int, int]] = []
    start = offset = 0
    longest = 0
    lines: list[tuple[int, int]] = []
    for line in (*text.splitlines(keepends=True), ""):
        end = offset + len(line)
        if line.strip():
            lines.append((offset, end))
            longest = max(longest, len(line))
        elif lines:
            joined = [(start, lines[-1][1])] if longest <= _LONG_LINE else lines
            blocks.extend(span for one in joined if (span := _trimmed(text, *one)))
            lines, longest = [], 0
        offset = end
        if not lines:
            start = offset
    return blocks


def paragraph_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of every non-blank paragraph; a heading belongs to the paragraph after it."""
    spans: list[tuple[int, int]] = []
    blocks = _blocks(text)
    heading: int | None = None
    for index, (start, end) in enumerate(blocks):
        begin = start if heading is None else heading
        following = text[slice(*blocks[index + 1])] if index + 1 < len(blocks) else ""
        if following and heading is None and end - start <= 120 and _is_heading(text[start:end], following[:200]):
            heading = start
            continue
        if following and text[start] == "#" and "\n" not in text[start:end]:
            heading = begin
            continue
        spans.append((begin, end))
        heading = None
    return spans
