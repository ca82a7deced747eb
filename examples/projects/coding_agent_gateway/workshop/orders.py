"""Orders and their lines."""

from dataclasses import dataclass

from catalogue import GOODS


@dataclass(frozen=True)
class Line:
    """So many pieces of something in the catalogue."""

    number: int
    count: int

    def __post_init__(self) -> None:
        if self.number not in GOODS:
            raise ValueError(f"There is no number {self.number} in the catalogue.")
        if not 1 <= self.count <= 50:
            raise ValueError("A line has a count of 1 to 50.")


@dataclass(frozen=True)
class Order:
    """What somebody orders at once."""

    lines: tuple[Line, ...]

    def __post_init__(self) -> None:
        if not self.lines:
            raise ValueError("An order has at least one line.")

    @property
    def euros(self) -> int:
        """The price of the goods."""
        return sum(GOODS[line.number].euros * line.count for line in self.lines)

    @property
    def kilograms(self) -> int:
        """The weight of the goods."""
        return sum(GOODS[line.number].kilograms * line.count for line in self.lines)
