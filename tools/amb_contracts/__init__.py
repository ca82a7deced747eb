"""The published contracts: test classes that any store, embedder, agent or integration can subclass and must pass.

They need pytest; importing this package makes it explain the contracts' failed assertions as it does your own.
"""

from __future__ import annotations

import pkgutil

import pytest

__all__: list[str] = []

pytest.register_assert_rewrite(*(f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__)))
