"""The rules every source file keeps: sizes, names, exports, and what is never found in the tree."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = ("amb_core", "integrations", "tools")
PYTHON = sorted(file for top in (*SHIPPED, "examples", "tests") for file in (ROOT / top).rglob("*.py"))
SOURCES = [
    file
    for file in PYTHON
    if file.relative_to(ROOT).parts[0] in SHIPPED and "tests" not in file.relative_to(ROOT).parts[:-1]
]
TESTS = [file for file in PYTHON if "tests" in file.relative_to(ROOT).parts[:-1]]
PROSE = sorted(
    file
    for pattern in ("*.md", "*.toml", "Makefile", ".pre-commit-config.yaml", ".ci/*", "docs/**/*", "examples/**/*")
    for file in ROOT.glob(pattern)
    if file.is_file() and file.suffix in {"", ".md", ".toml", ".yaml", ".txt", ".html"}
)

FILE_LINES, FUNCTION_LINES, TEST_LINES = 600, 60, 25
LINES = {
    "amb_core": 25_990,
    "tools/amb_longterm": 8_105,
    "tools/amb_team": 3_800,
    "tools/amb_experience": 950,
    "tools/amb_inspector": 1_120,
    "tools/amb_cli": 1_800,
    "tools/amb_redaction": 1_600,
}
"""How many a package has at most."""
VAGUE_NAMES = {"base", "common", "helper", "helpers", "manager", "managers", "misc", "util", "utils"}
IN_EVERY_INTEGRATION = {"agent_memory", "attach_agent", "callers", "teams", "tools", "transcript"}
EXPORTS = re.compile(r"^__all__\b", re.MULTILINE)
LEFTOVER = re.compile(r"\b(?:TODO|FIXME|XXX)\b")
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|root|home/\w+|Users/\w+)/\w")
IN_EXPRESSIONS = re.compile("setattr|mocker|NotImplementedError")
MOCKS = {"mock", "unittest.mock", "pytest_mock"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Facts:
    """What the rules ask of a file; its tree is let go, for a million nodes held slow every test that comes after."""

    docstring: bool
    functions: tuple[tuple[str, int, int], ...]
    """Name, line and length of each, decorators left out."""
    imported: tuple[tuple[int, str], ...]
    patches: tuple[tuple[int, str], ...]
    unfinished: tuple[int, ...]
    notes: tuple[tuple[int, str], ...]
    """Comments and docstrings, of files with a leftover in them alone: tokenising takes long."""


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Every statement without its expressions, which are nine nodes in ten."""
    for node in body:
        yield node
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from _statements(getattr(node, field, None) or ())


@cache
def _facts(file: Path) -> Facts:
    text = file.read_text(encoding="utf-8")
    tree = ast.parse(text)
    nodes = list(ast.walk(tree) if IN_EXPRESSIONS.search(text) else _statements(tree.body))
    return Facts(
        docstring=bool(ast.get_docstring(tree)),
        functions=tuple(
            (node.name, node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1)
            for node in nodes
            if isinstance(node, Function)
        ),
        imported=tuple(found for node in nodes for found in _imports(node)),
        patches=tuple(found for node in nodes for found in _patches(node)),
        unfinished=tuple(n.lineno for n in nodes if isinstance(n, ast.Name) and n.id == "NotImplementedError"),
        notes=tuple(_comments_and_docstrings(text, [tree, *nodes]) if LEFTOVER.search(text) else ()),
    )


def _imports(node: ast.AST) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Import):
        yield from ((node.lineno, alias.name) for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and not node.level:
        yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
        yield node.lineno, node.module or ""


def _patches(node: ast.AST) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Attribute) and node.attr == "setattr" and ast.unparse(node) == "monkeypatch.setattr":
        yield node.lineno, "patches an attribute"
    elif isinstance(node, ast.arg) and node.arg == "mocker":
        yield node.lineno, "takes the mocker fixture"


def _comments_and_docstrings(text: str, nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in nodes:
        if isinstance(node, ast.Module | ast.ClassDef | Function) and node.body:
            yield node.body[0].lineno, ast.get_docstring(node) or ""


def _at(file: Path, line: int, what: str) -> str:
    return f"{file.relative_to(ROOT)}:{line} {what}"


def _too_long(files: list[Path], limit: int, *, tests: bool) -> list[str]:
    return [
        _at(file, line, f"{name} has {length} lines, {limit} are allowed")
        for file in files
        for name, line, length in _facts(file).functions
        if length > limit and (not tests or name.startswith("test"))
    ]


def test_no_file_is_longer_than_600_lines() -> None:
    lengths = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in PYTHON}
    long = [_at(file, length, "lines") for file, length in lengths.items() if length > FILE_LINES]
    assert not long, "\n".join(long)


@pytest.mark.parametrize(("package", "most"), LINES.items())
def test_a_package_stays_within_its_lines(package: str, most: int) -> None:
    """Lines are a consequence; a package that grows past its own says so here, in the commit that lets it."""
    files = [file for file in (ROOT / package).rglob("*.py") if "tests" not in file.parts]
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files) <= most


def test_no_function_is_longer_than_60_lines() -> None:
    long = _too_long(PYTHON, FUNCTION_LINES, tests=False)
    assert not long, "\n".join(long)


def test_no_test_is_longer_than_25_lines() -> None:
    published = [file for file in SOURCES if "amb_contracts" in file.parts or "testing" in file.parts]
    long = _too_long([*TESTS, *published], TEST_LINES, tests=True)
    assert not long, "\n".join(long)


def test_every_module_lists_its_exports() -> None:
    sources = [file for file in SOURCES if file.name != "__main__.py"]
    silent = [_at(file, 1, "has no __all__") for file in sources if not EXPORTS.search(file.read_text("utf-8"))]
    assert not silent, "\n".join(silent)


def test_every_module_says_what_it_is_for() -> None:
    silent = [_at(file, 1, "has no docstring") for file in SOURCES if not _facts(file).docstring]
    assert not silent, "\n".join(silent)


def test_no_module_has_a_vague_name() -> None:
    named = [(file, part.strip("_")) for file in PYTHON for part in file.relative_to(ROOT).with_suffix("").parts]
    vague = [_at(file, 1, f"is named {name}") for file, name in named if name in VAGUE_NAMES]
    assert not vague, "\n".join(vague)


def test_one_file_name_means_one_thing() -> None:
    """What is the same by agreement in every integration has one meaning as well."""
    named: dict[str, list[Path]] = {}
    for file in SOURCES:
        if not file.stem.startswith("__"):
            named.setdefault(file.stem, []).append(file.relative_to(ROOT))
    agreed = {stem for stem in IN_EVERY_INTEGRATION if {f.parts[0] for f in named.get(stem, [])} <= {"integrations"}}
    several = {stem: files for stem, files in named.items() if len(files) > 1 and stem not in agreed}
    assert not several, "\n".join(" and ".join(map(str, files)) for files in several.values())


def test_no_module_is_named_like_a_library_that_is_imported() -> None:
    libraries = {name.partition(".")[0] for file in SOURCES for _, name in _facts(file).imported}
    libraries -= sys.stdlib_module_names | {"agents"}  # the OpenAI Agents SDK came after our own five
    alike = [_at(file, 1, "is named like a library") for file in SOURCES if file.stem in libraries]
    assert not alike, "\n".join(alike)


def _mocks(file: Path) -> Iterator[str]:
    yield from (_at(file, line, f"imports {name}") for line, name in _facts(file).imported if name in MOCKS)
    yield from (_at(file, line, what) for line, what in _facts(file).patches)


def test_nothing_is_mocked_or_patched() -> None:
    mocks = [line for file in PYTHON for line in _mocks(file)]
    assert not mocks, "use the in-memory store, a scripted model, a settable clock:\n" + "\n".join(mocks)


def test_nothing_is_left_for_later() -> None:
    left = [_at(file, n, text) for file in PYTHON for n, text in _facts(file).notes if LEFTOVER.search(text)]
    left += [_at(file, line, "raises NotImplementedError") for file in PYTHON for line in _facts(file).unfinished]
    assert not left, "\n".join(left)


def test_no_file_names_a_path_of_one_machine() -> None:
    named = [
        _at(file, number, line.strip())
        for file in (*PYTHON, *PROSE)
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if MACHINE_PATH.search(line)
    ]
    assert not named, "\n".join(named)


def test_a_package_of_the_core_that_lists_its_files_lists_them_all() -> None:
    wrong: list[str] = []
    for package in sorted((ROOT / "amb_core").rglob("__init__.py")):
        named = set(re.findall(r"(?<!/)\b(\w+)\.py\b", ast.get_docstring(ast.parse(package.read_text("utf-8"))) or ""))
        there = {file.stem for file in package.parent.glob("*.py")} - {"__init__", "__main__"}
        if len(named & there) > 2:
            wrong += [_at(package, 1, f"leaves out {name}.py") for name in sorted(there - named)]
            wrong += [_at(package, 1, f"names {name}.py, which is not there") for name in sorted(named - there)]
    assert not wrong, "\n".join(wrong)
