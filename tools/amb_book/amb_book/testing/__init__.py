"""The published contracts of graph stores and task queues, for anybody's own to pass."""

from __future__ import annotations

import pkgutil
from contextlib import suppress

__all__: list[str] = []

with suppress(ImportError):
    import pytest

    pytest.register_assert_rewrite(*(f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__)))
