"""The state of people as plain numbers, to be compared."""

from __future__ import annotations

import numpy as np
from numpy.lib.recfunctions import structured_to_unstructured

from locomote.human._kernels.state import People


def state_table(people: People) -> np.ndarray:
    """All that is known of walkers, one row each; a copy."""
    numbers = structured_to_unstructured(people.walkers.view(np.ndarray))
    return np.column_stack([numbers, people.weights.reshape(len(numbers), -1)])
