"""What results have shown of files, line by line: tells what was read of a file before it was changed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from amb_core.memory.passage_terms import identifiers
from amb_core.reading.passage_units import line_number, name_at

__all__ = ["FileLines", "numbered_lines"]

_HIT = re.compile(r"(?P<file>[^\s:]{1,300}):(?P<number>\d+):", re.ASCII)
_BARE = " \t:|→"


class FileLines:
    """The lines of files as results showed them with their numbers, in the order of the results."""

    def __init__(self) -> None:
        self._states: defaultdict[str, dict[int, list[tuple[int, int]]]] = defaultdict(dict)
        self._changed: defaultdict[str, set[int]] = defaultdict(set)
        self._named: defaultdict[str, set[str]] = defaultdict(set)

    def put(self, owner: int, text: str, files: Sequence[tuple[int, str]]) -> None:
        """Take up a result by its number, with the places where it names files; later ones have higher numbers."""
        at = files[0][0] if files else len(text)
        for file in {file for _, file in files}:
            self._named[file.rpartition("/")[2]].add(file)
        for line in text[at:].split("\n") if files else ():
            file, number = name_at(files, at), line_number(line)
            at += len(line) + 1
            if number:
                said = hash(line.lstrip().removeprefix(number).strip(_BARE))
                states = self._states[file].setdefault(int(number), [])
                if not states or states[-1][1] != said:
                    states.append((owner, said))
                if len(states) > 1:
                    self._changed[file].add(int(number))

    def change(self, owner: int, shown: str, *, file: str, call: str) -> int | None:
        """The first later result that shows a line other than it was, up to the last line of a file that is `shown`.

        Told for text with numbers of lines: of `file`, else of the one file that the call names, or of hits that name
        theirs. A line that by now is again what it was has not changed.
        """
        if not self._changed:
            return None
        found: list[int] = []
        for name, last in self._places(shown, file or self._file_in(call)):
            for number in self._changed.get(name, ()):
                states = self._states[name][number]
                before = [said for at, said in states if at <= owner]
                if number <= last and before and before[-1] != states[-1][1]:
                    found.append(next(at for at, said in states if at > owner and said != before[-1]))
        return min(found, default=None)

    def _places(self, shown: str, file: str) -> Iterator[tuple[str, int]]:
        """The files that a text shows lines of, with the number of the last."""
        last = max((int(number) for number in map(line_number, shown.split("\n")) if number), default=0)
        if last and file:
            yield file, last
        for hit in _HIT.finditer(shown):
            name = self._known(hit["file"])
            if name:
                yield name, int(hit["number"])

    def _file_in(self, call: str) -> str:
        """The one known file that a call names; "" for none or several."""
        found = {name for name in map(self._known, identifiers(call)) if name}
        return found.pop() if len(found) == 1 else ""

    def _known(self, name: str) -> str:
        """The file that a path means, where it can be only one."""
        end = name.removeprefix("./").lstrip("/")
        files = [file for file in self._named.get(end.rpartition("/")[2], ()) if f"/{file}".endswith(f"/{end}")]
        return files[0] if len(files) == 1 else ""


def numbered_lines(text: str, file: str) -> tuple[str, ...]:
    """The places of lines of a file that show their numbers: `conf.py:12`."""
    return tuple(f"{file}:{number}" for number in map(line_number, text.split("\n")) if number)
