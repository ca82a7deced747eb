"""Thirty large results of tools, real ones: what the Python of this machine and AMB themselves have to be read.

Each comes with what can be asked of it later, read off the very text by its own rules: a row, a record, a constant, an
entry of a manual. Nothing here knows how anybody looks for it.
"""

from __future__ import annotations

import ast
import csv
import errno
import io
import json
import locale
import mimetypes
import os
import re
import sysconfig
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html.entities import html5
from http import HTTPStatus
from importlib.metadata import Distribution, distributions
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from amb_core.rendering import Language

__all__ = ["PAGES", "Fact", "Result", "results"]

_LONGEST = 26_000
"""Characters of a result, which tools of coding agents cut at about as many."""
_SHORTEST = 6_000
_WANTED = 30
_MODULES = (
    "argparse tarfile zipfile difflib ipaddress subprocess mailbox pickle optparse pdb tokenize imaplib smtplib ftplib "
    "calendar statistics textwrap configparser plistlib shutil cgi aifc nntplib xdrlib gettext csv dis".split()
)
PAGES = "integrations models settings team".split()
"""The pages of AMB's Chinese documentation that are in the wheel, as pyproject.toml lists them."""
_TOPICS = "typesseq specialnames string-methods formatstrings types debugger compound typesmapping imports".split()


Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something a text says of `subject`: `question` asks for it, and `answer` stands in the text as it is."""

    subject: str
    answer: str
    question: str


@dataclass(frozen=True, slots=True)
class Result:
    """What one call of a tool brought, and the facts in it."""

    tool: str
    arguments: Mapping[str, str]
    text: str
    facts: tuple[Fact, ...]


def results(language: Language) -> list[Result]:
    """The results in a fixed order, of different kinds in turn; as many as this machine has, thirty at most."""
    kinds = [_manual(language), _sources(language), _tables(language), _records(language), _listings(language)]
    found: list[Result] = []
    while kinds and len(found) < _WANTED:
        for kind in list(kinds):
            if (one := next(kind, None)) is None:
                kinds.remove(kind)
            elif one.facts and len(one.text) >= _SHORTEST:
                found.append(one)
    return found[:_WANTED]


def _cut(lines: Iterable[str]) -> str:
    """The whole lines that go into one result."""
    kept: list[str] = []
    size = 0
    for line in lines:
        if (size := size + len(line) + 1) > _LONGEST:
            break
        kept.append(line)
    return "\n".join(kept)


# --- manuals ----------------------------------------------------------------------------------------------------------

_ENTRY = re.compile(r"^([a-z]+\.[a-z_]\w+)\([^\n]*\)\n\n((?:   [^\n]+\n)+)", re.MULTILINE)
_ROW = re.compile(r"^\| (`[^|`]+`(?:\([^|]*\))?) \| ([^|\n]{12,}) \|", re.MULTILINE)


def _manual(language: Language) -> Iterator[Result]:
    """Topics of the manual of Python, or in Chinese the pages of AMB's own."""
    if language == "zh":
        for name, text in _pages():
            shown = _cut(text.splitlines())
            told = [(row[1], row[2]) for row in _ROW.finditer(shown)]
            yield _result("read_page", "name", name, shown, told, "{source} 的表里，{subject} 的说明是什么？")
        return
    from pydoc_data.topics import topics

    for name in _TOPICS:
        shown = _cut(topics.get(name, "").splitlines())
        told = [(entry[1], _first_sentence(entry[2])) for entry in _ENTRY.finditer(shown + "\n")]
        yield _result("read_manual", "topic", name, shown, told, "What does the manual say about {subject}?")


def _pages() -> Iterator[tuple[str, str]]:
    packaged = files("amb_core").joinpath("demo_pages")
    if packaged.is_dir():
        yield from ((f"{name}.md", packaged.joinpath(f"{name}.md").read_text("utf-8")) for name in PAGES)
        return
    folder = Path(__file__).parents[3] / "docs" / "zh"
    yield from ((f"{name}.md", (folder / f"{name}.md").read_text("utf-8")) for name in PAGES)


def _first_sentence(paragraph: str) -> str:
    return re.split(r"(?<=[.:;]) ", " ".join(paragraph.split()), maxsplit=1)[0]


# --- source files -----------------------------------------------------------------------------------------------------


def _sources(language: Language) -> Iterator[Result]:
    """Modules of Python: their constants, and what their functions say of themselves."""
    asked = (
        "What does {source} say that {subject} is or does?"
        if language == "en"
        else "{source} 里的 {subject} 是什么，或者做什么？"
    )
    folder = Path(sysconfig.get_paths()["stdlib"])
    for name in _MODULES:
        file = folder / f"{name}.py"
        if file.is_file():
            text = file.read_text("utf-8", errors="replace")
            shown = _cut(text.splitlines())
            told = [one for one in _defined(text) if one[1] in " ".join(shown.split())]
            yield _result("read_file", "path", file.name, shown, told, asked)


def _defined(text: str) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            words = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
            if 25 <= len(words) <= 160:
                yield node.name, words


# --- tables -----------------------------------------------------------------------------------------------------------


def _tables(language: Language) -> Iterator[Result]:
    """CSV: files of what is installed, and tables that Python has in it."""
    zh = language == "zh"
    size = "{source} 里，{subject} 有多少字节？" if zh else "How many bytes has {subject} in {source}?"
    for package, dist in _largest():
        rows = [
            [str(file), str(file.hash or ""), str(file.size or "")]
            for file in dist.files or ()
            if file.suffix not in (".pyc", "")
        ]
        told = [(path, size_of) for path, _, size_of in rows if len(size_of) >= 4]
        yield _csv(f"{package}.csv", ["path", "hash", "size"], rows, told, size)
    names = {str(number): name for number, name in errno.errorcode.items()}
    rows = [[name, number, os.strerror(int(number))] for number, name in names.items()]
    asked = "错误 {subject} 的文字是什么？" if zh else "What is the message of the error {subject}?"
    yield _csv("errors.csv", ["name", "number", "message"], rows, [(row[0], row[2]) for row in rows], asked)
    rows = [[alias, full] for alias, full in sorted(locale.locale_alias.items()) if "." in full]
    asked = "地区名 {subject} 代表什么？" if zh else "Which locale does the alias {subject} stand for?"
    yield _csv("locales.csv", ["alias", "locale"], rows, [(row[0], row[1]) for row in rows], asked)
    rows = [[ending, kind] for ending, kind in sorted(mimetypes.types_map.items())]
    asked = "以 {subject} 结尾的文件是什么类型？" if zh else "Which type has a file that ends in {subject}?"
    yield _csv("types.csv", ["ending", "type"], rows, [(row[0], row[1]) for row in rows], asked)
    rows = [
        [f"U+{at:04X}", unicodedata.category(chr(at)), unicodedata.name(chr(at), "")] for at in range(0x2190, 0x2400)
    ]
    asked = "字符 {subject} 叫什么名字？" if zh else "What is the name of the character {subject}?"
    yield _csv(
        "characters.csv", ["code", "category", "name"], rows, [(row[0], row[2]) for row in rows if row[2]], asked
    )


@cache
def _installed() -> Mapping[str, Distribution]:
    """The installed distributions by name, each once."""
    named = ((str(dist.metadata["Name"] or ""), dist) for dist in distributions())
    return {name: dist for name, dist in sorted(named, key=lambda pair: pair[0]) if name}


def _largest() -> list[tuple[str, Distribution]]:
    """Those with the longest lists of files."""
    return sorted(_installed().items(), key=lambda pair: -len(pair[1].read_text("RECORD") or ""))[:4]


def _csv(name: str, head: list[str], rows: Iterable[list[str]], told: Iterable[tuple[str, str]], asked: str) -> Result:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([head, *rows])
    return _result("query_table", "name", name, _cut(written.getvalue().splitlines()), told, asked)


# --- records ----------------------------------------------------------------------------------------------------------


def _records(language: Language) -> Iterator[Result]:
    """JSON: what is installed, entities of HTML, statuses of HTTP."""
    zh = language == "zh"
    told_of = [_about(name, dist) for name, dist in _installed().items()]
    asked = "安装的 {subject} 是哪个版本？" if zh else "Which version of {subject} is installed?"
    yield _json("packages.json", told_of, lambda one: (f'"{one["name"]}"', str(one["version"])), asked)
    rows = [
        {"entity": f"&{name}", "codepoints": " ".join(f"U+{ord(char):04X}" for char in shown), "shown": shown}
        for name, shown in html5.items()
        if name.endswith(";") and len(name) > 8
    ]
    asked = "实体 {subject} 的码位是什么？" if zh else "Which code point has the entity {subject}?"
    yield _json("entities.json", rows, lambda one: (one["entity"], one["codepoints"]), asked)
    rows = [{"status": str(int(one)), "phrase": one.phrase, "description": one.description} for one in HTTPStatus]
    asked = "状态 {subject} 的说明是什么？" if zh else "What is the description of the status {subject}?"
    yield _json("statuses.json", rows, lambda one: (one["phrase"], one["description"]), asked)


def _about(name: str, dist: Distribution) -> Row:
    """A distribution as `pip inspect` tells of it."""
    about = dist.metadata
    told = {
        key: about[key.title()] for key in ("version", "requires-python", "summary", "author", "license", "home-page")
    }
    return {"name": name, **told, "requires": about.get_all("Requires-Dist") or []}


def _json(name: str, rows: list[Row], told: Callable[[Row], tuple[str, str]], asked: str) -> Result:
    shown = _cut(json.dumps(rows, indent=1, ensure_ascii=False).splitlines())
    return _result("get_json", "name", name, shown, [told(row) for row in rows], asked)


# --- listings ---------------------------------------------------------------------------------------------------------


def _listings(language: Language) -> Iterator[Result]:
    """What a shell prints: variables of the build, listings of folders."""
    zh = language == "zh"
    variables = {
        key: str(value) for key, value in sorted(sysconfig.get_config_vars().items()) if value not in ("", None)
    }
    told = [(key, value) for key, value in variables.items() if 8 <= len(value) <= 120]
    asked = "构建变量 {subject} 的值是什么？" if zh else "What is the value of the build variable {subject}?"
    yield _result(
        "bash", "command", "env | sort", _cut(f"{key}={value}" for key, value in variables.items()), told, asked
    )
    folder = Path(sysconfig.get_paths()["stdlib"])
    asked = "文件 {subject} 有多少字节？" if zh else "How many bytes has the file {subject}?"
    for place in (folder, folder / "encodings", folder / "asyncio", folder / "email", folder / "test"):
        listed = [(str(file.stat().st_size), file.name) for file in sorted(place.glob("*.py"))]
        lines = [f"-rw-r--r-- 1 root root {size:>8} {name}" for size, name in listed]
        told = [(name, size) for size, name in listed if len(size) >= 4]
        yield _result("bash", "command", f"ls -l {place.name}", _cut(lines), told, asked)


def _result(tool: str, argument: str, source: str, text: str, told: Iterable[tuple[str, str]], asked: str) -> Result:
    """A result with those of the facts that stand in what is shown of its text, each of a subject that is told once."""
    flat = " ".join(text.split())
    seen: dict[str, str] = {}
    for subject, answer in told:
        if answer and subject in flat and answer in flat and answer not in subject:
            seen[subject] = "" if subject in seen else answer
    facts = [
        Fact(subject, answer, asked.format(subject=subject.strip('"'), source=source))
        for subject, answer in seen.items()
        if answer
    ]
    return Result(tool, {argument: source}, text, tuple(facts))
