"""Clips: loops that close, ways that come out and go back, names, foot events, and files that other readers take."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from locomote import load, save
from locomote import rotations as rot
from locomote.clips import Clip, clip_of, creature_clips, person_clips, save_clips, travel_of
from locomote.clips._clip import LIFT, STRIKE, events_of
from locomote.clips._creatures import _CLIPS, CREATURE_CLIPS, CreatureActor, play_creature
from locomote.clips._people import PERSON_CLIPS
from locomote.creatures import Creature, CreatureLeg
from locomote.errors import LocomoteError
from locomote.formats._gltf_document import parse
from locomote.motion import Motion
from tests.creatures.test_own_nodes import STAYS, armed
from tests.formats.gltf_judge import Judge

TENTH_OF_A_MILLIMETRE = 1e-4


@cache
def person() -> tuple[Clip, ...]:
    return tuple(person_clips(seed=3))


@cache
def dog() -> tuple[Clip, ...]:
    return tuple(creature_clips("dog"))


def one_sided(places: np.ndarray, fps: float) -> np.ndarray:
    """Velocities at the first of some places, from it and the three after it."""
    out: np.ndarray = (-11.0 * places[0] + 18.0 * places[1] - 9.0 * places[2] + 2.0 * places[3]) * fps / 6.0
    return out


def slip(clip: Clip, planted: np.ndarray, legs: Sequence[CreatureLeg]) -> float:
    """How far (m) the foot goes on the ground that goes farthest while it stands."""
    positions, turns = clip.travelling().world()
    worst = 0.0
    for i, leg in enumerate(legs):
        tip = positions[:, leg.joints[-1]] + rot.rotate(turns[:, leg.joints[-1]], leg.tip)
        stands = planted[:-1, i] & planted[1:, i]
        worst = max(worst, float(np.linalg.norm(np.diff(tip, axis=0), axis=1)[stands].sum()))
    return worst


def test_all_that_a_game_needs_is_there() -> None:
    assert {clip.name for clip in person()} == set(PERSON_CLIPS)
    assert {clip.name for clip in dog()} == set(CREATURE_CLIPS)
    assert {clip.name for clip in person() if clip.loop} == {"idle", "walk", "run", "walk_left", "walk_right"}
    by = {clip.name: clip for clip in person()}
    assert by["walk"].speed == pytest.approx(1.4, rel=0.01)
    assert by["run"].speed == pytest.approx(3.5, rel=0.02)
    assert by["turn_left"].travel.yaws[-1] == pytest.approx(np.pi / 2, abs=0.01)
    assert by["turn_right"].travel.yaws[-1] == pytest.approx(-np.pi / 2, abs=0.01)
    assert by["walk_left"].turn_rate > 0.5 > -0.5 > by["walk_right"].turn_rate
    rise = by["jump"].motion.joint_positions()[..., 1].min(axis=1)
    assert rise.max() - rise[0] > 0.05


@pytest.mark.parametrize("name", ["idle", "walk", "run", "walk_left", "walk_right"])
def test_loops_of_people_close_in_pose_and_velocity(name: str) -> None:
    clip = next(one for one in person() if one.name == name)
    places, fps = clip.motion.joint_positions(), clip.motion.fps
    assert np.abs(places[-1] - places[0]).max() < TENTH_OF_A_MILLIMETRE
    # Told from either side, without knowing that it is a loop.
    before, after = -one_sided(places[::-1], fps), one_sided(places, fps)
    fastest = np.linalg.norm(np.diff(places, axis=0), axis=-1).max() * fps
    assert np.linalg.norm(after - before, axis=-1).max() < 0.01 * max(fastest, 0.02)


@pytest.mark.parametrize("who", ["mouse", "spider", "wolf"])
def test_loops_of_creatures_close_in_pose_and_velocity(who: str) -> None:
    """Those of a mouse have ten frames: without more, velocities on both sides differ by a third of the fastest."""
    actor = CreatureActor(Creature.build(who))
    legs = actor.creature.morphology.legs
    for name in ("walk", "run", "walk_right"):
        footage = _CLIPS[name](actor)
        (clip,) = play_creature([name], actor)
        places, fps = clip.motion.joint_positions(), clip.motion.fps
        assert np.abs(places[-1] - places[0]).max() < TENTH_OF_A_MILLIMETRE
        fastest = np.linalg.norm(np.diff(places, axis=0), axis=-1).max() * fps
        off = np.linalg.norm(one_sided(places, fps) + one_sided(places[::-1], fps), axis=-1).max()
        assert off < 0.01 * fastest
        # No jolt is made for it, near the seam or at the ends of what changes, and feet that stand stay.
        raw = footage.cut().motion.joint_positions()
        steps = [np.pad(one[:-1], ((1, 1), (0, 0), (0, 0)), mode="wrap") for one in (places, raw)]
        jolts = [np.linalg.norm(np.diff(one, n=2, axis=0), axis=-1).max() for one in steps]
        assert jolts[0] < 1.1 * jolts[1]
        assert slip(clip, footage.stands, legs) < slip(footage.cut(), footage.stands, legs) + 5e-4


@pytest.mark.parametrize("name", ["walk", "run", "walk_left"])
def test_loops_of_creatures_go_on_as_the_creature_did(name: str) -> None:
    footage = _CLIPS[name](CreatureActor(Creature.build("dog")))
    clip = footage.cut()
    places, fps = clip.motion.joint_positions(), clip.motion.fps
    assert np.abs(places[-1] - places[0]).max() < TENTH_OF_A_MILLIMETRE
    # The loop's start moves as the recording does after the frame where the loop ends.
    seen = footage.travel.taken_out(footage.motion).joint_positions()[footage.start + footage.frames :]
    fastest = np.linalg.norm(np.diff(places, axis=0), axis=-1).max() * fps
    off = np.linalg.norm(one_sided(places, fps) - one_sided(seen, fps), axis=-1).max()
    assert off < 0.01 * fastest


def test_standing_feet_of_a_loop_stand() -> None:
    legs = Creature.build("dog").morphology.legs
    for clip in dog():
        if not clip.loop or clip.name == "idle":
            continue
        positions, turns = clip.travelling().world()
        for leg in legs:
            tip = positions[:, leg.joints[-1]] + rot.rotate(turns[:, leg.joints[-1]], leg.tip)
            mine = [event for event in clip.events if event.foot == leg.name]
            assert sorted(event.event for event in mine) == [LIFT, STRIKE]
            down = {event.event: round(event.time * clip.motion.fps) for event in mine}
            spans = [(down[STRIKE], down[LIFT])]
            if down[STRIKE] > down[LIFT]:
                spans = [(down[STRIKE], len(tip)), (0, down[LIFT])]
            for first, last in spans:
                assert np.ptp(tip[first:last], axis=0).max() < 1e-3


@pytest.mark.parametrize("name", ["robot", "centipede"])
def test_feet_of_a_circle_stand_over_the_seam(name: str) -> None:
    """No stride of them in a circle is like the next: without more, feet would shift by centimetres as they stand."""
    actor = CreatureActor(Creature.build(name))
    footage = _CLIPS["walk_left"](actor)
    (clip,) = play_creature(["walk_left"], actor)
    legs = actor.creature.morphology.legs
    assert slip(footage.cut(), footage.stands, legs) > 0.02
    assert slip(clip, footage.stands, legs) < 0.002
    assert np.abs(clip.motion.joint_positions()[-1] - clip.motion.joint_positions()[0]).max() < TENTH_OF_A_MILLIMETRE


def test_walk_begins_where_start_ends_and_where_stop_begins() -> None:
    places = {clip.name: clip.motion.joint_positions() for clip in person()}
    assert np.abs(places["start"][-1] - places["walk"][0]).max() < 2e-3
    assert np.abs(places["stop"][0] - places["walk"][0]).max() < 2e-3
    for name in ("stop", "jump", "turn_left"):
        assert np.abs(places[name][-1] - places[name][-2]).max() < 1e-3


def test_people_strike_left_and_right_in_turn() -> None:
    walk = next(clip for clip in person() if clip.name == "walk")
    strikes = [event.foot for event in walk.events if event.event == STRIKE]
    assert sorted(strikes) == ["left", "right"]
    feet = np.array([[True, False], [True, True], [False, True], [True, True], [True, False]])
    assert [tuple(e) for e in events_of(feet, ("a", "b"), 1.0, loop=True)] == [
        (0.0, "b", LIFT), (1.0, "b", STRIKE), (2.0, "a", LIFT), (3.0, "a", STRIKE),
    ]  # fmt: skip
    assert [tuple(e) for e in events_of(feet, ("a", "b"), 1.0, loop=False)] == [
        (1.0, "b", STRIKE), (2.0, "a", LIFT), (3.0, "a", STRIKE), (4.0, "b", LIFT),
    ]  # fmt: skip


def test_the_way_comes_out_and_goes_back() -> None:
    clip = next(one for one in person() if one.name == "walk_left")
    away = rot.from_yaw(1.0)
    motion = clip.travelling().moved(away, [3.0, 0.0, -2.0])
    travel = travel_of(motion)
    back = travel.put_back(travel.taken_out(motion))
    assert np.abs(back.joint_positions() - motion.joint_positions()).max() < 1e-9
    once = clip_of(motion)
    assert np.abs(once.motion.root_positions[:, [0, 2]]).max() < 0.1
    assert np.allclose(once.travel.places[0], 0.0)
    assert once.travel.yaws[-1] == pytest.approx(clip.travel.yaws[-1], abs=0.15)


def check_files(clips: tuple[Clip, ...], folder: Path, kept: int) -> None:
    """In place and root motion, as another reader sees them, are the same clips."""
    still, rooted = folder / "still.glb", folder / "rooted.glb"
    side = save_clips(clips, still)
    save_clips(clips, rooted, root_motion=True)
    told = json.loads(side.read_text(encoding="utf-8"))["clips"]
    assert [one["name"] for one in told] == [clip.name for clip in clips]
    judges = Judge(still), Judge(rooted)
    for judge in judges:
        judge.check_structure(kept + len(clips))
        assert [one.name for one in judge.file.animations[kept:]] == [clip.name for clip in clips]
    size = np.ptp(judges[0].skinned(None), axis=0).max() / 2.0
    for at, about in enumerate(told):
        extras = judges[0].file.animations[kept + at].extras
        assert extras["events"] == about["events"]
        assert extras["loop"] == about["loop"]
        for judge in judges:
            judge.animation = kept + at
        way = about["travel"]
        last = len(way["yaw"]) - 1
        for frame in (0, last // 3, last):
            moved = rot.rotate(rot.from_yaw(way["yaw"][frame]), judges[0].skinned(frame))
            moved += [way["x"][frame], 0.0, way["z"][frame]]
            assert np.abs(moved - judges[1].skinned(frame)).max() < TENTH_OF_A_MILLIMETRE * size
        if about["loop"]:
            assert np.abs(judges[0].skinned(0) - judges[0].skinned(last)).max() < TENTH_OF_A_MILLIMETRE * size


def test_files_of_a_person(tmp_path: Path) -> None:
    check_files(person(), tmp_path, 0)
    back = load(tmp_path / "still.glb", animation="run")
    wanted = next(clip for clip in person() if clip.name == "run").motion
    assert np.abs(back.joint_positions() - wanted.joint_positions()).max() < TENTH_OF_A_MILLIMETRE


@pytest.mark.parametrize("facing", [0.0, np.pi / 2])
def test_files_of_a_creature_of_a_rig(tmp_path: Path, facing: float) -> None:
    path = tmp_path / "hero.glb"
    armed(path, facing)
    clips = tuple(creature_clips(path, ["walk", "turn_left"]))
    check_files(clips, tmp_path, 1)
    before, after = (parse(file.read_bytes(), file).tree for file in (path, tmp_path / "still.glb"))
    for key in STAYS:
        assert before.get(key) == after.get(key)
    # The clips face where the rig does, as its own animations do.
    heads = []
    for file, animation in ((path, "bark"), (tmp_path / "still.glb", "walk")):
        posed = load(file, animation=animation, up="y")
        places, names = posed.joint_positions()[0], posed.skeleton.names
        heads.append(places[names.index("head")] - places[names.index("pelvis")])
    cosine = heads[0] @ heads[1] / np.linalg.norm(heads[0]) / np.linalg.norm(heads[1])
    assert cosine > 0.9
    assert json.loads((tmp_path / "rooted.clips.json").read_text())["clips"][0]["root"] in ("root", "Armature")


def test_a_person_on_a_rig(tmp_path: Path) -> None:
    rig = tmp_path / "rig.glb"
    walk = next(clip for clip in person() if clip.name == "walk").motion
    small = Motion(walk.skeleton, walk.fps, walk.root_positions[:1], walk.rotations[:1]).scaled(0.6)
    save(small, rig)
    clips = tuple(person_clips(["walk", "stop"], onto=rig, seed=3))
    check_files(clips, tmp_path, 1)
    legs = small.skeleton.leg_length()
    assert clips[0].speed == pytest.approx(1.4 * np.sqrt(legs / 0.9), rel=0.02)


@pytest.mark.parametrize("size", [0.1, 10.0])
def test_a_person_on_a_rig_of_another_unit(size: float) -> None:
    walk = next(clip for clip in person() if clip.name == "walk").motion
    (clip,) = person_clips(["walk"], onto=walk[:1].scaled(size), seed=3)
    assert len(clip.motion) == len(walk)
    assert clip.speed == pytest.approx(1.4 * size, rel=0.02)


def test_what_is_no_set_of_clips_is_refused(tmp_path: Path) -> None:
    walk = next(clip for clip in person() if clip.name == "walk")
    with pytest.raises(LocomoteError, match="no clip 'fly'"):
        person_clips(["fly"])
    with pytest.raises(LocomoteError, match="no clip to write"):
        save_clips([], tmp_path / "a.glb")
    with pytest.raises(LocomoteError, match="names that differ"):
        save_clips([walk, walk], tmp_path / "a.glb")
    with pytest.raises(LocomoteError, match="different bodies"):
        save_clips([walk, dog()[0]], tmp_path / "a.glb")
    with pytest.raises(LocomoteError, match=r"\.glb or \.gltf"):
        save_clips([walk], tmp_path / "a.bvh")
    with pytest.raises(LocomoteError, match="frames"):
        walk.travel.taken_out(walk.motion[:5])
