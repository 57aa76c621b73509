"""Grow the dictionary of leaps that ships with the package, and write it.

Run: python scripts/dog_leaps.py [processes] [file]   (about 100 minutes of processor time)
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from locomote.physics._leap_book import ASSET
from locomote.physics._leap_trials import grow, winnow
from locomote.physics._leaps import Launch

HEIGHTS = {0.0: (0.7, 0.8, 0.9, 1.0, 1.1, 1.2), 0.8: (0.7, 0.8, 0.9, 1.0, 1.1)}
DISTANCES = {0.0: (0.2, 0.35, 0.5, 0.65, 0.8, 1.0, 1.2, 1.4, 1.6), 0.8: (0.5, 0.65, 0.8, 1.0, 1.2, 1.4, 1.6, 2.0)}
SPEEDS = (0.0, 0.8, 1.0, 1.2)
MOST = 3.4  # m/s forward that a launch gives
STAND = Launch(up=3.2, forward=1.2)
TROT = Launch(0.13, 0.1, 0.24, 3.0, 1.5, 0.31, -0.31, 0.0, 1.5, 3.0, 0.7, 0.27, 0.07, 0.11, 0.1, 0.14)


def reachable(height: float, distance: float) -> bool:
    """Whether so far can be gone in the time that so high takes."""
    return distance < MOST * 2.0 * np.sqrt(2.0 * max(height - 0.45, 0.0) / 9.81)


def main() -> None:
    processes = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    path = Path(sys.argv[2]) if len(sys.argv) > 2 else ASSET
    goals = [
        (speed, height, distance)
        for speed in SPEEDS
        for height in HEIGHTS[min(speed, 0.8)]
        for distance in DISTANCES[min(speed, 0.8)]
        if reachable(height, distance)
    ]
    begin = {speed: TROT if speed else STAND for speed in SPEEDS}
    grown = grow(begin, goals, 1, 0, processes)
    book = winnow(grown, processes)
    book.save(path)
    print(f"{path}: {len(goals)} leaps were wanted, {len(grown)} found, {len(book)} are reliable")


if __name__ == "__main__":
    main()
