"""Tails, antennae and abdomens swing behind creatures: alive, smooth, above the ground, and only they."""

from __future__ import annotations

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.creatures import Creature, Crowd
from locomote.creatures._appendages import FADE, Appendages
from locomote.errors import LocomoteError
from locomote.motion import Motion, Poses
from locomote.world import Ground

DT = 1.0 / 60.0


def going(name: str, seconds: float, count: int = 1, **options: object) -> Crowd:
    crowd = Crowd(name, count, **options)  # type: ignore[arg-type]
    for _ in range(round(seconds / DT)):
        crowd.step(DT)
    return crowd


def tail_tips(crowd: Crowd) -> np.ndarray:
    """The ends of the tails' bones in the world, ``(N, E, 3)``."""
    skeleton = crowd.poses.skeleton
    swing = set(crowd.appendages.joints)
    ends = [e for e, parent in enumerate(skeleton.end_parents) if int(parent) in swing]
    inner = [j for j in crowd.appendages.joints if int(skeleton.parents[j]) in swing]
    poses = crowd.poses
    positions, turns = Motion(skeleton, 60.0, poses.root_positions, poses.rotations).world()
    at = skeleton.end_parents[ends]
    last = positions[:, at] + rot.rotate(turns[:, at], skeleton.end_offsets[ends])
    return np.concatenate([positions[:, inner], last], axis=1)


def lift(crowd: Crowd) -> float:
    """How far, rad, the tail points up from straight down, from its root to its tip."""
    joints = crowd.creature.morphology.tail
    root = crowd.poses.joint_positions()[0, joints[0]]
    way = tail_tips(crowd)[0, -1] - root
    return float(np.arccos(-way[1] / np.linalg.norm(way)))


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("wolf", ("tail",)),
        ("lizard", ("tail",)),
        ("ant", ("abdomen", "antenna")),
        ("spider", ("abdomen", "palp")),
        ("centipede", ("antenna",)),
        ("robot", ()),
    ],
)
def test_what_swings_is_found_in_the_skeleton(name: str, parts: tuple[str, ...]) -> None:
    morphology = Creature.build(name).morphology
    appendages = Appendages(morphology, 1)
    assert appendages.names == parts
    legs = {j for leg in morphology.legs for j in leg.joints}
    assert not set(appendages.joints) & (legs | set(morphology.spine))


@pytest.mark.data
def test_the_parts_of_rigs_are_found_by_their_names(data: object) -> None:
    wolf = Creature.from_rig(f"{data}/rigs/quaternius_Wolf.glb")
    assert set(Appendages(wolf.morphology, 1).names) == {"tail", "ear"}
    person = Creature.from_rig(f"{data}/rigs/mesh2motion_human_skeleton.glb").morphology
    fingers = [j for j in Appendages(person, 1).joints if "index" in person.skeleton.names[j]]
    assert fingers == []


def test_a_wolf_lets_its_tail_hang_in_a_walk_and_stream_in_a_gallop_and_nothing_else_changes() -> None:
    standing, walking, galloping = (going("wolf", 2.0, speed=v) for v in (0.0, 1.2, 8.0))
    assert lift(standing) < lift(walking) < lift(standing) + 0.3
    assert lift(galloping) > lift(walking) + 0.3
    stiff = Crowd("wolf", speed=8.0)
    stiff.appendages.switch(False)
    for _ in range(120):
        stiff.step(DT)
    other = [j for j in range(len(stiff.poses.skeleton)) if j not in stiff.appendages.joints]
    assert np.array_equal(stiff.poses.rotations[:, other], galloping.poses.rotations[:, other])
    rest = stiff.creature.morphology.skeleton.rest_rotations
    assert np.array_equal(stiff.poses.rotations[0, list(stiff.appendages.joints)], rest[list(stiff.appendages.joints)])


def test_a_body_that_stops_or_turns_leaves_its_tail_behind_and_it_comes_to_rest() -> None:
    crowd = going("wolf", 1.0)
    rest = tail_tips(crowd)[0].copy()
    crowd.command(turn_rate=2.0)
    aside = 0.0
    for _ in range(40):
        crowd.step(DT)
        swing = crowd.poses.rotations[0, crowd.appendages.joints[0]]
        aside = max(aside, float(np.linalg.norm(rot.log(swing)[1:])))
    assert aside > 0.03
    crowd.command(turn_rate=0.0)
    for _ in range(240):
        crowd.step(DT)
    turned = tail_tips(crowd)[0] - crowd.poses.joint_positions()[0, 0]
    still = rot.rotate(rot.from_yaw(-float(crowd.headings[0])), turned)
    start = rest - going("wolf", 1.0).poses.joint_positions()[0, 0]
    assert np.max(np.abs(still - start)) < 0.02


@pytest.mark.parametrize("speed", [1.2, 6.0])
def test_beginning_in_mid_stride_flings_nothing(speed: float) -> None:
    crowd = Crowd("wolf", speed=speed)
    before = crowd.poses.rotations.copy()
    joints = list(crowd.appendages.joints)
    for _ in range(30):
        crowd.step(DT)
        moved = rot.angle(rot.multiply(rot.inverse(before[:, joints]), crowd.poses.rotations[:, joints]))
        assert np.max(moved) < 0.15
        before = crowd.poses.rotations.copy()


def test_who_is_put_elsewhere_takes_its_swings_along() -> None:
    crowd = going("wolf", 1.0, speed=5.0)
    appendages, maps = crowd.appendages, crowd.maps
    poses = Poses(crowd.poses.skeleton, crowd.poses.root_positions.copy(), crowd.poses.rotations.copy())
    joints = list(appendages.joints)
    before = poses.rotations[:, joints].copy()
    appendages.step(0.0, poses, maps)
    assert np.allclose(poses.rotations[:, joints], before, atol=1e-9)
    poses.root_positions[:] += [40.0, 0.0, -7.0]
    appendages.step(0.0, poses, maps)
    assert np.allclose(poses.rotations[:, joints], before, atol=1e-9)
    poses.root_positions[:] += [-90.0, 0.0, 0.0]
    for _ in range(5):
        was = poses.rotations[:, joints].copy()
        appendages.step(DT, poses, maps)
        turned = rot.angle(rot.multiply(rot.inverse(was), poses.rotations[:, joints]))
        assert np.max(turned) < 0.2
        poses.root_positions[:] += [0.0, 0.0, 5.0 * DT]


@pytest.mark.feature("LEG-68")
def test_switching_fades_without_a_jump() -> None:
    """No joint turns faster than it does at most while it swings freely, and than fading its lean takes."""
    crowd = going("wolf", 1.5, 2, speed=8.0, seed=3)
    joints = list(crowd.appendages.joints)
    rest = crowd.creature.morphology.skeleton.rest_rotations[joints]

    def lean() -> np.ndarray:
        return rot.angle(rot.multiply(rot.inverse(rest), crowd.poses.rotations[:, joints]))

    def turned() -> float:
        before = crowd.poses.rotations[0, joints].copy()
        crowd.step(DT)
        return float(np.max(rot.angle(rot.multiply(rot.inverse(before), crowd.poses.rotations[0, joints]))))

    free, leaning = 0.0, 0.0
    for _ in range(90):
        free, leaning = max(free, turned()), max(leaning, float(np.max(lean())))
    assert leaning > 0.2
    for on in (False, True):
        crowd.appendages.switch(on, "tail", who=0)
        for frame in range(round(FADE / DT) + 3):
            assert turned() < free + 1.5 * leaning * DT / FADE, (on, frame)
        assert (np.max(lean()[0]) < 1e-12) == (not on)
        assert np.max(lean()[1]) > 0.1  # the other goes on


def test_knobs_change_the_swing_and_wrong_ones_leave_it() -> None:
    soft, stiff = going("wolf", 0.1, speed=8.0), going("wolf", 0.1, speed=8.0)
    soft.appendages.set("tail", settling=1.5, drag=0.6)
    stiff.appendages.set("tail", settling=0.2, damping=1.0, limit=0.3)
    for _ in range(120):
        soft.step(DT)
        stiff.step(DT)
    assert lift(soft) > lift(stiff) + 0.3
    with pytest.raises(LocomoteError, match="those that do: tail"):
        soft.appendages.set("trunk", settling=1.0)
    before = soft.appendages.kinds["tail"]
    with pytest.raises(LocomoteError, match="damping"):
        soft.appendages.set("tail", damping=2.0)
    assert soft.appendages.kinds["tail"] == before


def test_tails_lie_on_the_ground_where_they_would_sink_into_it() -> None:
    ground = Ground()
    ground.add_stairs((0.0, 1.0), 5, rise=0.12, tread=0.4, width=6.0, landing=8.0)
    crowd = Crowd("lizard", speed=0.8, positions=(0.0, 5.0), heading=np.pi, ground=ground)
    stiff = Crowd("lizard", speed=0.8, positions=(0.0, 5.0), heading=np.pi, ground=ground)
    stiff.appendages.switch(False)
    depths, stiff_depths = [], []
    before = tail_tips(crowd)[0]
    for _ in range(420):
        for walker, sunk in ((crowd, depths), (stiff, stiff_depths)):
            walker.step(DT)
            tips = tail_tips(walker)[0]
            sunk.append(float(np.max(walker.maps.surface(tips[:, [0, 2]])[0] - tips[:, 1])))
        tips = tail_tips(crowd)[0]
        assert np.max(np.linalg.norm(tips - before, axis=-1)) < 0.12  # no leaps
        before = tips
    deep, stiff_deep = np.array(depths) > 0.02, np.array(stiff_depths) > 0.02
    assert np.mean(stiff_deep) > 0.2
    assert np.mean(deep) < 0.05
    runs = "".join("x" if d else " " for d in deep).split()
    assert max((len(run) for run in runs), default=0) <= 8  # out again within an eighth of a second


@pytest.mark.feature("LEG-57")
def test_three_trees_of_a_hundred_and_ten_swing_in_one_call_as_one_alone() -> None:
    crowd = Crowd("ant", 110, speed=np.linspace(0.2, 1.5, 110), seed=2)
    assert len({*crowd.appendages.names}) == 2
    assert len(crowd.appendages.joints) == 6
    chosen = (0, 42, 109)
    singles = [Appendages(crowd.creature.morphology, 1) for _ in chosen]
    joints = list(singles[0].joints)
    rest = crowd.creature.morphology.skeleton.rest_rotations[joints]
    most = np.zeros((110, len(joints)))  # rad that each swings from where its body would carry it
    for frame in range(60):
        crowd.step(DT)
        most = np.maximum(most, rot.distance(crowd.poses.rotations[:, joints], rest))
        for who, single in zip(chosen, singles, strict=True):
            poses = Poses(
                crowd.poses.skeleton,
                crowd.poses.root_positions[who : who + 1].copy(),
                crowd.poses.rotations[who : who + 1].copy(),
            )
            poses.rotations[:, joints] = rest
            single.step(DT, poses, crowd.maps)
            if frame >= 40:  # it knows nothing of how the crowd began
                np.testing.assert_allclose(poses.rotations[0, joints], crowd.poses.rotations[who, joints], atol=1e-3)
    assert most.min() > np.radians(0.2)  # everything swings, of every one
