"""Labelled walks of as many people as one likes: who they are, what they are told, and one shard of them."""

from __future__ import annotations

import logging
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locomote.batch._loop import Batch, Entry, Job, Progress, Setup, failed, work_off
from locomote.batch._run import head_of
from locomote.batch._shards import EXTENSIONS, needed, write_shard
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.human import Crowd, HumanModel
    from locomote.rotations import FloatArray

MOST_SPEED, TURNS = 12.0, (-2.0, 2.0)  # m/s, rad/s
BODIES = ("common", "random")
GAITS = ("auto", "walk", "run")
MOST_IN_SHARD = 100_000
KERNELS = ("locomote.human._kernels.step:step",)
_PLACE = re.compile(r"%0?\d*d")


@dataclass(frozen=True)
class Walks:
    """What walks are made; ranges are drawn from evenly, each person its own.

    Parameters
    ----------
    count : people
    speed : m/s, a number or (lowest, highest)
    turn_rate : rad/s, a number or (lowest, highest)
    seconds, fps : of each walk, and frames a second
    styles : "all" in turn, "random" for people who differ as recorded ones do, or names
    gait : "auto", "walk" or "run"
    bodies : "common", or "random" for people of both sexes, all ages and builds
    change : s after which each takes another speed and turn rate, about; 0 for never
    seed : another one makes other people
    shard : people in a file
    model : file of a model of one's own; the shipped one without it
    """

    count: int
    speed: float | tuple[float, float] = 1.4
    turn_rate: float | tuple[float, float] = 0.0
    seconds: float = 10.0
    fps: float = 30.0
    styles: str | tuple[str, ...] = "all"
    gait: str = "auto"
    bodies: str = "common"
    change: float = 0.0
    seed: int = 0
    shard: int = 1000
    model: Path | None = None

    def checked(self) -> Walks:
        """The same with ranges as pairs and paths that hold everywhere; what is wrong is an error."""
        from locomote.human._recording import check_seconds

        for name, least, most in (("count", 1, 10**9), ("shard", 1, MOST_IN_SHARD), ("seed", 0, 2**63)):
            value = getattr(self, name)
            if not (isinstance(value, int) and least <= value <= most):
                raise LocomoteError(f"{name} {value!r}: expected a whole number, {least} to {most}")
        for name, values in (("gait", GAITS), ("bodies", BODIES)):
            if getattr(self, name) not in values:
                raise LocomoteError(f"{name} {getattr(self, name)!r}: expected one of {', '.join(values)}")
        check_seconds(self.seconds, self.fps)
        if not (math.isfinite(self.change) and self.change >= 0.0):
            raise LocomoteError(f"change {self.change}: expected seconds, 0 or more")
        model = None if self.model is None else Path(self.model).absolute()
        styles = self.styles if isinstance(self.styles, str) else tuple(self.styles)
        if isinstance(styles, str) and styles not in ("all", "random"):
            styles = tuple(name.strip() for name in styles.split(","))
        if not isinstance(styles, str):
            for name in styles:
                model_of(model).weights(name)
        return replace(
            self,
            speed=_range("speed", self.speed, 0.0, MOST_SPEED),
            turn_rate=_range("turn_rate", self.turn_rate, *TURNS),
            styles=styles,
            model=model,
        )


def walk(
    output: str | os.PathLike[str],
    walks: Walks,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    again: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Batch:
    """Make labelled walks in shards: poses, contacts, events, phases, speeds, styles and bodies of many people.

    The bytes of a shard hang on its number and on what is asked for, not on workers, attempts, or how many there are
    in all. More people later go on from those that are there.

    Parameters
    ----------
    output : files with the place of the number, such as "out/shard-%05d.npz", or .parquet for tables
    walks : what is made
    workers : processes; one for each core without it
    cluster : address of a Dask scheduler, in place of processes here
    again : do also what was done before
    progress : called as shards are finished
    """
    pattern, asked = Path(output), walks.checked()
    extension = pattern.suffix.lower()
    if len(_PLACE.findall(pattern.name)) != 1 or pattern.name.count("%") != 1:
        raise LocomoteError(f"{output}: where does the number go? give a name such as shard-%05d.npz")
    if extension not in EXTENSIONS:
        raise LocomoteError(f"{output}: shards are written as {' or '.join(EXTENSIONS)}")
    needed(extension)
    options = {name: value for name, value in asdict(asked).items() if name != "count"}
    folder = pattern.parent
    jobs = []
    for number, first in enumerate(range(0, asked.count, asked.shard)):
        name, clips = pattern.name % number, min(asked.shard, asked.count - first)
        target = str((folder / name).absolute())
        jobs.append(Job(name, {"first": first, "clips": clips}, make_shard, (number, first, clips, target, options)))
    head = head_of("walk", {"to": extension, **options})
    return work_off(folder, head, jobs, Setup(workers, cluster, again, progress), KERNELS)


def make_shard(number: int, first: int, clips: int, target: str, options: Mapping[str, Any]) -> Entry:
    """What a worker does for one shard; whatever goes wrong is an outcome.

    Parameters
    ----------
    number : of the shard
    first, clips : number of its first person among all, and how many they are
    target : file to write, absolute
    options : of `Walks` besides their count, checked
    """
    from locomote.human import record_labelled

    walks = Walks(count=clips, **options)
    try:
        with _quiet():
            crowd, tell = _people(walks, number, first)
            made = record_labelled(crowd, walks.seconds, walks.fps, before=tell)
        made = replace(made, who=first + made.who)
        figures = write_shard(made, crowd, Path(target))
    except MemoryError:
        return failed(f"{clips} people for {walks.seconds:g} s do not fit into memory; put fewer into a shard")
    except LocomoteError as error:
        return failed(str(error))
    except Exception as error:  # a fault of ours must not stop the others
        return failed(f"{type(error).__name__}: {error}")
    return {"status": "done", "figures": figures}


def _people(walks: Walks, number: int, first: int) -> tuple[Crowd, Callable[[float], None] | None]:
    """The people of a shard, and who tells them something else now and then."""
    from locomote.human import Crowd, random_bodies

    model, count = model_of(walks.model), walks.count
    draw = np.random.default_rng([walks.seed, number])
    crowd_seed, body_seed = (int(each) for each in draw.integers(2**31, size=2))
    names = model.styles if walks.styles == "all" else walks.styles
    style = None if isinstance(names, str) else [names[(first + n) % len(names)] for n in range(count)]

    speed, turn = _range("speed", walks.speed, 0.0, MOST_SPEED), _range("turn_rate", walks.turn_rate, *TURNS)

    def drawn(many: int) -> tuple[FloatArray, FloatArray]:
        return draw.uniform(*speed, size=many), draw.uniform(*turn, size=many)

    speeds, turns = drawn(count)
    crowd = Crowd(
        model,
        count,
        seed=crowd_seed,
        style=None if style is None else np.array(style),
        body=random_bodies(count, body_seed) if walks.bodies == "random" else None,
        speed=speeds,
        gait=walks.gait,
        positions=np.zeros((count, 3)),
    )
    crowd.command(turn_rate=turns, within=0.0)
    if walks.change == 0.0:
        return crowd, None
    due = draw.uniform(0.0, walks.change, size=count)  # not all at once

    def tell(now: float) -> None:
        rows = np.flatnonzero(due <= now)
        if len(rows):
            new_speeds, new_turns = drawn(len(rows))
            crowd.command(speed=new_speeds, turn_rate=new_turns, who=rows)
            due[rows] += walks.change

    return crowd, tell


@lru_cache(maxsize=2)
def model_of(path: Path | None) -> HumanModel:
    """The model of a file, or the shipped one."""
    from locomote.human import HumanModel

    return HumanModel.default() if path is None else HumanModel.load(path)


def _range(name: str, value: float | tuple[float, float], low: float, high: float) -> tuple[float, float]:
    try:
        pair = (float(value), float(value)) if not isinstance(value, (tuple, list)) else tuple(map(float, value))
    except (TypeError, ValueError):
        pair = ()
    if len(pair) != 2 or not low <= pair[0] <= pair[1] <= high:
        raise LocomoteError(f"{name} {value!r}: expected a number or (lowest, highest) within {low:g} to {high:g}")
    return pair[0], pair[1]


@contextmanager
def _quiet() -> Iterator[None]:
    """Nothing is said of speeds that are out of the range of a body: labels tell what was done."""
    log = logging.getLogger("locomote.human")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(before)
