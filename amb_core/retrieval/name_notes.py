"""Which notes mention a name: most names stand in one note only, and that one takes no dictionary of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

__all__ = ["NameNotes"]


class NameNotes:
    """The notes of each name by integer key, with the name as written there, in the order they were put."""

    def __init__(self) -> None:
        self._notes: dict[str, dict[int, str] | tuple[int, str]] = {}

    def put(self, name: str, key: int, written: str) -> None:
        """Take in that a note mentions a name."""
        known = self._notes.get(name)
        if known is None:
            self._notes[name] = (key, written)
        elif isinstance(known, dict):
            known[key] = written
        else:
            self._notes[name] = {known[0]: known[1], key: written}

    def drop(self, name: str, key: int) -> None:
        """Forget that a note mentions a name; an unknown one is no error."""
        known = self._notes.get(name)
        if isinstance(known, dict):
            known.pop(key, None)
        if known == {} or (isinstance(known, tuple) and known[0] == key):
            del self._notes[name]

    def of(self, name: str) -> Mapping[int, str]:
        """The notes that mention a name."""
        known = self._notes.get(name, {})
        return known if isinstance(known, dict) else dict((known,))

    def count(self, name: str) -> int:
        """How many notes mention a name."""
        known = self._notes.get(name, {})
        return len(known) if isinstance(known, dict) else 1

    def renumber(self, to: Sequence[int]) -> None:
        """Give every note a new key."""
        for name in self._notes:
            moved = [(to[key], written) for key, written in self.of(name).items()]
            self._notes[name] = dict(moved) if len(moved) > 1 else moved[0]

    def packed(self) -> dict[str, JsonValue]:
        """The keys and the written names, by name."""
        return {name: [[*self.of(name)], [*self.of(name).values()]] for name in self._notes}

    def restore(self, packed: Mapping[str, Sequence[Sequence[object]]]) -> None:
        """Become what `packed` was made of."""
        self._notes = {}
        for name, (keys, written) in packed.items():
            pairs: list[tuple[int, str]] = list(zip(keys, written, strict=True))  # type: ignore[arg-type]
            self._notes[name] = dict(pairs) if len(pairs) > 1 else pairs[0]
