"""Random numbers that follow from whole ones, in kernels and outside: nothing is kept, and no order matters."""

from __future__ import annotations

from locomote.math._compile import inline

_MASK = 0xFFFFFFFF


@inline
def normal(seed: int, channel: int, knot: int) -> float:
    """A random number, nearly normal, that follows from three whole ones."""
    total = 0.0
    bits = (seed * 0x9E3779B1 + channel * 0x85EBCA77 + knot * 0xC2B2AE3D) & _MASK
    for _ in range(3):
        bits = ((bits ^ (bits >> 15)) * 0x2C1B3C6D) & _MASK
        bits = ((bits ^ (bits >> 12)) * 0x297A2D39) & _MASK
        bits = bits ^ (bits >> 15)
        total += bits / 4294967296.0 - 0.5
    return 2.0 * total  # three of variance 1/12 each
