"""Impulses at several nodes of a tree that push and never pull."""

from __future__ import annotations

from locomote.math._compile import kernel
from locomote.math.vector import Floats


@kernel
def push_apart(answers: Floats, lack: Floats, rounds: int, impulses: Floats) -> None:
    """Impulses ``(C,)`` of 0 and more so that nodes get the speed they lack, by projected Gauss-Seidel.

    ``answers (C, C)`` tell what speed an impulse at each node gives to all of them.
    """
    for _ in range(rounds):
        for c in range(lack.shape[0]):
            left = lack[c]
            for other in range(lack.shape[0]):
                left -= answers[c, other] * impulses[other]
            impulses[c] = max(0.0, impulses[c] + left / answers[c, c])
