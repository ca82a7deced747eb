"""The published contracts: test classes that any store, embedder, agent or integration can subclass and must pass.

They need pytest; importing this package makes it explain the contracts' failed assertions as it does your own. Without
pytest there is still what helps to try things out: `failing_store`.
"""

from __future__ import annotations

import pkgutil
from contextlib import suppress

__all__: list[str] = []

with suppress(ImportError):
    import pytest

    pytest.register_assert_rewrite(*(f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__)))
