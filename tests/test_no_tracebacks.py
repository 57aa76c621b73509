"""Any rig and any clip: every public function does its work or refuses in one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import locomote as lm
from locomote import rotations as rot
from locomote.contacts import detect
from locomote.errors import LocomoteError
from locomote.human.fitting._importing import import_motion
from locomote.measures import motion_distance
from locomote.motion import Motion
from locomote.skeleton import Skeleton
from tests import made_rigs as made
from tests.roles.bodies import human, many_legs

EXAMPLES = max(25, settings().max_examples // 2)
WALK = made.walker(1.0)
STILTS = ("leg_*", "pelvis", (0.1, 0.9, 0.0)), ("foot_*", "leg_*", (0.1, 0.0, 0.0))
BODIES = [
    *(skeleton for skeleton, _ in {**made.ROBOTS, **made.PEOPLE}.values()),
    human("mixamo")[0],
    human("silent")[0],
    made.robot_dog(("HIP", "THIGH", "SHANK")),
    made.trotting(0.1).skeleton,
    many_legs(3),
    WALK.skeleton,
    made.built((*made.MIDDLE, *STILTS)),
    made.built((*made.MIDDLE, *made.LEG[:2])),
    Skeleton(("a",), np.array([-1]), np.zeros((1, 3))),
]


def drawn_body(rng: np.random.Generator) -> Skeleton:
    """One of the bodies, perhaps with limbs cut off, bones without length, in another unit or with other axes."""
    body = BODIES[rng.integers(len(BODIES))]
    keep = np.ones(len(body), dtype=bool)
    for joint in rng.integers(0, len(body), rng.choice([0, 0, 1, 2, 4])):
        if joint > 0:
            keep[[k for k in range(len(body)) if joint in body.ancestors(k)]] = False
    kept = np.flatnonzero(keep)
    new = {int(j): i for i, j in enumerate(kept)}
    offsets = body.offsets[kept].copy()
    if rng.random() < 0.3:
        offsets[rng.integers(len(kept))] = 0.0
    if rng.random() < 0.2:
        offsets *= 10.0 ** rng.uniform(-3.0, 3.0)
    if rng.random() < 0.2:
        offsets = offsets[:, [0, 2, 1]]
    ends = [k for k, parent in enumerate(body.end_parents) if int(parent) in new]
    return Skeleton(
        tuple(body.names[j] for j in kept),
        np.array([new.get(int(body.parents[j]), -1) for j in kept]),
        offsets,
        end_parents=np.array([new[int(body.end_parents[k])] for k in ends], dtype=np.int64),
        end_offsets=body.end_offsets[ends].reshape(-1, 3),
    )


def drawn_clip(rng: np.random.Generator) -> Motion:
    """Frames of a body that stands, flies, hops, drifts or is shaken: from one of them to a second or more."""
    body = drawn_body(rng)
    count, fps, kind = int(rng.choice([1, 2, 3, 5, 20, 90])), float(rng.choice([10, 30, 120])), rng.integers(5)
    time = np.arange(count) / fps
    roots = np.tile(body.offsets[0], (count, 1))
    turns = np.tile(body.rest_rotations, (count, 1, 1))
    if kind == 1:
        roots = roots + np.stack([0.0 * time, 5.0 + 0.0 * time, time], axis=1)
    elif kind == 2:
        roots = roots + np.cumsum(0.1 * rng.normal(size=(count, 3)), axis=0)
    elif kind == 3:
        roots = roots + np.stack([0.0 * time, 0.3 * np.abs(np.sin(6.0 * time)), 1.2 * time], axis=1)
    if kind >= 2:
        shaken = rng.normal(scale=0.1 if kind < 4 else 1.0, size=(count, len(body), 3))
        turns = rot.multiply(turns, rot.exp(shaken))
    return Motion(body, fps, roots, turns, name="made")


def works(clip: Motion, other: Motion, folder: Path) -> Iterator[Callable[[], object]]:
    def through(name: str, **options: str) -> Callable[[], object]:
        def save_and_load() -> Motion:
            lm.save(clip, folder / name, **options)
            return lm.load(folder / name)

        return save_and_load

    yield lambda: detect(clip)
    yield lambda: lm.measure(clip).as_dict()
    yield lambda: lm.clean(clip)
    yield lambda: lm.retarget(clip, other)
    yield lambda: lm.retarget(WALK, other)
    yield lambda: lm.retarget(clip, WALK, feet=False)
    yield lambda: import_motion(clip)
    yield through("clip.bvh")
    yield through("clip.glb")
    yield through("tpose.bvh", rest="tpose")
    yield from more_works(clip, other, folder)


def more_works(clip: Motion, other: Motion, folder: Path) -> Iterator[Callable[[], object]]:
    """What else takes a motion or a rig."""
    body = clip.skeleton
    for ending in ("npz", "usda", "lmz", "vrma"):
        yield partial(lm.save, clip, folder / f"clip.{ending}")
    yield lambda: lm.clips.save_clips([lm.clips.clip_of(clip)], folder / "clips.glb", root_motion=True)
    yield lambda: lm.draw.strobe(clip, size=(80, 60))
    yield lambda: lm.draw.frame_together([clip, other], 0.0, size=(80, 60))
    yield lambda: lm.draw.save_player(clip, folder / "player.html")
    yield lambda: lm.physics.forces(clip)
    yield lambda: lm.pendulums.overlay(clip)
    yield lambda: lm.pendulums.Tree.from_skeleton(body)
    yield lambda: lm.human.mannequin(body)
    yield lambda: lm.modal.Modes.of(body)
    yield lambda: lm.spaces.PoseSpace.fit(clip)
    yield lambda: lm.spaces.SegmentedSpace.fit(clip)
    yield lambda: lm.spaces.Tracks.encode(clip, 4)
    yield lambda: lm.spaces.Library.of([clip])
    yield lambda: lm.spaces.quality(clip, other)
    yield lambda: lm.steps.plan_from_motion(clip)
    yield lambda: motion_distance(clip, other)


@pytest.mark.filterwarnings("default::RuntimeWarning")
@given(st.integers(0, 2**32 - 1))
@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rigs_and_clips_are_worked_on_or_refused_in_one_line(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    clip, other = drawn_clip(rng), drawn_clip(rng)
    refusals = []
    for work in works(clip, other, tmp_path):
        try:
            work()
        except LocomoteError as refused:
            refusals.append(str(refused))
    assert not any("\n" in refusal for refusal in refusals)


TAKES: dict[str, Callable[[Any], object]] = {
    "detect": lm.contacts.detect,
    "fit_floor": lm.contacts.fit_floor,
    "foot_points": lm.contacts.foot_points,
    "measure": lm.measure,
    "motion_distance": lambda wrong: motion_distance(wrong, WALK),
    "clean": lm.clean,
    "retarget": lambda wrong: lm.retarget(wrong, WALK),
    "retarget onto": lambda wrong: lm.retarget(WALK, wrong),
    "save": lambda wrong: lm.save(wrong, "never.bvh"),
    "load": lm.load,
    "clip_of": lm.clips.clip_of,
    "travel_of": lm.clips.travel_of,
    "save_clips": lambda wrong: lm.clips.save_clips(wrong, "never.glb"),
    "save_clips of": lambda wrong: lm.clips.save_clips([wrong], "never.glb"),
    "frame": lambda wrong: lm.draw.frame(wrong, 0),
    "strobe": lm.draw.strobe,
    "sheet": lm.draw.sheet,
    "film": lambda wrong: lm.draw.film(wrong, "never.webp"),
    "frame_together": lambda wrong: lm.draw.frame_together(wrong, 0.0),
    "save_player": lambda wrong: lm.draw.save_player(wrong, "never.html"),
    "forces": lm.physics.forces,
    "follow": lm.pendulums.follow,
    "overlay": lm.pendulums.overlay,
    "reacting": lm.pendulums.reacting,
    "Tree": lm.pendulums.Tree.from_skeleton,
    "Masses": lm.Masses.of,
    "mannequin": lm.human.mannequin,
    "Modes": lm.modal.Modes.of,
    "PoseSpace": lm.spaces.PoseSpace.fit,
    "SegmentedSpace": lm.spaces.SegmentedSpace.fit,
    "Tracks": lambda wrong: lm.spaces.Tracks.encode(wrong, 4),
    "quality": lambda wrong: lm.spaces.quality(wrong, WALK),
    "compression_loss": lambda wrong: lm.spaces.compression_loss(wrong, WALK),
    "Library": lm.spaces.Library.of,
    "Library of": lambda wrong: lm.spaces.Library.of([wrong]),
    "fit_basis": lambda wrong: lm.spaces.fit_basis([wrong]),
    "PoseDatabase": lambda wrong: lm.spaces.PoseDatabase.of([wrong]),
    "pose_space": lm.spaces.pose_space,
    "edit": lambda wrong: lm.spaces.edit(wrong, []),
    "plan_from_motion": lm.steps.plan_from_motion,
}


@pytest.mark.parametrize("name", TAKES)
@pytest.mark.parametrize("wrong", ["walk.bvh", None, 3, {"a": 1}], ids=["path", "none", "number", "mapping"])
def test_wrong_types_are_told_what_would_be_right(name: str, wrong: object) -> None:
    with pytest.raises(LocomoteError) as refused:
        TAKES[name](wrong)
    assert "\n" not in str(refused.value)
