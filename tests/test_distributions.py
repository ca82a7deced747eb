"""The distributions of this repository as their `pyproject.toml` files name them: three, of one version."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = [ROOT / "pyproject.toml", *sorted(ROOT.glob("tools/*/pyproject.toml"))]
ABOUT: dict[str, dict[str, Any]] = {}
for file in FILES:
    about = tomllib.loads(file.read_text("utf-8"))
    ABOUT[about["project"]["name"]] = about
NEVER_PUBLISHED = "Private :: Do Not Upload"


def _requirements(about: dict[str, Any]) -> list[str]:
    """Everything that installing or building a distribution may fetch, dependency groups included."""
    lists = [about["build-system"]["requires"], about["project"].get("dependencies", [])]
    lists += about["project"].get("optional-dependencies", {}).values()
    lists += about.get("dependency-groups", {}).values()
    return [line for lines in lists for line in lines]


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement.strip())[0].lower().replace("_", "-").replace(".", "-")


def test_there_are_the_middleware_and_its_two_neighbours() -> None:
    assert set(ABOUT) == {"amb", "amb-bench", "amb-book"}


def test_all_distributions_have_one_version() -> None:
    assert len({about["project"]["version"] for about in ABOUT.values()}) == 1


@pytest.mark.parametrize("distribution", ABOUT)
def test_no_name_of_ours_is_fetched_from_an_index_before_a_release_owns_it(distribution: str) -> None:
    """The release workflow adds `amb-book==VERSION`; till then it would be somebody else's package."""
    about = ABOUT[distribution]
    named = [line for line in _requirements(about) if _name(line) == "amb" or _name(line).startswith("amb-")]
    assert not named
    extras = {name.replace("_", "-") for name in about["project"].get("optional-dependencies", {})}
    assert not extras & {"amb-book", "amb-bench", "book", "bench"}


def test_the_benches_alone_are_marked_as_never_published() -> None:
    marked = {name for name, about in ABOUT.items() if NEVER_PUBLISHED in about["project"].get("classifiers", [])}
    assert marked == {"amb-bench"}


def test_an_extra_is_defined_in_one_distribution_alone() -> None:
    extras = [name for about in ABOUT.values() for name in about["project"].get("optional-dependencies", {})]
    assert len(extras) == len(set(extras))


def test_no_entry_point_is_brought_by_two_distributions() -> None:
    groups = [about["project"].get("entry-points", {}) for about in ABOUT.values()]
    points = [(group, name) for found in groups for group, names in found.items() for name in names]
    assert len(points) == len(set(points))
