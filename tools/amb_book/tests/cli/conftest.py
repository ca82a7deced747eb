"""The fixtures of tests/cli, for the commands of this distribution."""

from __future__ import annotations

import runpy
from operator import itemgetter
from pathlib import Path

_SHARED = runpy.run_path(str(Path(__file__).parents[4] / "tests" / "cli" / "conftest.py"))
amb, amb_here, asked, endpoint, paced, wait_until = itemgetter(
    "amb", "amb_here", "asked", "endpoint", "paced", "wait_until"
)(_SHARED)
