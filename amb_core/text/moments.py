"""The keys of dates and times."""

from dataclasses import dataclass

__all__ = ["Moment", "calendar_key", "clock_key"]


@dataclass(frozen=True, slots=True)
class Moment:
    """A date or time at characters `start:end`.

    Keys: "2021-05-03", "2021-05", "2021", "--05-03" and "--05" without a year, "199X" (decade), "C19" (century),
    "2021-Q3", "mon" (weekday), "T15:30".
    """

    key: str
    start: int
    end: int


def calendar_key(year: int | None, month: int | None = None, day: int | None = None) -> str:
    """The key of a date that may lack its year, its month and day, or its day; a negative year is BC."""
    head = "-" if year is None else f"{year:04d}"
    return head + (f"-{month:02d}" if month else "") + (f"-{day:02d}" if day else "")


def clock_key(hour: int, minute: int, *, half: str) -> str | None:
    """The key of a time of day; `half` is "a", "p" or ""; None when there is no such time."""
    if half.lower() == "p" and hour < 12:
        hour += 12
    elif half.lower() == "a" and hour == 12:
        hour = 0
    return f"T{hour:02d}:{minute:02d}" if hour <= 24 and minute < 60 else None
