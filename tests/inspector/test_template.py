"""The pieces the page is made of: words in both languages, colours that can be read, scripts that stay inside."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path

import pytest

TEMPLATE = Path(str(resources.files("amb_inspector"))) / "template"
SCRIPTS = {file.name: file.read_text("utf-8") for file in sorted((TEMPLATE / "scripts").glob("*.js"))}
STYLES = {file.name: file.read_text("utf-8") for file in sorted((TEMPLATE / "styles").glob("*.css"))}
WORDS = {name: json.loads((TEMPLATE / "words" / f"{name}.json").read_text("utf-8")) for name in ("en", "zh")}
ALL_SCRIPTS = "\n".join(SCRIPTS.values())


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_both_languages_have_the_same_words_with_the_same_places() -> None:
    assert {key for key in WORDS["en"] if not key.endswith(".one")} == WORDS["zh"].keys()
    assert [key for key, text in WORDS["zh"].items() if places(text) != places(WORDS["en"][key])] == []


def test_every_word_the_scripts_ask_for_exists() -> None:
    asked = set(re.findall(r'\b(?:t|plural|sentenceOf)\(\s*"([\w.]+)"', ALL_SCRIPTS))
    prefixes = set(re.findall(r"\b(?:t|plural|sentenceOf)\(\s*`([\w.]+)\$\{", ALL_SCRIPTS))
    assert len(asked) > 100
    assert asked - WORDS["en"].keys() == set()
    assert [prefix for prefix in prefixes if not any(key.startswith(prefix) for key in WORDS["en"])] == []


def test_every_word_is_asked_for() -> None:
    prefixes = tuple(re.findall(r"\b(?:t|plural|sentenceOf)\(\s*`([\w.]+)\$\{", ALL_SCRIPTS))
    unused = [
        key
        for key in WORDS["en"]
        if not key.startswith(prefixes) and not re.search(rf'"{re.escape(key.removesuffix(".one"))}#?"', ALL_SCRIPTS)
    ]
    assert unused == []


@pytest.mark.parametrize(
    "means",
    ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser", "srcdoc",
     "fetch(", "XMLHttpRequest", "WebSocket", "EventSource", "sendBeacon", "import(", "localStorage", "Math.random",
     "Date.now", "</script", "<!--"],
)  # fmt: skip
def test_no_script_makes_markup_from_text_reaches_out_or_rolls_dice(means: str) -> None:
    assert [name for name, text in SCRIPTS.items() if means in text] == []


def test_no_style_loads_anything() -> None:
    assert [name for name, text in STYLES.items() if re.search(r"url\(|@import|@font-face|</style", text)] == []


def test_no_piece_is_longer_than_400_lines() -> None:
    lengths = {name: text.count("\n") for name, text in (SCRIPTS | STYLES).items()}
    assert {name: length for name, length in lengths.items() if length > 400} == {}


def palettes() -> list[dict[str, str]]:
    """The colours of the light and of the dark style, by name."""
    blocks = re.findall(r":root \{(.*?)\}", STYLES["shared.css"], re.DOTALL)
    return [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)) for block in blocks]


@pytest.mark.parametrize("colours", palettes(), ids=["light", "dark"])
def test_the_border_of_a_control_can_be_seen(colours: dict[str, str]) -> None:
    for ground in ("canvas", "surface"):
        low, high = sorted((luminance(colours["edge"]), luminance(colours[ground])))
        assert (high + 0.05) / (low + 0.05) >= 3, ground


def test_every_colour_has_a_light_and_a_dark_form_and_no_page_has_one_of_its_own() -> None:
    light, dark = palettes()
    assert light.keys() == dark.keys()
    own = [name for name, text in STYLES.items() if name != "shared.css" and re.search(r"#[0-9a-fA-F]{3,8}\b", text)]
    assert own == []


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colours", palettes(), ids=["light", "dark"])
def test_text_can_be_read_on_every_ground(colours: dict[str, str]) -> None:
    grounds = [(text, ground) for text in ("ink", "muted", "accent") for ground in ("canvas", "surface", "sunken")]
    grounds += [(text, ground) for text in ("bad", "warn", "good") for ground in ("canvas", "surface")]
    soft = [(name, f"{name}-soft") for name in ("accent", "bad", "warn", "good")]
    soft += [(text, "accent-soft") for text in ("ink", "muted")]
    for text, ground in [*grounds, *soft, ("ink", "mark"), ("on-accent", "accent"), ("canvas", "ink")]:
        low, high = sorted((luminance(colours[text]), luminance(colours[ground])))
        assert (high + 0.05) / (low + 0.05) >= 4.5, (text, ground)
