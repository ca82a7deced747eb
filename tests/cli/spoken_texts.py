"""Every text the command line can say, read off the sources: parsers, what is translated, and errors."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORDS = re.compile(r"^[^ ].* ")
ERRORS = {
    node.name
    for node in ast.parse((ROOT / "amb_core/errors.py").read_text("utf-8")).body
    if isinstance(node, ast.ClassDef)
}
CATALOGUES = {
    "tools/amb_book/amb_book": ROOT / "tools/amb_book/amb_book/cli/zh.json",
    "tools/amb_bench/amb_bench": ROOT / "tools/amb_bench/amb_bench/zh.json",
    "": ROOT / "tools/amb_cli/zh.json",
}
"""The catalogue of each folder of a distribution."""
# What raises where a command is at work; an error of another place is said in English.
ERRORS_SAID = (
    *("tools/amb_cli", "amb_core/doctor.py", "amb_core/stores", "tools/amb_chat", "amb_core/memory/bank_opener.py"),
    *("amb_core/memory/snapshots.py", "amb_core/settings.py", "tools/amb_embedders", "tools/amb_agents"),
    *(
        "tools/amb_longterm/collection_opener.py",
        "tools/amb_longterm/namespaces.py",
        "tools/amb_inspector",
        "tools/amb_team/team_export.py",
    ),
    *("integrations/amb_react", "integrations/amb_mcp", "tools/amb_embedders", "tools/amb_postgres"),
    *(
        "tools/amb_proxy",
        "tools/amb_replay",
        "tools/amb_tools",
        "tools/amb_vector_stores",
        "tools/amb_book/amb_book/cli",
    ),
)


def catalogue_of(file: Path) -> Path:
    """The catalogue in which the texts of a source file stand."""
    place = file.relative_to(ROOT).as_posix()
    return next(found for folder, found in CATALOGUES.items() if place.startswith(folder))


def sources() -> list[Path]:
    """Every source file of the distributions."""
    found = (file for top in ("amb_core", "integrations", "tools") for file in (ROOT / top).rglob("*.py"))
    return sorted(file for file in found if "tests" not in file.relative_to(ROOT).parts)


@cache
def translated() -> tuple[tuple[Path, str], ...]:
    """Every text that `translate` is given, and the file it stands in."""
    return tuple((file, text) for file in sources() for text in dict.fromkeys(_translated(file)))


@cache
def errors() -> tuple[tuple[Path, str], ...]:
    """Every error with `{0}`, `{1}` for what it quotes, and the file it is raised in."""
    chosen = (file for file in sources() if file.relative_to(ROOT).as_posix().startswith(ERRORS_SAID))
    return tuple((file, text) for file in chosen for text in dict.fromkeys(_errors(file)))


def parser_texts(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """Program and text of everything a parser and those of its commands show."""
    shown = [parser.description, parser.epilog, *(group.title for group in parser._action_groups)]
    for action in parser._actions:
        shown.append(action.help)
        if isinstance(action, argparse._SubParsersAction):
            shown += [choice.help for choice in action._choices_actions]
            for inner in dict.fromkeys(action.choices.values()):
                yield from parser_texts(inner)
    yield from ((parser.prog, text) for text in shown if text and text != argparse.SUPPRESS)


def _translated(file: Path) -> Iterator[str]:
    text = file.read_text("utf-8")
    if "translate(" not in text:
        return
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "translate":
            yield from _constants(node.args[0], tree, depth=2)


def _constants(node: ast.expr, tree: ast.Module, *, depth: int) -> Iterator[str]:
    """The text itself, or the sentences among what a name in it can stand for."""
    if isinstance(node, ast.Constant):
        yield str(node.value)
        return
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    for place in ast.walk(tree):
        targets, value = _binding(place)
        bound = {each.id for one in targets for each in ast.walk(one) if isinstance(each, ast.Name)}
        if value is not None and names & bound:
            yield from (
                each.value
                for each in ast.walk(value)
                if isinstance(each, ast.Constant) and isinstance(each.value, str) and WORDS.search(each.value)
            )
            if depth:
                yield from _constants(value, tree, depth=depth - 1) if not isinstance(value, ast.Constant) else ()


def _binding(node: ast.AST) -> tuple[list[ast.expr], ast.expr | None]:
    if isinstance(node, ast.Assign):
        return node.targets, node.value
    if isinstance(node, ast.AnnAssign | ast.For | ast.comprehension):
        return [node.target], node.value if isinstance(node, ast.AnnAssign) else node.iter
    return [], None


def _errors(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args and node.func.id in ERRORS:
            text = numbered(node.args[0])
            if (
                node.func.id not in {"MissingExtra", "UnknownId", "PriceUnknown"}
                and len(re.findall("[A-Za-z]{2,}", text)) > 1
            ):
                yield text


def numbered(node: ast.expr) -> str:
    """A text with `{0}`, `{1}` for whatever is no literal."""
    pieces = list(_pieces(node))
    count = iter(range(len(pieces)))
    return "".join(f"{{{next(count)}}}" if piece is None else piece for piece in pieces)


def _pieces(node: ast.expr) -> Iterator[str | None]:
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.JoinedStr):
        for value in node.values:
            yield from _pieces(value)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _pieces(node.left)
        yield from _pieces(node.right)
    else:
        yield None
