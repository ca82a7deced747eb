"""Figures as a table to read and as data to keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

__all__ = ["Table", "joined", "share"]


@dataclass(frozen=True, slots=True)
class Table:
    """A title, the names of the columns (the first holds the row's name) and the rows.

    `figures` are those that stand at the top of the JSON of the whole bench. `name` marks the place of the table in a
    page of Markdown, "" for a table that stands in none.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float, ...], ...]
    figures: Mapping[str, object] = field(default_factory=dict)
    name: str = ""

    def text(self) -> str:
        """The table in aligned columns, figures with three digits."""
        cells = [self.columns, *(tuple(_shown(value) for value in row) for row in self.rows)]
        widths = [max(len(row[column]) for row in cells) for column in range(len(self.columns))]
        lines = [
            "  ".join(cell.rjust(width) if column else cell.ljust(width) for column, (cell, width) in enumerate(row))
            for row in (list(zip(row, widths, strict=True)) for row in cells)
        ]
        return "\n".join([self.title, *lines])

    def markdown(self) -> str:
        """The table as Markdown, its title above it."""
        ruled = ("---", *("---:" for _ in self.columns[1:]))
        rows = [self.columns, ruled, *(tuple(_shown(value) for value in row) for row in self.rows)]
        return "\n".join([f"*{self.title}*", "", *(f"| {' | '.join(row)} |" for row in rows)])

    def data(self) -> Mapping[str, object]:
        """The table as JSON values."""
        return {"title": self.title, "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows]}


def _shown(value: str | float) -> str:
    if isinstance(value, (str, int)):
        return str(value)
    return f"{value:.1f}" if value >= 10 or not value else f"{value:.3g}"


def joined(tables: Sequence[Table]) -> str:
    """Several tables below each other."""
    return "\n\n".join(table.text() for table in tables)


def share(found: Sequence[bool]) -> str:
    """How many of all, as a cell: `3 of 4`."""
    return f"{sum(found)} of {len(found)}"
