"""Walks and scenes: what was planned is what is walked, and a wrong scene is refused before anything moves."""

import math
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human._crowd import Crowd
from locomote.human._model import HumanModel
from locomote.human._recording import record_all
from locomote.human.scenes._path import Route
from locomote.human.scenes._scene import read_scene
from locomote.human.scenes._schedule import Ramps, Schedule, parse_schedule
from locomote.human.scenes._script import Plan, perform, walk
from locomote.human.scenes._tasks import RESTED
from locomote.world import Ground


@pytest.fixture(scope="module")
def model() -> HumanModel:
    return HumanModel.default()


def speed(text: str) -> Schedule:
    return parse_schedule(text, "speed", 0.0, 12.0)


def scene_of(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "scene.toml"
    path.write_text(text, encoding="utf-8")
    return path


def apart(motion: lm.Motion, file: Path) -> float:
    """Metres by which joints differ after writing and reading."""
    lm.save(motion, file)
    again = lm.load(file)
    order = [again.skeleton.index(name) for name in motion.skeleton.names]
    return float(np.abs(again.joint_positions()[:, order] - motion.joint_positions()).max())


def yaws(motion: lm.Motion) -> np.ndarray:
    return np.unwrap(rot.yaw(motion.rotations[:, 0]))


def test_the_way_is_the_area_under_the_schedule(model: HumanModel) -> None:
    motion = walk(model, Plan(speed("0:0,1:1.2,2:1.2,3:0"), seconds=3.5))
    assert len(motion) == 211
    way = motion.root_positions[-1] - motion.root_positions[0]
    assert way[2] == pytest.approx(2.4, abs=0.02)
    assert abs(way[0]) < 0.02


def test_a_schedule_becomes_ramps_that_meet_its_values() -> None:
    schedule = Schedule((0.5, 1.0, 3.0), (1.0, 2.0, 0.0))
    ramps = Ramps(schedule)
    assert ramps.due(0.0) is None
    assert ramps.due(0.5) == (2.0, 0.5)
    assert ramps.due(0.75) is None
    assert ramps.due(1.25) == (0.0, 1.75)  # a late frame still arrives in time
    assert ramps.due(3.0) == (0.0, 0.0)
    assert ramps.due(4.0) is None


def test_turn_rate_and_gait_over_time(model: HumanModel) -> None:
    plan = Plan(speed("2"), turn_rate=Schedule((0.0, 1.0, 2.0), (0.0, 0.5, 0.0)), seconds=3.0)
    motion = walk(model, plan)
    assert yaws(motion)[-1] - yaws(motion)[0] == pytest.approx(0.5, abs=0.15)  # the pelvis sways about it
    walking = walk(model, Plan(speed("2"), gait=Schedule((0.0,), (0.0,)), seconds=2.0))
    running = walk(model, Plan(speed("2"), gait=Schedule((0.0,), (1.0,)), seconds=2.0))
    assert lm.measure(walking).flight == 0.0
    assert lm.measure(running).flight > 0.05


def test_a_path_is_walked_from_its_first_point_to_its_last(model: HumanModel) -> None:
    route = Route(np.array([[1, 1], [1, 3], [2, 5], [4, 6.5], [6, 7]], dtype=float))
    motion = walk(model, Plan(speed("1.4"), route=route))
    spots = motion.root_positions[:, [0, 2]]
    assert max(route.distance(spot) for spot in spots[::4]) < 0.3
    assert np.hypot(*(spots[-1] - route.points[-1])) < 0.1
    at_rest = motion.root_positions[-round(0.5 * RESTED * motion.fps) :]
    assert np.ptp(at_rest, axis=0).max() < 0.01


def test_a_path_that_cannot_be_walked_is_an_error(model: HumanModel) -> None:
    with pytest.raises(LocomoteError, match="of the path are walked"):
        walk(model, Plan(speed("0"), route=Route(np.array([[0.0, 0.0], [0.0, 0.5]]))), fps=10.0)


def test_styles_change_when_told(model: HumanModel) -> None:
    first, second = model.styles[:2]
    plain = walk(model, Plan(speed("1.2"), styles=((0.0, first),), seconds=3.0))
    changed = walk(model, Plan(speed("1.2"), styles=((0.0, first), (1.5, second)), seconds=3.0))
    half = round(1.5 * plain.fps)
    assert np.array_equal(plain.rotations[:half], changed.rotations[:half])
    assert np.abs(plain.rotations[-1] - changed.rotations[-1]).max() > 1e-3


def test_the_same_seed_gives_the_same_bits(model: HumanModel) -> None:
    once, again, other = (walk(model, Plan(speed("1.3"), seconds=1.0), seed=s) for s in (3, 3, 4))
    assert np.array_equal(once.rotations, again.rotations)
    assert not np.array_equal(once.rotations, other.rotations)


def test_a_whole_crowd_is_recorded(model: HumanModel) -> None:
    legs = np.array([0.6, 0.9])
    crowd = Crowd(model, 2, leg_length=legs, speed=1.0)
    motions = record_all(crowd, 1.0, 30.0)
    assert [len(motion) for motion in motions] == [31, 31]
    assert [motion.skeleton.leg_length() for motion in motions] == pytest.approx(legs)
    now = crowd.poses.joint_positions()
    for n, motion in enumerate(motions):
        assert np.allclose(motion.joint_positions()[-1], now[n], atol=1e-4)


@pytest.mark.feature("PCA-093")
def test_the_specified_example_becomes_a_file(model: HumanModel, tmp_path: Path) -> None:
    a, b, c, d = model.styles[:4]
    scene = read_scene(
        scene_of(
            tmp_path,
            f"""fps = 25
[[character]]
[[character.action]]
do = "move"
speed = 1.2
gait = 0.0
turn_rate = 0.0
seconds = 10.2
style = {{"{a}" = 0.4, "{b}" = 0.6}}
[[character.action]]
do = "move"
transition = 2.0
speed = 1.8
gait = 1.0
turn_rate = 0.3
seconds = 4.0
style = {{"{b}" = 1.0, "{c}" = 0.7, "{d}" = 0.4}}
[[character.action]]
do = "jump"
jump = 1.4
[[character.action]]
do = "move"
speed = 1.8
gait = 1.0
seconds = 1.0
""",
        )
    )
    motion = perform(scene)[0]
    assert 17.0 < motion.duration < 25.0
    balls = motion.joint_positions()[:, [motion.skeleton.index(side + "ToeBase") for side in ("Left", "Right")]]
    height = balls[..., 1].min(axis=1)
    assert height[: round(16.2 * 25)].max() < 0.15 < height[round(16.2 * 25) :].max()
    before = motion.root_positions[255] - motion.root_positions[0]
    assert before[2] == pytest.approx(1.2 * 10.2, abs=0.15)
    assert apart(motion, tmp_path / "out.bvh") < 1e-3


@pytest.mark.feature("PCA-096")
@pytest.mark.parametrize("extension", [".bvh", ".glb", ".usda", ".npz"])
def test_what_was_written_is_read_back_to_a_millimetre(model: HumanModel, tmp_path: Path, extension: str) -> None:
    motion = walk(model, Plan(speed("0:0,1:3.5"), seconds=2.0), leg_length=0.8)
    assert apart(motion, tmp_path / f"walk{extension}") < 1e-3


def test_every_action_does_what_it_says(model: HumanModel, tmp_path: Path) -> None:
    text = f"""fps = 60
[[character]]
name = "all"
position = [1, 2]
heading = "90deg"
action = [
  {{ do = "stand", seconds = 0.5 }},
  {{ do = "walk", seconds = 1.5, transition = 0.5 }},
  {{ do = "turn", angle = "-90deg", seconds = 2 }},
  {{ do = "style", style = "{model.styles[0]}", seconds = 0.5 }},
  {{ do = "size", leg_length = 1.1, seconds = 0.5 }},
  {{ do = "run", speed = 3.0, seconds = 1 }},
  {{ do = "path", points = [[3, 8], [3, 12]], seconds = 1.0 }},
  {{ do = "walk", at = 12.0, heading = 1.0, speed = 1.0 }},
  {{ do = "stand", at = 16.0, seconds = 1.0 }},
]
"""
    motion = perform(read_scene(scene_of(tmp_path, text)))[0]
    assert motion.duration == pytest.approx(18.0)
    assert np.allclose(motion.root_positions[0, [0, 2]], [1.0, 2.0], atol=0.05)
    facing = yaws(motion)
    assert facing[0] == pytest.approx(math.pi / 2, abs=0.1)
    assert facing[round(4.75 * 60)] == pytest.approx(0.0, abs=0.2)
    assert facing[-1] == pytest.approx(1.0, abs=0.1)
    assert motion.translations is not None
    legs = np.linalg.norm(motion.translations[:, motion.skeleton.index("LeftLeg")], axis=1)
    assert legs[-1] / legs[0] == pytest.approx(1.1 / 0.9)


def test_a_walk_goes_over_ground_that_stays_as_it_was(model: HumanModel) -> None:
    ground = Ground(0.5)
    ground.add_slope((0.0, 1.0), length=2.0, angle=0.2, landing=3.0)
    ground.add_shuttle((5.0, 5.0), (1.0, 1.0), top=1.0, travel=(0.0, 0.3, 0.0), period=2.0)
    before = ground.arrays[0].copy()
    plan = Plan(speed("1"), seconds=4.5)
    on, level = walk(model, plan, ground=ground), walk(model, plan, ground=ground, feet=False)
    assert np.array_equal(ground.arrays[0], before)
    climbed = on.root_positions[-1, 1] - on.root_positions[0, 1]
    assert climbed == pytest.approx(2.0 * math.tan(0.2), abs=0.05)
    assert np.ptp(level.root_positions[:, 1]) < 0.1  # the body as it is, on the level of its first place
    assert level.root_positions[0, 1] == pytest.approx(on.root_positions[0, 1], abs=0.05)


def test_feet_are_turned_and_set_apart_as_planned(model: HumanModel) -> None:
    def tracks(**asked: object) -> tuple[float, float, float]:
        motion = walk(model, Plan(speed("1.2"), seconds=4.0, **asked))  # type: ignore[arg-type]
        foot, ball = (
            motion.joint_positions()[:, [motion.skeleton.index(side + part) for side in ("Left", "Right")]]
            for part in ("Foot", "ToeBase")
        )
        along = (ball - foot)[120:]
        left, right = np.median(np.arctan2(along[..., 0], along[..., 2]), axis=0)
        return left, -right, float(np.median(foot[120:, 0, 0] - foot[120:, 1, 0]))

    plain = tracks()
    turned = tracks(toe_out=(0.1, 0.3), wider=0.08)
    assert turned[0] - plain[0] == pytest.approx(0.1, abs=0.06)
    assert turned[1] - plain[1] == pytest.approx(0.3, abs=0.08)
    assert turned[2] - plain[2] == pytest.approx(0.16, abs=0.05)


GROUND = """[ground]
height = 0.2
[[ground.stairs]]
start = [0, 1]
count = 3
landing = 4.0
"""
CLIMBER = """[[character]]
action = [{ do = "walk", speed = 0.8, seconds = 4.0, toe_out = ["5deg", "10deg"], wider = 0.05 }]
"""


@pytest.mark.parametrize("apart", [False, True])
def test_a_scene_stands_on_its_ground(tmp_path: Path, apart: bool) -> None:
    text = GROUND + CLIMBER
    if apart:
        (tmp_path / "steps.toml").write_text(GROUND.replace("[ground]\n", "").replace("ground.", ""))
        text = 'ground = "steps.toml"\n' + CLIMBER
    scene = read_scene(scene_of(tmp_path, text))
    assert scene.ground is not None
    motion = perform(scene)[0]
    heights = motion.root_positions[[0, -1], 1]
    assert heights[1] - heights[0] == pytest.approx(3 * 0.17, abs=0.05)
    assert heights[0] > 1.0


def test_everybody_meets_moving_ground_at_the_same_time(tmp_path: Path) -> None:
    lift = "[[ground.shuttle]]\ncentre=[0, 0]\nsize=[9, 9]\ntop=1\ntravel=[0, 0.3, 0]\nperiod=2\n"
    person = '[[character]]\naction = [{ do = "stand", seconds = 1.0 }]\nstyle = "brisk"\n'
    scene = read_scene(scene_of(tmp_path, lift + person + person.replace("[[character]]", "[[character]]\nname='b'")))
    first, second = (motion.root_positions[:, 1] for motion in perform(scene))
    assert np.ptp(first) == pytest.approx(0.3, abs=0.05)
    assert np.allclose(first, second, atol=0.01)


BASE = '[[character]]\nname = "a"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fps = [", "not a TOML file"),
        ("fps = 60\n", r"\[\[character\]\]"),
        (BASE, r"\[\[action\]\]"),
        (
            "colour = 1\n" + BASE,
            "unknown key 'colour'; there are: fps, seed, model, ground, obstacle, character",
        ),
        (BASE + "hair = 1\n", "character 'a': unknown key 'hair'; there are: name, leg_length"),
        (BASE + 'action = [{do = "fly"}]', "action 1: do: expected one of stand, walk"),
        (BASE + 'action = [{do = "walk", seconds = 1, jump = 2}]', r"action 1 \(walk\): unknown key 'jump'"),
        (BASE + 'action = [{do = "walk"}]', "action 1: seconds: say how long the action walk lasts"),
        (BASE + 'action = [{do = "walk", seconds = -1}]', "action 1: seconds: expected a number from 0"),
        (BASE + 'action = [{do = "walk", seconds = "1"}]', "action 1: seconds: expected a number"),
        (BASE + 'action = [{do = "walk", seconds = 1, speed = 99}]', "speed: expected a number from 0 to 12"),
        (BASE + 'action = [{do = "walk", seconds = 1, style = "nobody"}]', "no style 'nobody'"),
        (BASE + 'style = 7\naction = [{do = "stand", seconds = 1}]', "style: expected a name"),
        (BASE + 'action = [{do = "move", seconds = 1, gait = "trot"}]', "gait: expected auto, walk, run"),
        (BASE + 'action = [{do = "walk", seconds = 1, turn_rate = 1, heading = 1}]', "exclude one another"),
        (BASE + 'action = [{do = "walk", seconds = 1, turn_rate = "400deg"}]', "turn_rate: 6.98 rad/s"),
        (BASE + 'action = [{do = "turn", seconds = 1}]', "angle: missing"),
        (BASE + 'action = [{do = "turn", seconds = 1, angle = 4}]', "angle: 4 rad needs 3 s"),
        (BASE + 'action = [{do = "path", points = [[0, 0]]}]', "at least two points"),
        (BASE + 'action = [{do = "path", points = [[0, 0], [1]]}]', r"point 2: expected \[x, z\]"),
        (BASE + 'action = [{do = "path", points = "none.csv"}]', "none.csv: no such file"),
        (BASE + 'action = [{do = "stand", at = 2, seconds = 1}]', "the first action begins at 0"),
        (
            BASE + 'action = [{do = "stand", seconds = 3}, {do = "walk", at = 2, seconds = 1}]',
            "action 2: at: 2 s is before the end of the last action at 3 s",
        ),
        (
            BASE
            + 'action = [{do = "path", points = [[0, 0], [1, 1]]}, {do = "walk", seconds = 1}, '
            + '{do = "stand", at = 9, seconds = 1}]',
            "at: what is before it ends when it is done",
        ),
        (BASE + 'position = [1]\naction = [{do = "stand", seconds = 1}]', "position: expected"),
        ('[[character]]\nname = "../x"\naction = [{do = "stand", seconds = 1}]', "can be a file name"),
        (
            2 * (BASE + 'action = [{do = "stand", seconds = 1}]\n'),
            "two are named 'a'",
        ),
        ("seed = -1\n" + BASE, "seed: expected a whole number"),
        ("ground = 3\n" + BASE, "ground: expected a table, or the name of a file, instead of 3"),
        ('ground = "none.toml"\n' + BASE, "none.toml: no such file"),
        ("[ground]\nstep = 1\n" + BASE, "the ground: unknown key 'step'; there are: height, terrain, box"),
        ("[[ground.stairs]]\nstart = [0, 0]\n" + BASE, "stairs 1: count: missing"),
        (BASE + 'action = [{do = "stand", seconds = 1, toe_out = 2}]', "toe_out: expected at most 0.8 rad"),
        (
            BASE + 'action = [{do = "stand", seconds = 1, toe_out = [1]}]',
            r"toe_out: expected an angle, or \[",
        ),
        (BASE + 'action = [{do = "stand", seconds = 1, toe_out = "out"}]', "toe_out: expected radians, or"),
        (BASE + 'action = [{do = "stand", seconds = 1, wider = 1}]', "wider: expected a number from -0.05"),
    ],
)
def test_a_wrong_scene_is_refused_with_the_place(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(LocomoteError, match=words) as error:
        read_scene(scene_of(tmp_path, text))
    assert "\n" not in str(error.value)
