"""Text can be read on what it stands on, in light and in dark."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = (
    Path(getattr(find_spec("amb_book.studio"), "origin", None) or "").parent / "page"
)  # not imported: it needs the extra
LIGHT, DARK = re.split(r"@media \(prefers-color-scheme: dark\)", (PAGE / "styles" / "elements.css").read_text("utf-8"))
PAIRS = [
    *((text, ground) for text in ("ink", "muted") for ground in ("canvas", "surface", "sunken", "accent-soft")),
    *((text, f"{text}-soft") for text in ("bad", "warn", "good", "accent")),
    *((text, ground) for text in ("accent", "bad") for ground in ("canvas", "surface")),
    ("on-accent", "accent"),
    ("ink", "mark"),
]


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_stands_out_from_its_ground(style: str, text: str, ground: str) -> None:
    colours = dict(re.findall(r"--([a-z-]+): #([0-9a-f]{6})\b", style))
    lights = sorted((luminance(colours[text]), luminance(colours[ground])), reverse=True)
    assert (lights[0] + 0.05) / (lights[1] + 0.05) >= 4.5
