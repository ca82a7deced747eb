"""SQL statements inside a text, in a form in which only their letters' case and white space do not count."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["sql_statements"]

_START = re.compile(
    r"\bSELECT\b|\bINSERT INTO\b|\bDELETE FROM\b|\bCREATE (?:TABLE|VIEW|INDEX)\b|\bUPDATE \w+ SET\b|\bWITH \w+ AS \("
    r"|\bselect\b(?=[^.!?。]{1,200}\bfrom\b)"
)
_KEYWORDS = frozenset(
    """select from where group by order having limit offset join left right inner outer full cross on and or not in is
    null between like ilike as distinct case when then else end union all asc desc insert into values update set delete
    create table view index with over partition exists interval using top""".split()
)
_PIECE = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`|[\w.]+|<=|>=|<>|!=|\|\||::|[(),*=<>+/%;-]")
_GAP = re.compile(r"\s*")


def sql_statements(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, folded statement) of every statement, in text order."""
    done = 0
    for found in _START.finditer(text):
        if found.start() >= done:
            done, folded = _read(text, found.start())
            yield found.start(), done, folded


def _read(text: str, start: int) -> tuple[int, str]:
    """Up to where two operands follow each other: there prose goes on."""
    parts: list[str] = []
    at = end = start
    operand = False
    while piece := _PIECE.match(text, _GAP.match(text, at).end()):  # type: ignore[union-attr]
        word = piece.group()
        lower = word.lower()
        is_word = (word[0].isalnum() or word[0] in "_'\"`") and lower not in _KEYWORDS
        if (is_word and operand and len(word) > 2) or lower == ";":
            break
        operand = is_word or word in (")", "*")
        parts.append(word if word[0] == "'" else lower.rstrip("."))
        at = end = piece.end()
        if word[-1] == "." and word[0] != "'":
            end -= 1
            break
    return max(end, start + 1), " ".join(parts).strip()
