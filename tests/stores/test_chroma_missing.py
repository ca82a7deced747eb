"""Without Chroma installed, its URL says which extra to install, and nothing is made."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from amb_core.errors import MissingExtra
from amb_core.stores import open_store

pytestmark = pytest.mark.skipif(find_spec("chromadb") is not None, reason="Chroma is installed here")


def test_a_store_in_chroma_without_the_extra_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(MissingExtra, match=r"\[chroma\]"):
        open_store(f"chroma:///{tmp_path}/memory")
    assert list(tmp_path.iterdir()) == []
