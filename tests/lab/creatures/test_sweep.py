"""Creatures and rigs judged frame by frame, with seeds that follow from the version: others in every release."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import locomote
from locomote.creatures import Creature, Morphology
from locomote_lab.creatures.sweep import (
    FAST,
    JUMP,
    SLOW,
    Finding,
    faults,
    judge_changes,
    judge_crates,
    judge_stairs,
    judge_steady,
)
from locomote_lab.creatures.takes import take

SEED = zlib.crc32(locomote.__version__.encode())
ALL = ("spider", "ant", "crab", "centipede", "wolf", "horse", "lizard", "bird", "robot")
RIGS = (
    "khronos_Fox.glb",
    "quaternius_Cow.glb",
    "quaternius_Horse.glb",
    "quaternius_Wolf.glb",
    "mjcf/dm_ant.xml",
    "mjcf/spot.xml",
    "mjcf/go2.xml",
    "mjcf/a1.xml",
    "mjcf/anymal_c.xml",
    "mjcf/dm_dog.xml",
)
JUDGES = {"steady": judge_steady, "changes": judge_changes, "stairs": judge_stairs, "crates": judge_crates}
# What is not as it should be, by scene and body. With other seeds, as speeds change, also: the horse's trunk 4.4 % and
# head 4.2 %, go2 sinks to 0.80.
OPEN = {
    ("steady", "crab"): "head 3.7 %",
    ("steady", "centipede"): "trunk 3.5 %",
    ("changes", "bird"): "head 3.8 %, 15 m/s2",
    ("stairs", "bird"): "trunk 3.5 %",
    ("steady", "khronos_Fox.glb"): "head 3.5 %",
    ("changes", "khronos_Fox.glb"): "sinks to 0.879 where 0.88 is asked; 7 faults with 16 other seeds",
    ("crates", "khronos_Fox.glb"): "rolls 20.3 degrees",
    ("changes", "quaternius_Cow.glb"): "head 3.6 %, sinks to 0.56",
    ("stairs", "quaternius_Cow.glb"): "trunk 3.7 %, foot jumps 6 %",
    ("crates", "quaternius_Cow.glb"): "trunk 4.4 %, head 5.9 %",
    ("changes", "quaternius_Wolf.glb"): "trunk 3.1 %, head 3.9 %",
    ("crates", "quaternius_Wolf.glb"): "foot jumps 13 %",
    ("steady", "mjcf/dm_ant.xml"): "trunk 21.6 %",
    ("changes", "mjcf/dm_ant.xml"): "trunk 17.8 %",
    ("crates", "mjcf/dm_ant.xml"): "trunk 13.0 %",
    ("stairs", "mjcf/dm_dog.xml"): "trunk 4.5 %, head 4.5 %, 13.2 times the level acceleration",
}


def cases(bodies: tuple[str, ...]) -> list[object]:
    """Every body in every scene; those that are open are marked."""
    return [
        pytest.param(
            scene,
            body,
            marks=[pytest.mark.xfail(strict=False, reason=f"open: {OPEN[scene, body]}")]
            if (scene, body) in OPEN
            else [],
        )
        for scene in JUDGES
        for body in bodies
    ]


def judged(scene: str, creature: Creature) -> list[str]:
    judge: Callable[[Creature, int], list[Finding]] = JUDGES[scene]
    return faults(judge(creature, SEED))


@cache
def rig(path: Path) -> Creature:
    alike = path.name == "dm_ant.xml"  # front and back look alike
    return Creature.of(Morphology.from_rig(path, height=1.0, forward="+z" if alike else None))


@pytest.mark.parametrize(("scene", "body"), cases(ALL))
def test_nothing_jumps_sinks_or_is_thrown_about(scene: str, body: str) -> None:
    assert judged(scene, Creature.build(body)) == []


@pytest.mark.data
@pytest.mark.parametrize(("scene", "body"), cases(RIGS))
def test_no_rig_does(data: Path, scene: str, body: str) -> None:
    assert judged(scene, rig(data / "rigs" / body)) == []


@pytest.mark.parametrize(("body", "seed"), [("crab", 201), ("crab", 202)])
def test_a_foot_that_is_to_be_down_at_once_is_not_thrown_there(body: str, seed: int) -> None:
    """As it is told to go faster, a foot about to come down has further to go, and less time."""
    assert take(Creature.build(body), {0.0: SLOW, 2.0: FAST}, 3.0, seed).after(1.0).foot_jump() < JUMP


@pytest.mark.parametrize("seed", [401, 403])
def test_a_head_that_was_held_is_let_go_softly(seed: int) -> None:
    """As it is told to go faster, a bird ceases to hold its head; before and after that nothing is judged here."""
    seen = take(Creature.build("bird"), {0.0: SLOW, 2.0: FAST}, 2.1, seed).after(1.9)
    assert seen.head_jolt() < 4.0
