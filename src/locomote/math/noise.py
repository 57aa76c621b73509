"""Random numbers that follow from whole ones, in kernels and outside: nothing is kept, and no order matters."""

from __future__ import annotations

from locomote.math._compile import inline

_MASK = 0xFFFFFFFF


@inline
def normal(seed: int, channel: int, knot: int) -> float:
    """A random number, nearly normal, that follows from three whole ones."""
    total = 0.0
    # Below 2^31 in size: compilers for GPUs take larger ones as unsigned.
    bits = (seed * -0x61C8864F - channel * 0x7A143589 - knot * 0x3D4D51C3) & _MASK
    for _ in range(3):
        bits = ((bits ^ (bits >> 15)) * 0x2C1B3C6D) & _MASK
        bits = ((bits ^ (bits >> 12)) * 0x297A2D39) & _MASK
        bits = bits ^ (bits >> 15)
        total += bits / 4294967296.0 - 0.5
    return 2.0 * total  # three of variance 1/12 each
