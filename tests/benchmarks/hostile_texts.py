"""How the time of whatever reads texts grows with texts made to be slow: `python tests/benchmarks/hostile_texts.py`.

Prints the readers and pieces whose CPU time grows by more than twice the factor of the length; with a name behind it,
of the readers whose names begin so only. Nothing is asserted: a machine that does other things as well shows single
rows that the next run does not. What the tests assert instead is how many lines of Python run, and that it ends.
"""

from __future__ import annotations

import runpy
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from amb_core.text import forget_texts
from amb_longterm.sameness import same
from amb_longterm.side_effects import side_effects
from amb_redaction import PatternRedactor
from amb_team.curator import CuratorRequest
from amb_team.local_curator import LocalCurator
from amb_tools.html_text import html_text

_FACTOR = 4
_SHORTEST_SECONDS = 0.02
_TIMES = 3
_ANY_TEXT = runpy.run_path(str(Path(__file__).parents[1] / "text" / "test_any_text.py"))
_FACTS = runpy.run_path(str(Path(__file__).parents[1] / "team" / "test_local_curator.py"))["HOSTILE"]


@dataclass(frozen=True, slots=True)
class Reader:
    """What reads a text, and the characters of the shorter of its two texts."""

    name: str
    read: Callable[[str], object]
    size: int
    pieces: tuple[str, ...] = ()


def _curated(task: str, observation: str) -> object:
    request = CuratorRequest(task=task, action="Search[Cold Quay]", observation=observation, known=(), asked=())
    return LocalCurator().curate(request)


_ASKED = ("Who ", "A or ", "A ", "which is ", "A and ", "的是", "和", "哪个", '"A')
_ENDS = ("a/", "x.", '"', "-- \n", "```sql\n", "SELECT /*", "a:/", "r1 7.1 EUR ")
_KEYS = ("1", "a", "@", "a@a.", "1 ", "4444 ", "f:", "key=", "-----BEGIN PRIVATE KEY-----", "密码1")
_TAGS = ("<div>", "<p>a<br>", "<td>x", "<!--", "<![", "<a '", "<!---->")
READERS = (
    *(Reader(function.__name__, function, 50_000, tuple(_ANY_TEXT["PIECES"])) for function in _ANY_TEXT["FUNCTIONS"]),
    Reader("curator: text, English", lambda text: _curated("Who directed Cold Quay?", text), 2_000, _FACTS),
    Reader("curator: text, Chinese", lambda text: _curated("《寒港》的导演是谁？", text), 2_000, _FACTS),
    Reader("curator: question", lambda text: _curated(text, "Cold Quay is a film directed by Ann Bo."), 2_000, _ASKED),
    Reader("side effects", lambda text: side_effects(text, [{"arguments": text}]), 20_000, _ENDS),
    Reader("sameness", lambda text: same(text, text[:-1] + "?"), 1_000, (*_FACTS, *_ENDS)),
    Reader("redaction", PatternRedactor().redact, 50_000, _KEYS),
    Reader("html", html_text, 20_000, _TAGS),
)


def seconds(reader: Reader, text: str) -> float:
    """The least CPU time of some calls that find nothing kept from before."""
    spent = []
    for _ in range(_TIMES):
        forget_texts()
        start = time.thread_time()
        reader.read(text)
        spent.append(time.thread_time() - start)
    return min(spent)


def slow_rows(readers: tuple[Reader, ...]) -> Iterator[tuple[str, str, float, float]]:
    """Reader, piece and the seconds of a text and of one four times as long, where they grow too fast."""
    for reader in readers:
        for piece in dict.fromkeys(reader.pieces):
            long = piece * (_FACTOR * reader.size // len(piece) + 1)
            before, after = seconds(reader, long[: reader.size]), seconds(reader, long[: _FACTOR * reader.size])
            if after > _SHORTEST_SECONDS and after > 2 * _FACTOR * before:
                yield reader.name, piece, before, after


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    for name, piece, before, after in slow_rows(tuple(each for each in READERS if each.name.startswith(wanted))):
        print(f"{name:24} {piece!r:16} {before:8.4f} s {after:8.4f} s  {after / before:6.1f} times")
