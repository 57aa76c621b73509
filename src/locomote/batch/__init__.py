"""Many files, many cores, a cluster: the verbs of the command line for a whole corpus, and training data in shards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.batch._loop import Batch, Failure, Progress
    from locomote.batch._run import run
    from locomote.batch._walks import Walks, walk

__all__ = ["Batch", "Failure", "Progress", "Walks", "run", "walk"]

__getattr__, __dir__ = facade(
    __name__,
    {"Batch": "_loop", "Failure": "_loop", "Progress": "_loop", "run": "_run", "Walks": "_walks", "walk": "_walks"},
)
