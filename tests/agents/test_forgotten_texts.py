"""What the agents keep about texts is gone when texts are forgotten."""

from __future__ import annotations

import gc
from functools import _lru_cache_wrapper

from amb_agents import contradictions
from amb_agents.key_terms import keywords
from amb_core.text import estimate_tokens, forget_texts, index_tokens
from amb_values import entities, values

SECRET = "The Zanzibar depot of Quillon Freight stores 412 pallets."
OTHER = "The Zanzibar depot of Quillon Freight stores 530 pallets."


def test_no_cache_of_a_function_holds_anything_of_a_text_that_is_forgotten() -> None:
    contradictions(SECRET, OTHER)
    for function in (entities, estimate_tokens, index_tokens, keywords, values):
        function(SECRET)
    gc.unfreeze()  # what was there before the tests is not told of otherwise
    caches = [found for found in gc.get_objects() if type(found) is _lru_cache_wrapper]
    gc.freeze()
    ours = [cache for cache in caches if cache.__module__.startswith(("amb_core.text", "amb_agents"))]
    assert any(cache.cache_info().currsize for cache in ours)
    forget_texts()
    kept = [cache for cache in ours if cache.cache_info().currsize and cache.cache_parameters()["maxsize"] != 1]
    assert [cache.__name__ for cache in kept if cache.cache_parameters()["maxsize"] is not None] == []
