"""Leaps of one approach as a plane (QUA-26): two numbers beside a mean launch, from height and distance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.errors import LocomoteError
from locomote.physics._leap_book import LeapBook
from locomote.physics._leaps import Launch, launch_of
from locomote.rotations import FloatArray

LEAST = 4  # leaps of which a plane can be made
NEAR = 0.15  # m of height and distance within which known leaps count
FIRM = 1e-6  # against planes through leaps that all lie on one line


class LeapModel(NamedTuple):
    """A mean launch and two directions; what is between known leaps changes smoothly.

    Made by `of`, from the leaps of a `LeapBook` out of one approach.
    """

    mean: FloatArray  # (16,) numbers of a launch
    scales: FloatArray  # (16,) their spread over the leaps
    directions: FloatArray  # (2, 16) of numbers over their spread, orthonormal
    shares: FloatArray  # (2,) of the variance that each explains
    known: FloatArray  # (N, 2) m high and m far
    places: FloatArray  # (N, 2) of the known leaps along the directions

    @classmethod
    def of(cls, book: LeapBook, speed: float) -> LeapModel:
        """The plane through the leaps that can be begun at a speed.

        Parameters
        ----------
        book, speed : leaps that are known, and m/s
        """
        near = book.at(speed)
        if len(near) < LEAST:
            raise LocomoteError(f"leaps: {len(near)} are known at {speed:g} m/s; a model needs {LEAST}")
        mean, scales = near.launches.mean(axis=0), near.launches.std(axis=0)
        scales = np.where(scales > 1e-9, scales, 1.0)
        off = (near.launches - mean) / scales
        _, sizes, rows = np.linalg.svd(off, full_matrices=False)
        variance = np.square(sizes)
        known = np.stack([near.heights, near.distances], axis=1)
        return cls(mean, scales, rows[:2], variance[:2] / variance.sum(), known, off @ rows[:2].T)

    def launch(self, height: float, distance: float) -> Launch:
        """The launch for a leap, by a linear fit over the known ones about it.

        Parameters
        ----------
        height, distance : m that the centre of mass rises to, and m through the air
        """
        off = self.known - (height, distance)
        weights = np.exp(-0.5 * np.square(off / NEAR).sum(axis=1)) + FIRM
        rows = np.column_stack([np.ones(len(off)), off]) * np.sqrt(weights)[:, None]
        fit, *_ = np.linalg.lstsq(rows, self.places * np.sqrt(weights)[:, None], rcond=None)
        return launch_of(self.mean + self.scales * (fit[0] @ self.directions))
