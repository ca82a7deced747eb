"""Fitting the weights of passages."""

import numpy as np
from amb_bench.fit_passages import Samples, fit_weights, wanted_passages

from amb_core.memory.passage_scores import WEIGHTS


def test_the_feature_that_tells_wanted_passages_gets_the_weight() -> None:
    rng = np.random.default_rng(1)
    features = rng.normal(size=(400, len(WEIGHTS)))
    wanted = (features[:, 0] > 0).astype(np.float64)
    found = fit_weights(Samples(features, wanted, np.ones(400)))
    assert max(found, key=lambda name: abs(found[name])) == next(iter(WEIGHTS))


def test_a_passage_is_wanted_for_what_the_action_uses_and_the_request_lacks() -> None:
    cover = wanted_passages(["order W123 of Smith", "order W999"], "cancel W123", "hello W999")
    assert cover.tolist() == [1.0, 0.0]
