"""Leaps of one approach as a plane (QUA-26): two numbers beside a mean launch, from height and distance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.errors import LocomoteError
from locomote.physics._leap_book import LeapBook
from locomote.physics._leaps import Launch, launch_of
from locomote.rotations import FloatArray

LEAST = 4  # leaps of which a plane can be made


class LeapModel(NamedTuple):
    """A mean launch, and how its numbers change with height and with distance; all leaps of a plane are alike.

    Made by `of`, from the leaps of a `LeapBook` out of one approach. The two components are those that tell height and
    distance: those of the largest variance do not, because leaps that were found one by one differ in much else.
    """

    mean: FloatArray  # (16,) numbers of a launch
    middle: FloatArray  # (2,) m high and m far that it goes
    directions: FloatArray  # (2, 16) of numbers for each metre of height and of distance

    @classmethod
    def of(cls, book: LeapBook, speed: float) -> LeapModel:
        """The plane through the leaps out of the approach that is nearest to a speed.

        Parameters
        ----------
        book, speed : leaps that are known, and m/s
        """
        known = book.at(speed)
        off = np.abs(known.speeds - speed)
        rows = off < off.min() + 1e-6
        if np.count_nonzero(rows) < LEAST:
            raise LocomoteError(f"leaps: {rows.sum()} are known at {speed:g} m/s; a model needs {LEAST}")
        goes, launches = np.stack([known.heights, known.distances], axis=1)[rows], known.launches[rows]
        middle, mean = goes.mean(axis=0), launches.mean(axis=0)
        directions, *_ = np.linalg.lstsq(goes - middle, launches - mean, rcond=None)
        return cls(mean, middle, directions)

    def launch(self, height: float, distance: float) -> Launch:
        """The launch for a leap.

        Parameters
        ----------
        height, distance : m that the centre of mass rises to, and m through the air
        """
        return launch_of(self.mean + (np.array([height, distance]) - self.middle) @ self.directions)
