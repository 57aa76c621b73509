"""Many jobs worked off: on all cores or on a cluster, from where it was stopped, whatever is wrong with some."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from locomote.batch._cluster import connected
from locomote.batch._pool import Workers, cores
from locomote.batch._record import Record
from locomote.batch._table import write_table
from locomote.errors import LocomoteError

AHEAD = 2  # jobs handed out for each that is being done, so that nobody waits
TICK = 0.5  # s after which a wait looks up, for Ctrl-C where that cannot break it

Entry = dict[str, Any]  # what the record says of one result


class Job(NamedTuple):
    """One result to make."""

    output: str  # below the folder of results, with /
    about: Entry  # of what it is made, for the record
    call: Callable[..., Entry]  # in a worker; it gives a status of "done" or "failed"
    arguments: tuple[Any, ...]


class Progress(NamedTuple):
    """How far a batch is."""

    total: int  # of results
    kept: int  # made before
    done: int  # now
    failed: int  # now
    seconds: float  # since it began
    entry: Entry | None = None  # what the record says of the one that has just ended

    @property
    def rate(self) -> float:
        """Results a second."""
        return (self.done + self.failed) / self.seconds if self.seconds > 0.0 else 0.0

    @property
    def left(self) -> float:
        """Seconds that the rest will take; infinite while nobody knows."""
        rest = self.total - self.kept - self.done - self.failed
        return rest / self.rate if self.rate > 0.0 else float("inf")


class Failure(NamedTuple):
    """Something of which nothing was made."""

    file: str  # as it was given; the result itself where it is made of no file
    reason: str  # one line


@dataclass(frozen=True, eq=False)
class Batch:
    """What became of everything."""

    folder: Path  # of the results; ``batch.jsonl`` there tells of every one, ``batch.csv`` its figures
    done: int  # results made now
    kept: int  # and before
    failures: tuple[Failure, ...]
    seconds: float  # that it took
    entries: Mapping[str, Entry]  # what the record says, by result


class Setup(NamedTuple):
    """Where and how jobs are worked off."""

    workers: int | None = None  # processes; one for each core without it
    cluster: str | None = None  # address of a Dask scheduler, in place of processes here
    again: bool = False  # also what was done before
    progress: Callable[[Progress], None] | None = None  # called at the beginning and after each job


def work_off(folder: Path, head: Mapping[str, Any], jobs: Sequence[Job], setup: Setup, kernels: Sequence[str]) -> Batch:
    """Make what is not there yet.

    Parameters
    ----------
    folder : of the results, which is made
    head : what is done and how; another batch in the folder is refused
    jobs : all results, in their order
    setup : where and how
    kernels : "module:function" in which time goes
    """
    started = time.perf_counter()
    make_folder(folder)
    with _executor(setup, folder) as (pool, at_once):
        record = Record(folder, head, setup.again)
        try:
            record.tidy(job.output for job in jobs)
            todo = [job for job in jobs if not record.is_done(job.output, job.about)]
            for below in sorted({(folder / job.output).parent for job in todo}):
                make_folder(below)
            now = Progress(len(jobs), len(jobs) - len(todo), 0, 0, 0.0)
            tell = setup.progress or (lambda _: None)
            tell(now)
            alone = setup.cluster is None and _must_compile(kernels)
            for job, outcome in _finished(pool, todo, AHEAD * at_once, alone):
                entry = {"output": job.output, **job.about, **outcome}
                record.add(entry)
                good = outcome["status"] == "done"
                now = now._replace(done=now.done + good, failed=now.failed + (not good), entry=entry)
                now = now._replace(seconds=time.perf_counter() - started)
                tell(now)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            record.tidy(job.output for job in jobs)
            raise
        finally:
            record.close(job.output for job in jobs)
    entries = {job.output: record.entries[job.output] for job in jobs}
    write_table(folder, entries)
    failures = tuple(
        Failure(each.get("file", name), each["reason"]) for name, each in entries.items() if each["status"] != "done"
    )
    return Batch(folder, now.done, now.kept, failures, time.perf_counter() - started, entries)


@contextmanager
def _executor(setup: Setup, folder: Path) -> Iterator[tuple[Executor, int]]:
    """What does the jobs, and how many at once."""
    if setup.cluster is None:
        count = cores() if setup.workers is None else setup.workers
        with Workers(count) as pool:
            yield pool, count
        return
    with connected(setup.cluster, str(folder.absolute())) as (pool_there, at_once):
        yield pool_there, at_once if setup.workers is None else min(at_once, setup.workers)


def _finished(pool: Executor, jobs: Sequence[Job], most: int, alone: bool) -> Iterator[tuple[Job, Entry]]:
    """Jobs as they end, with what became of them; at most so many are handed out.

    ``alone``: the first by itself, so that one worker compiles what all the others then load.
    """
    waiting, running = deque(jobs), dict[Future[Entry], Job]()
    while waiting or running:
        while waiting and len(running) < (1 if alone else most):
            job = waiting.popleft()
            running[pool.submit(job.call, *job.arguments)] = job
        ended, _ = wait(running, timeout=TICK, return_when=FIRST_COMPLETED)
        for future in ended:
            alone = False
            yield running.pop(future), _outcome(future)


def _outcome(future: Future[Entry]) -> Entry:
    try:
        return future.result()
    except CancelledError:
        raise LocomoteError(
            "the cluster has gone; start the same again once it is back, it goes on from here"
        ) from None
    except LocomoteError as error:
        return failed(str(error))
    except Exception as error:  # of the cluster, such as a worker that was killed several times
        return failed(f"its worker failed: {type(error).__name__}: {error}")


def failed(reason: str) -> Entry:
    """The outcome of a job of which nothing came."""
    return {"status": "failed", "reason": " ".join(reason.split())}


def make_folder(path: Path) -> None:
    """Make a folder for results."""
    if path.exists() and not path.is_dir():
        raise LocomoteError(f"{path}: is a file, expected a folder")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LocomoteError(f"{path}: cannot be made: {error.strerror}") from None


def _must_compile(kernels: Sequence[str]) -> bool:
    """Whether any of some kernels would be compiled by its first call."""
    from locomote.math._compile import Kernel

    for name in kernels:
        module, _, function = name.partition(":")
        kernel = getattr(import_module(module), function)
        if isinstance(kernel, Kernel) and kernel.way == "jit":
            from locomote.math._jit import is_kept

            if not is_kept(kernel.dispatcher):
                return True
    return False
