"""The layer order of `amb_core`, and what each folder may import; read from the sources, nothing is imported."""

from __future__ import annotations

import ast
import re
import runpy
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Top first. A part may import its own row and the rows below it; parts of APART may not import one another.
LAYERS = (
    {""},  # amb_core/__init__.py
    {"adapter"},
    {"bank_source", "contributor"},
    {"bank", "bank_host", "memory"},
    {"retrieval", "stores"},
    {
        "kept_texts",
        "reading",
        "rendering",
        "text",
        "settings",
        "clock",
        "tracing",
        "deferred",
        "registry",
    },
    {"protocols"},
    {"agent_io", "chat_io"},
    {"models", "attachments", "scope"},
    {"errors", "call_lock"},
    {"usage", "frozen", "file_writer", "install_command"},
)
APART = {"retrieval", "stores"}
# What stands on the core, top first: each may use the rows below it, every other package of ours all of them.
LEAVES = (
    {"amb_cli"},
    {"amb_inspector"},
    {"amb_team", "amb_experience"},
    {"amb_longterm"},
    {"amb_redaction", "amb_readers"},
    {"amb_notes"},
    {"amb_agents"},
    {"amb_chat", "amb_embedders", "amb_files", "amb_loops", "amb_retrieval", "amb_users", "amb_wrap"},
    {"amb_values"},
)

FRAMEWORKS, ABOUT = itemgetter("FRAMEWORKS", "ABOUT")(runpy.run_path(str(Path(__file__).with_name("frameworks.py"))))
NEVER_IN_CORE = {module.partition(".")[0] for framework in FRAMEWORKS.values() for module in framework.modules} - {
    "uvicorn"
} | {
    *("autogen", "crewai_tools", "torch"),
    *("langchain_community", "langchain_openai", "langgraph_supervisor"),
}
# What the default install brings and is cheap enough to load with `import amb_core`.
AT_MODULE_LEVEL = {"amb_core", "numpy", "pydantic", "pydantic_core", "pydantic_settings", "Stemmer"}
ALSO_IN_CONTRACTS = {"pytest", "hypothesis", "amb_contracts"}
IMPORTED_AS = {"beautifulsoup4": {"bs4"}}
COMES_WITH = {
    "presidio_analyzer": {"spacy"},
    "starlette": {"anyio"},
    "pydantic": {"pydantic_core"},
    "pydantic_settings": {"dotenv"},
}
EXTRA = re.compile(r"\bextra=\"([\w-]+)\"")


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name: where it stands, the module it comes from, and whether importing the file runs it."""

    file: Path
    line: int
    module: str
    name: str
    at_module_level: bool

    @property
    def root(self) -> str:
        return self.module.partition(".")[0]

    def __str__(self) -> str:
        what = f"{self.module}.{self.name}" if self.name else self.module
        return f"{self.file.relative_to(ROOT)}:{self.line} imports {what}"


def _module_of(file: Path, top: Path) -> list[str]:
    parts = list(file.relative_to(top.parent).with_suffix("").parts)
    return parts[:-1] if parts[-1] == "__init__" else parts


def _source_module(node: ast.ImportFrom, file: Path, top: Path) -> str:
    """The absolute module an import-from names, relative dots resolved."""
    if not node.level:
        return node.module or ""
    here = _module_of(file, top)
    package = here if file.name == "__init__.py" else here[:-1]
    return ".".join([*package[: len(package) - node.level + 1], *([node.module] if node.module else [])])


def _is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def _statements(body: list[ast.stmt], *, runs: bool) -> Iterator[tuple[ast.stmt, bool]]:
    """Every statement with whether importing the module runs it."""
    for node in body:
        yield node, runs
        inside = runs and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_type_checking(node)
        for field in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(node, field, []), runs=inside if field == "body" else runs)
        for part in (*getattr(node, "handlers", []), *getattr(node, "cases", [])):
            yield from _statements(part.body, runs=inside)


def imports_of(file: Path, top: Path) -> Iterator[Import]:
    """Every import in a file of the package folder `top`."""
    for node, runs in _statements(ast.parse(file.read_text(encoding="utf-8")).body, runs=True):
        if isinstance(node, ast.Import):
            yield from (Import(file, node.lineno, alias.name, "", runs) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = _source_module(node, file, top)
            yield from (Import(file, node.lineno, module, alias.name, runs) for alias in node.names)


@cache
def _all_imports(top: Path) -> tuple[Import, ...]:
    return tuple(found for file in sorted(top.rglob("*.py")) for found in imports_of(file, top))


def _of_core() -> tuple[Import, ...]:
    return _all_imports(ROOT / "amb_core")


def _part(file: Path) -> str:
    """The part of amb_core a file belongs to: the first name below the package, "" for its __init__."""
    return (*_module_of(file, ROOT / "amb_core")[1:], "")[0]


PARTS = {_part(file) for file in (ROOT / "amb_core").rglob("*.py")}
PUBLISHED = sorted(
    file.parent
    for place in ("integrations/*", "tools/*", "tools/*/amb_*")
    for file in ROOT.glob(f"{place}/__init__.py")
    if file.parent.name != "amb_bench"  # it measures the inside of everything
)


def _imported_part(found: Import) -> str:
    """The part an import reaches; `from amb_core import stores` reaches `stores`."""
    below = found.module.split(".")[1:]
    return below[0] if below else found.name * (found.name in PARTS)


def _row(part: str) -> int:
    return next((row for row, parts in enumerate(LAYERS) if part in parts), -1)


def _goes_up(found: Import) -> bool:
    mine, theirs = _part(found.file), _imported_part(found)
    return mine != theirs and (_row(theirs) < _row(mine) or {mine, theirs} <= APART)


def test_imports_are_found_wherever_they_stand(tmp_path: Path) -> None:
    file = tmp_path / "amb_core" / "bank" / "log.py"
    file.parent.mkdir(parents=True)
    file.write_text(
        "from ..models import Span\n"
        "from . import journal\n"
        "try:\n    import torch\nexcept ImportError:\n    import numpy\n"
        "if TYPE_CHECKING:\n    import openai\n"
        "class A:\n    import json\n    def f(self):\n        with x:\n            import crewai.tools\n"
    )
    seen = [(i.module, i.name, i.at_module_level) for i in imports_of(file, tmp_path / "amb_core")]
    assert seen == [
        ("amb_core.models", "Span", True),
        ("amb_core.bank", "journal", True),
        ("torch", "", True),
        ("numpy", "", True),
        ("openai", "", False),
        ("json", "", True),
        ("crewai.tools", "", False),
    ]


def test_every_part_of_the_core_has_a_layer() -> None:
    homeless = sorted(part for part in PARTS if _row(part) < 0)
    assert not homeless, f"name their layer in LAYERS: {homeless}"


def test_the_page_on_the_architecture_shows_these_layers() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^```\n(adapter\n.*?)^```$", text, re.MULTILINE | re.DOTALL)[0].splitlines()
    assert [set(row.split(" · ")) for row in rows] == [parts for parts in LAYERS if parts != {""}]


def test_no_part_imports_one_above_it() -> None:
    wrong = [str(found) for found in _of_core() if found.root == "amb_core" and _goes_up(found)]
    assert not wrong, "\n".join(wrong)


def test_the_core_imports_no_framework_at_any_level() -> None:
    wrong = [str(found) for found in _of_core() if found.root in NEVER_IN_CORE]
    assert not wrong, "\n".join(wrong)


def test_the_core_imports_no_other_package_of_ours() -> None:
    def is_deferred(found: Import) -> bool:
        """Whether it is for type checkers: `amb_core` shows names of the leaves and loads them when they are used."""
        return found.file.name == "__init__.py" and not found.at_module_level

    others = [found for found in _of_core() if found.root.startswith("amb_") and found.root != "amb_core"]
    wrong = [str(found) for found in others if not is_deferred(found)]
    assert not wrong, "\n".join(wrong)


def test_optional_and_heavy_packages_are_imported_where_they_are_used() -> None:
    def is_fine(found: Import) -> bool:
        known = AT_MODULE_LEVEL | sys.stdlib_module_names
        return not found.at_module_level or found.root in known

    wrong = [str(found) for found in _of_core() if not is_fine(found)]
    assert not wrong, "inside the function that needs it, please:\n" + "\n".join(wrong)


@cache
def _exports(module: str) -> set[str] | None:
    """What a module of amb_core or of a leaf lists in `__all__`, or None when there is no such public module."""
    path = (ROOT if module.startswith("amb_core") else ROOT / "tools").joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if not file.is_file() or any(part.startswith("_") for part in module.split(".")):
        return None
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def _is_public(found: Import) -> bool:
    exports = _exports(found.module)
    if exports is None:
        return False
    return not found.name or found.name in exports or _exports(f"{found.module}.{found.name}") is not None


def _own_libraries(folder: Path) -> set[str]:
    """What a package may import: what AMB needs anyway, the modules it tells `deferred`, and what its extras bring."""
    text = "".join(file.read_text(encoding="utf-8") for file in folder.rglob("*.py"))
    framework = FRAMEWORKS.get(folder.name.removeprefix("amb_"))
    extras = set(EXTRA.findall(text)) & set(ABOUT["project"]["optional-dependencies"])
    needed = [*ABOUT["project"]["dependencies"]]
    needed += [line for extra in extras for line in ABOUT["project"]["optional-dependencies"][extra]]
    brought = {re.split(r"[^\w.-]", line)[0].replace("-", "_") for line in needed}
    brought |= {each for known in (IMPORTED_AS, COMES_WITH) for name in brought & known.keys() for each in known[name]}
    tools = set() if folder.parent.name == "tools" else {"amb_tools"}  # tools for agents, in the same wheel
    is_contract = folder.name == "amb_contracts" or (folder / "testing").is_dir()
    contracts = ALSO_IN_CONTRACTS if is_contract else set()
    return brought | tools | contracts | {m.partition(".")[0] for m in (framework.modules if framework else ())}


def _leaves_below(folder: Path) -> set[str]:
    """The leaves that a package may use: those under its own row."""
    row = next((row for row, leaves in enumerate(LEAVES) if folder.name in leaves), -1)
    return set().union(*LEAVES[row + 1 :])


def test_nothing_but_the_benches_imports_them() -> None:
    published = [*_of_core(), *(found for folder in PUBLISHED for found in _all_imports(folder))]
    wrong = [str(found) for found in published if found.root == "amb_bench"]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("folder", PUBLISHED, ids=lambda folder: folder.name)
def test_an_integration_imports_only_public_names_and_its_own_framework(folder: Path) -> None:
    allowed, leaves = {folder.name, "typing_extensions"} | _own_libraries(folder), _leaves_below(folder)

    def is_fine(found: Import) -> bool:
        if found.root == "amb_core" or (found.root in leaves and found.root != folder.name):
            return _is_public(found)
        return found.root in allowed or found.root in sys.stdlib_module_names

    wrong = [str(found) for found in _all_imports(folder) if not is_fine(found)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_framework_has_its_extra_its_line_its_page_and_its_tests(name: str) -> None:
    extra = FRAMEWORKS[name].extra
    assert extra in ABOUT["project"]["optional-dependencies"]
    line = re.search(rf"`amb_{name}`: \[[^]]+\]\(([\w-]+\.md)", (ROOT / "docs" / "integrations.md").read_text("utf-8"))
    assert line, "a line in the table of docs/integrations.md, with a link to the page"
    assert f"from amb_{name} import" in (ROOT / "docs" / line[1]).read_text("utf-8")
    assert any(ROOT.glob(f"tests/integrations/{name}*/test_*_contract.py"))
