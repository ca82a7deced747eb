"""docs/glossary.md explains the words of public names, in English and Chinese, and names nothing else."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import Stemmer

import amb_core

PAGE = Path(__file__).resolve().parents[1] / "docs" / "glossary.md"
ROW = re.compile(r"^\| ([a-z][a-z -]*) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# Everyday words, which no glossary has to explain, and names of others.
PLAIN = set(
    "about action agent ai amb and answer are arguments back begin behind book caching call changed chat check chroma "
    "clip clock close complete compose content corrupt count counter date defer delete detect distributions doc "
    "document done end command install "
    "enhance enter error estimate export extra fail far file find finder finish folder forbid forbidden format found "
    "from frozen goal gone has head hit hold id identify in index indexed input inside interaction invalid is item "
    "json keep key keyword kind language left limits line llm local lock look loop made main manual member memory "
    "mention meter mismatch miss mix model name need of open option out outcome outer output over page paragraph "
    "parameter part path pattern pend piece plan point presidio price private qdrant quote reach read refuse register "
    "reply report request rest result run same search see sentence shared side signed so something speaker spend "
    "spent sqlite start state statistics status steady step still strip style summary system table tail team teammate "
    "tell text time token tool total turn type unavailable unknown unreachable unreadable unsupported usage user "
    "version visible wait with word write written decode encode match followed before fork indented take for "
    "unquoted wrap unwrap map moved near safely raise if stopped".split()
)
STEM = Stemmer.Stemmer("english").stemWord


def _public() -> Iterator[tuple[str, str]]:
    """Each public class and function, with its module."""
    modules = ["amb_core", *(found.name for found in pkgutil.iter_modules(amb_core.__path__, "amb_core."))]
    modules += [
        "amb_agents",
        "amb_chat",
        "amb_embedders",
        "amb_redaction",
        "amb_longterm",
        "amb_team",
        "amb_experience",
        "amb_inspector",
        "amb_cli",
    ]
    for module in modules:
        loaded = importlib.import_module(module)
        for name in getattr(loaded, "__all__", ()):
            thing = getattr(loaded, name)
            if inspect.isclass(thing) or inspect.isfunction(thing):
                yield module, name


NAMES = sorted({name: module for module, name in _public()}.items())
ROWS = [row for row in ROW.findall(PAGE.read_text(encoding="utf-8")) if row[0] != "word"]
KNOWN = {STEM(part) for word, _, _ in ROWS for part in re.split("[ -]", word)} | {STEM(word) for word in PLAIN}


def test_every_public_name_is_built_from_words_the_glossary_explains() -> None:
    unsaid: dict[str, set[str]] = {}
    for name, module in NAMES:
        for word in WORD.findall(name):
            if STEM(word.lower()) not in KNOWN:
                unsaid.setdefault(word.lower(), set()).add(f"{module}.{name}")
    assert not unsaid, f"explain them in docs/glossary.md, or choose a word that is there: {unsaid}"


def test_every_name_in_the_glossary_is_public() -> None:
    named = {name for *_, said in ROWS for name in re.findall(r"`(\w+)`", said)}
    assert not named - {name for name, _ in NAMES}


def test_an_entry_has_one_sentence_and_its_chinese_term() -> None:
    foreign = [row for row in ROWS if not re.search(r"[\u4e00-\u9fff]", row[1])]
    assert [word for word, chinese, _ in foreign if chinese.lower() != word] == []
    assert [word for word, _, said in ROWS if not said.endswith((".", ")"))] == []


def test_a_word_is_explained_once() -> None:
    words = [word for word, *_ in ROWS]
    assert len(words) == len(set(words))
