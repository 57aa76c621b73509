"""What is done with one motion: the work of the single verbs of the command line, and of `run` for many files."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from locomote.batch._contacts import EXTENSIONS as OF_CONTACTS
from locomote.batch._contacts import contacts_of, known_gait
from locomote.batch._reading import read, read_again, read_roles, worth_saying
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.measures import Measures
    from locomote.motion import Motion

READING = tuple(signature(read).parameters)[1:]  # options that say how a file is read
WRITING = {"rest": "rest", "order": "order", "write_unit": "unit"}  # options of a file to write: what `save` calls them
OF_RIG = ("rig_unit", "rig_up", "rig_roles")  # how the file of a rig is read


class Done(NamedTuple):
    """What became of one motion."""

    report: dict[str, Any]  # plain values, ready for JSON
    notes: tuple[str, ...]  # what a user must see, one line each


class Verb(NamedTuple):
    """One kind of work on a motion."""

    work: Callable[..., Done]  # (motion, target, **options)
    extensions: tuple[str, ...]  # of what it writes, the usual one first; none where that is a motion
    kernels: tuple[str, ...]  # "module:function" in which it spends its time
    files: tuple[str, ...] = ("roles",)  # options that name a file
    prepare: Callable[[dict[str, Any]], dict[str, Any]] = lambda options: options  # options as its work takes them
    more: Mapping[str, Any] = {}  # options besides those of its work and of `read`, and what they are unless given

    @property
    def options(self) -> dict[str, Any]:
        """All options with what they are unless given."""
        named = {**signature(self.work).parameters, **signature(read).parameters}
        inputs = ("motion", "target", "path", "options")
        own = {name: each.default for name, each in named.items() if name not in inputs}
        return {**own, **{name: value for name, value in self.more.items() if name not in inputs}}


def work_on(verb: Verb, source: Path, target: Path, options: Mapping[str, Any]) -> Done:
    """Read a file and do the work.

    Parameters
    ----------
    verb : the work
    source, target : the file, and the one to write
    options : of the verb, files as paths
    """
    motion = read(source, **{name: value for name, value in options.items() if name in READING})
    done = verb.work(motion, target, **own_options(verb, options))
    return done._replace(notes=(*worth_saying(motion), *done.notes))


def own_options(verb: Verb, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as the work takes them, with the files that it needs read.

    Parameters
    ----------
    verb : the work
    options : of the verb, files as paths
    """
    if options.get("roles") is not None:
        read_roles(options["roles"])
    own = verb.prepare(dict(options))
    return {name: value for name, value in own.items() if name not in READING}


def clean_motion(motion: Motion, target: Path, *, floor: float | None = None, keep_tpose: bool = False) -> Done:
    """Skating feet of a clip put right.

    Parameters
    ----------
    motion, target : the clip, and the file to write
    floor : m, the height of a level floor; found without it
    keep_tpose : keep a T pose that was put before the recording
    """
    from locomote.cleaning import clean
    from locomote.contacts import Floor
    from locomote.formats import save

    done = clean(motion, floor=None if floor is None else Floor(floor), keep_tpose=keep_tpose)
    save(done.motion, target)
    unchanged = (f"unchanged, {done.reason}",) if done.reason else ()
    return Done({"frames": len(done.motion), **done.as_dict()}, (*done.notes, *unchanged))


def measure_motion(
    motion: Motion, target: Path | None = None, *, against: Motion | None = None, keep_tpose: bool = False
) -> Done:
    """Every figure of a clip, also relative to another.

    Parameters
    ----------
    motion : the clip
    target : a JSON file to write, or none
    against : the clip to which it is compared
    keep_tpose : keep a T pose that was put before the recording
    """
    from locomote.measures import compare, measure, motion_distance

    figures = measure(motion, keep_tpose=keep_tpose)
    report = figures.as_dict()
    if against is not None:
        squared = motion_distance(motion, against)
        report["against"] = {
            "file": against.name,
            "motion_distance": squared,
            "motion_distance_degrees": math.degrees(math.sqrt(squared)),
            "figures": compare(figures, _figures(against, keep_tpose)),
        }
    if target is not None:
        write_json(report, target)
    return Done(report, figures.notes)


@lru_cache(maxsize=2)
def _figures(motion: Motion, keep_tpose: bool) -> Measures:
    """Those of a clip to which many are compared."""
    from locomote.measures import measure

    return measure(motion, keep_tpose=keep_tpose)


def contacts_motion(
    motion: Motion,
    target: Path | None = None,
    *,
    gait: str = "auto",
    floor: float | None = None,
    keep_tpose: bool = False,
) -> Done:
    """Where and when the feet of a clip touch the ground.

    Parameters
    ----------
    motion : the clip
    target : a .json or .npz file to write, or none
    gait : "auto", "walk" or "run"
    floor : m, the height of a level floor; found without it
    keep_tpose : keep a T pose that was put before the recording
    """
    return Done(*contacts_of(motion, target, gait, floor, keep_tpose))


def retarget_motion(
    motion: Motion,
    target: Path,
    *,
    rig: Motion,
    feet: bool = True,
    scale: float | None = None,
    froude: bool | None = None,
) -> Done:
    """A clip put onto another rig.

    Parameters
    ----------
    motion, target : the clip, and the file to write
    rig : anything with a skeleton
    feet : keep planted feet where the motion plants them
    scale : of the travel; the ratio of the legs without it
    froude : slow large bodies down and hurry small ones
    """
    from locomote.formats import save
    from locomote.retargeting import retarget

    result = retarget(motion, rig, feet=feet, scale=scale, froude=froude)
    save(result, target)
    notes = tuple(f"the rig: {note}" for note in worth_saying(rig))
    return Done({"frames": len(result), "fps": result.fps, "joints": len(result.skeleton)}, notes)


def convert_motion(motion: Motion, target: Path, **options: Any) -> Done:
    """A clip in another format, perhaps cut, resampled or scaled.

    Parameters
    ----------
    motion, target : the clip, and the file to write
    options : of `converted` and `written_as`
    """
    from locomote.formats import save

    writing = written_as(**{name: options.pop(name) for name in WRITING if name in options})
    motion = converted(motion, **options)
    save(replace(motion, name=motion.name or target.stem), target, **writing)
    return Done({"frames": len(motion), "fps": motion.fps, "joints": len(motion.skeleton)}, ())


def converted(
    motion: Motion,
    *,
    fps: float | None = None,
    start: float | None = None,
    end: float | None = None,
    scale: float | None = None,
) -> Motion:
    """A motion cut, resampled and scaled.

    Parameters
    ----------
    motion : any
    fps : frames a second to resample to
    start, end : s, what is before and after is left out
    scale : how many times as large the body becomes
    """
    motion = _cut(motion, start, end)
    motion = motion if fps is None else motion.resampled(fps)
    return motion if scale is None else motion.scaled(scale)


def written_as(**writing: Any) -> dict[str, Any]:
    """Options of `save`, of ``rest``, ``order`` and ``write_unit`` of a BVH file to write."""
    return {WRITING[name]: value for name, value in writing.items() if value is not None}


def _cut(motion: Motion, start: float | None, end: float | None) -> Motion:
    if start is None and end is None:
        return motion
    first = 0 if start is None else round(start * motion.fps)
    last = len(motion) if end is None else round(end * motion.fps) + 1
    if first >= min(last, len(motion)):
        till = "the end" if end is None else f"{end:g}"
        raise LocomoteError(f"no frames between {start or 0:g} and {till} s: the file lasts {motion.duration:.2f} s")
    return motion[first:last]


def write_json(report: dict[str, Any], target: Path) -> None:
    """A report as a file."""
    from locomote.formats._files import atomic_path

    with atomic_path(target) as temporary:
        temporary.write_text(json.dumps(report, indent=2, allow_nan=False) + "\n", encoding="utf-8")


def _with_other(options: dict[str, Any]) -> dict[str, Any]:
    if options.get("against") is not None:
        reading = {name: options[name] for name in READING if name in options and name != "animation"}
        options["against"] = read_again(options["against"], **reading)
    return options


def _with_rig(options: dict[str, Any]) -> dict[str, Any]:
    of_rig = {name.removeprefix("rig_"): options.pop(name) for name in OF_RIG if name in options}
    options["rig"] = read_again(options["rig"], **of_rig)
    return options


_FK, _IK = "locomote.math.fk:forward_kinematics", "locomote.math.two_bone:two_bone_ik"

VERBS: dict[str, Verb] = {
    "clean": Verb(clean_motion, (), (_FK, _IK)),
    "measure": Verb(measure_motion, (".json",), (_FK,), ("roles", "against"), _with_other),
    "contacts": Verb(contacts_motion, OF_CONTACTS, (_FK,), prepare=known_gait),
    "retarget": Verb(retarget_motion, (), (_FK, _IK), ("roles", "rig", "rig_roles"), _with_rig, dict.fromkeys(OF_RIG)),
    "convert": Verb(convert_motion, (), (), more=dict.fromkeys((*signature(converted).parameters, *WRITING))),
}
