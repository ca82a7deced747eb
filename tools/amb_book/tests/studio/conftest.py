from __future__ import annotations

import runpy
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def studio_class() -> Any:
    """The class of a studio on a free port; skips where what serves it is not installed."""
    pytest.importorskip("starlette", reason='needs: pip install "amb[studio]"')
    pytest.importorskip("uvicorn", reason='needs: pip install "amb[studio]"')
    return runpy.run_path(str(Path(__file__).with_name("local_studio.py")))["LocalStudio"]


@pytest.fixture
def served(studio_class: Any) -> Iterator[Callable[..., Any]]:
    """Serves a book with any options."""
    with ExitStack() as running:
        yield lambda *given, **options: running.enter_context(studio_class(*given, **options))


@pytest.fixture
def studio(served: Callable[..., Any]) -> Any:
    """A small book, served, with the page open."""
    return served().open()
