"""A Dask cluster that runs already, as an executor."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from locomote.errors import LocomoteError, MissingExtra

PATIENCE = 15.0  # s within which a scheduler answers


@contextmanager
def connected(address: str, folder: str) -> Iterator[tuple[Executor, int]]:
    """The executor of a cluster, and how many tasks it does at once.

    Parameters
    ----------
    address : of its scheduler, such as tcp://10.0.0.5:8786
    folder : that all of its workers must see, absolute
    """
    try:
        import distributed
    except ImportError:
        raise MissingExtra("distributed", "cluster", "a Dask cluster") from None
    dask: Any = distributed
    try:
        client = dask.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        said = " ".join(str(error).split())
        raise LocomoteError(f"cluster {address}: no Dask scheduler answers there: {said}") from None
    with client:
        at_once = sum(client.ncores().values())
        if not at_once:
            raise LocomoteError(f"cluster {address}: it has no workers; start some with `dask worker {address}`")
        _check(client, address, folder)
        with client.get_executor(pure=False) as executor:
            yield executor, at_once


def _check(client: Any, address: str, folder: str) -> None:
    """See that every worker has this very package, and the folder."""
    ours = _has(folder)
    try:
        answers: dict[str, tuple[str, bool]] = client.run(_has, folder)
    except Exception as error:  # whatever kept a worker from calling a function of ours
        raise LocomoteError(f"cluster {address}: locomote does not run there: {error}") from None
    for worker, (version, sees) in sorted(answers.items()):
        if version != ours[0]:
            raise LocomoteError(f"cluster {address}: {worker} has locomote {version}, and here is {ours[0]}")
        if not sees:
            raise LocomoteError(f"cluster {address}: {worker} does not see the folder {folder}")


def _has(folder: str) -> tuple[str, bool]:
    from locomote import __version__

    return __version__, os.path.isdir(folder)
