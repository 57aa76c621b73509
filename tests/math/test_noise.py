from __future__ import annotations

import numpy as np

from locomote.math.noise import normal


def test_numbers_are_nearly_normal_and_follow_from_whole_ones() -> None:
    drawn = np.array([[normal(7, channel, knot) for knot in range(2000)] for channel in range(4)])
    assert np.allclose(drawn.mean(axis=1), 0.0, atol=0.08)
    assert np.allclose(drawn.std(axis=1), 1.0, atol=0.05)
    assert np.all(np.abs(np.corrcoef(drawn)[np.triu_indices(4, 1)]) < 0.08)
    assert np.abs(np.corrcoef(drawn[0, 1:], drawn[0, :-1])[0, 1]) < 0.08
    assert normal(7, 1, 5) == drawn[1, 5]
    assert normal(8, 1, 5) != drawn[1, 5]
