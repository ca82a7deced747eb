"""The fixtures of tests/browser, for the page of this distribution."""

from __future__ import annotations

import runpy
from operator import itemgetter
from pathlib import Path

_SHARED = runpy.run_path(str(Path(__file__).parents[4] / "tests" / "browser" / "conftest.py"))
chromium, pictures = itemgetter("chromium", "pictures")(_SHARED)
