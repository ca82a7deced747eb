"""The rules every source file keeps: sizes, names, exports, and what is never found in the tree."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = ("amb_core", "integrations", "tools")
PYTHON = sorted(file for top in (*SHIPPED, "examples", "tests") for file in (ROOT / top).rglob("*.py"))
SOURCES = [file for file in PYTHON if file.relative_to(ROOT).parts[0] in SHIPPED]
TESTS = [file for file in PYTHON if file.relative_to(ROOT).parts[0] == "tests"]
PROSE = sorted(
    file
    for pattern in ("*.md", "*.toml", "Makefile", ".pre-commit-config.yaml", ".ci/*", "docs/**/*", "examples/**/*")
    for file in ROOT.glob(pattern)
    if file.is_file() and file.suffix in {"", ".md", ".toml", ".yaml", ".txt", ".html"}
)

FILE_LINES, FUNCTION_LINES, TEST_LINES = 400, 60, 25
VAGUE_NAMES = {"base", "common", "helper", "helpers", "manager", "managers", "misc", "util", "utils"}
EXPORTS = re.compile(r"^__all__\b", re.MULTILINE)
LEFTOVER = re.compile(r"\b(?:TODO|FIXME|XXX)\b")
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|root|home/\w+|Users/\w+)/\w")
MOCKS = {"mock", "unittest.mock", "pytest_mock"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def _nodes(file: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(_tree(file)))


def _at(file: Path, line: int, what: str) -> str:
    return f"{file.relative_to(ROOT)}:{line} {what}"


def _functions(file: Path) -> Iterator[tuple[Function, int]]:
    """Every function of a file with its length in lines, decorators left out."""
    for node in _nodes(file):
        if isinstance(node, Function):
            yield node, (node.end_lineno or node.lineno) - node.lineno + 1


def _too_long(files: list[Path], limit: int, *, tests: bool) -> list[str]:
    return [
        _at(file, function.lineno, f"{function.name} has {length} lines, {limit} are allowed")
        for file in files
        for function, length in _functions(file)
        if length > limit and (not tests or function.name.startswith("test"))
    ]


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in PYTHON}
    long = [_at(file, length, "lines") for file, length in lengths.items() if length > FILE_LINES]
    assert not long, "\n".join(long)


def test_no_function_is_longer_than_60_lines() -> None:
    long = _too_long(PYTHON, FUNCTION_LINES, tests=False)
    assert not long, "\n".join(long)


def test_no_test_is_longer_than_25_lines() -> None:
    published = [file for file in SOURCES if "testing" in file.parts]
    long = _too_long([*TESTS, *published], TEST_LINES, tests=True)
    assert not long, "\n".join(long)


def test_every_module_lists_its_exports() -> None:
    sources = [file for file in SOURCES if file.name != "__main__.py"]
    silent = [_at(file, 1, "has no __all__") for file in sources if not EXPORTS.search(file.read_text("utf-8"))]
    assert not silent, "\n".join(silent)


def test_every_module_says_what_it_is_for() -> None:
    silent = [_at(file, 1, "has no docstring") for file in SOURCES if not ast.get_docstring(_tree(file))]
    assert not silent, "\n".join(silent)


def test_no_module_has_a_vague_name() -> None:
    named = [(file, part.strip("_")) for file in PYTHON for part in file.relative_to(ROOT).with_suffix("").parts]
    vague = [_at(file, 1, f"is named {name}") for file, name in named if name in VAGUE_NAMES]
    assert not vague, "\n".join(vague)


def _imported_roots(file: Path) -> Iterator[tuple[int, str]]:
    for node in _nodes(file):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
            yield node.lineno, node.module or ""


def test_no_module_is_named_like_a_library_that_is_imported() -> None:
    libraries = {name.partition(".")[0] for file in SOURCES for _, name in _imported_roots(file)}
    libraries -= sys.stdlib_module_names | {"agents"}  # the OpenAI Agents SDK came after our own five
    alike = [_at(file, 1, "is named like a library") for file in SOURCES if file.stem in libraries]
    assert not alike, "\n".join(alike)


def _mocks(file: Path) -> Iterator[str]:
    for line, name in _imported_roots(file):
        if name in MOCKS:
            yield _at(file, line, f"imports {name}")
    for node in _nodes(file):
        if isinstance(node, ast.Attribute) and node.attr == "setattr" and ast.unparse(node) == "monkeypatch.setattr":
            yield _at(file, node.lineno, "patches an attribute")
        elif isinstance(node, ast.arg) and node.arg == "mocker":
            yield _at(file, node.lineno, "takes the mocker fixture")


def test_nothing_is_mocked_or_patched() -> None:
    mocks = [line for file in PYTHON for line in _mocks(file)]
    assert not mocks, "use the in-memory store, a scripted model, a settable clock:\n" + "\n".join(mocks)


def _comments_and_docstrings(file: Path) -> Iterator[tuple[int, str]]:
    text = file.read_text(encoding="utf-8")
    if not LEFTOVER.search(text):  # tokenising takes long
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in _nodes(file):
        if isinstance(node, ast.Module | ast.ClassDef | Function) and node.body:
            yield node.body[0].lineno, ast.get_docstring(node) or ""


def test_nothing_is_left_for_later() -> None:
    left = [_at(f, n, text) for f in PYTHON for n, text in _comments_and_docstrings(f) if LEFTOVER.search(text)]
    left += [
        _at(file, node.lineno, "raises NotImplementedError")
        for file in PYTHON
        for node in _nodes(file)
        if isinstance(node, ast.Name) and node.id == "NotImplementedError"
    ]
    assert not left, "\n".join(left)


def test_no_file_names_a_path_of_one_machine() -> None:
    named = [
        _at(file, number, line.strip())
        for file in (*PYTHON, *PROSE)
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if MACHINE_PATH.search(line)
    ]
    assert not named, "\n".join(named)
