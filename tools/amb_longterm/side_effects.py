"""What a worker left behind besides its answer, found by code: queries that only read, files and charts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["SideEffect", "side_effects"]

_MOST = 8
_LONGEST_QUERY = 4_000
_LONGEST_PATH = 300
_LOOKED_AT = 20_000
"""Characters of a text that are looked through for paths."""
_FENCE = re.compile(r"```[ \t]*(?:\w*sql\w*)[ \t]*\r?\n(.*?)```", re.DOTALL | re.IGNORECASE)
_READS = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/)*(?:select|with|explain|show|describe)\b", re.DOTALL | re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:insert\s+into|update\s+\w+\s+set|delete\s+from|drop|alter|truncate|create|replace\s+into|merge\s+into|grant|revoke"
    r"|attach|copy|exec|execute|call|load_file|into\s+(?:out|dump)file|pg_read_file|xp_cmdshell)\b",
    re.IGNORECASE,
)
_STRINGS = re.compile(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", re.DOTALL)
_CHARTS = "png|svg|jpe?g|gif|webp"
_FILES = rf"csv|tsv|xlsx?|parquet|json|jsonl|pdf|docx?|pptx?|html?|md|txt|ipynb|sqlite|feather|zip|{_CHARTS}"
_PATH = re.compile(
    rf"(?<![\w./\\:-])(?:[A-Za-z]:[\\/]|~?/|\.{{1,2}}/)?(?:[\w.@+-]{{1,80}}[\\/]){{0,20}}[\w@+-][\w.@+-]{{0,120}}\.(?:{_FILES})(?![\w/\\.-]*\w)"
    rf"|[\"'`“](?:[A-Za-z]:[\\/]|~?/|\.{{1,2}}/)?[^\"'`“”\n<>|*?]{{1,200}}\.(?:{_FILES})[\"'`”]",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{0,20}://\S+|\bwww\.\S+", re.IGNORECASE)
_IS_CHART = re.compile(rf"\.(?:{_CHARTS})$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SideEffect:
    """A query that worked, or the path of a file or chart that was made."""

    kind: Literal["sql", "file", "chart"]
    text: str


def side_effects(answer: str, calls: Iterable[Mapping[str, Any]] = ()) -> tuple[SideEffect, ...]:
    """The side effects an answer shows, and those of tool calls (`arguments` as a mapping or JSON text, `output`).

    Queries are taken from ```sql fences and from arguments that are a query; only those that change nothing, since
    what is kept is offered again. Paths have an ending of a document, table or picture; addresses are none.
    """
    found = [*_queries(_FENCE.findall(answer)), *_paths(_FENCE.sub(" ", answer))]
    for call in calls:
        arguments = list(_texts(call.get("arguments")))
        found += _queries(arguments)
        for text in [*(each for each in arguments if not _READS.match(each)), *_texts(call.get("output"))]:
            found += _paths(text)
    return tuple(dict.fromkeys(found))[:_MOST]


def _queries(texts: Sequence[str]) -> list[SideEffect]:
    queries = [text.strip().rstrip(";").strip() for text in texts]
    return [SideEffect("sql", query) for query in queries if len(query) <= _LONGEST_QUERY and _only_reads(query)]


def _only_reads(query: str) -> bool:
    """Whether it is one query that changes nothing, as far as its words tell."""
    bare = _STRINGS.sub(" ", query)
    return bool(_READS.match(query)) and ";" not in bare and not _CHANGES.search(bare) and len(query.split()) > 2


def _paths(text: str) -> Iterator[SideEffect]:
    for match in _PATH.finditer(_ADDRESS.sub(" ", text[:_LOOKED_AT])):
        path = match.group().strip("\"'`“”")
        if len(path) <= _LONGEST_PATH:
            yield SideEffect("chart" if _IS_CHART.search(path) else "file", path)


def _texts(value: Any) -> Iterator[str]:
    """Every text in JSON; a text that is JSON itself is opened."""
    if isinstance(value, str):
        try:
            opened = json.loads(value) if value[:1] in "{[" else None
        except ValueError:
            opened = None
        yield from [value] if opened is None else _texts(opened)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
