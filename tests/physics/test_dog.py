"""Simulated dogs as a crowd: poses and motions, commands, pushes, falls, and input that is refused."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote.creatures import Morphology
from locomote.errors import FormatError, LocomoteError, MissingExtra, SkeletonError
from locomote.physics._gait_library import GaitLibrary, TunedGait
from locomote.physics._gait_parameters import start_parameters
from locomote.physics._kernels import animal_model as am
from locomote.physics._repertoire import SKILLS
from locomote.world import Ground

pytest.importorskip("mujoco")

from locomote.physics import Animal, Dog
from locomote.physics._kernels.animal_legs import update_leg
from locomote.physics._simulation import Simulation

# The six gaits as the gait graphs of the source have them: landings of L1, R1, L2, R2 and share on the ground.
GRAPHS = {
    "walk": ((0.19, 0.69, 0.0, 0.5), 0.64, 0.75),
    "trot": ((0.5, 0.0, 0.0, 0.5), 0.47, 0.46),
    "pace": ((0.0, 0.5, 0.0, 0.5), 0.47, 0.46),
    "canter": ((0.28, 0.55, 0.0, 0.28), 0.42, 0.43),
    "gallop": ((0.45, 0.6, 0.0, 0.12), 0.35, 0.37),
    "rotary gallop": ((0.6, 0.45, 0.0, 0.12), 0.35, 0.37),
}


def gait_of(name: str, speed: float = 1.0) -> TunedGait:
    lands, duty, period = GRAPHS[name]
    graph = np.stack([(np.array(lands) - (1.0 - duty)) % 1.0, np.full(4, 1.0 - duty)], axis=1)
    return TunedGait(name, np.array([speed]), graph[None], start_parameters(period)[None])


@pytest.fixture
def dog() -> Dog:
    return Dog()


@pytest.mark.feature("QUA-01")
def test_the_dog_has_the_counts_and_heights_of_the_model_and_stands() -> None:
    sim = Simulation(Animal.of("dog"))
    assert sim.model.nbody - 1 == 30  # without the world
    assert sim.model.nv - 6 == 67  # without the root
    assert sim.model.body_mass.sum() == pytest.approx(34.0)
    assert sim.heights == pytest.approx([0.45, 0.47], abs=1e-6)
    dog = Dog()
    places, feet = dog._dogs[0].simulation.frames.copy(), dog.feet.copy()
    farthest = 0.0
    for _ in range(100):
        dog.step(0.1)
        farthest = max(farthest, float(np.abs(dog._dogs[0].simulation.frames - places).max()))
    assert farthest < 0.02
    assert np.abs(dog.feet - feet).max() < 0.02
    assert dog.states == ["standing"]
    assert dog.planted.all()
    assert dog.loads.sum() == pytest.approx(34.0 * 9.81, rel=0.05)


@pytest.mark.feature("QUA-02")
def test_gaits_are_the_same_after_a_file_and_as_gaits_of_creatures(tmp_path: Path) -> None:
    library = GaitLibrary({name: gait_of(name) for name in GRAPHS}, {"seed": 3})
    library.save(tmp_path / "gaits.npz")
    again = GaitLibrary.load(tmp_path / "gaits.npz")
    assert again.notes == {"seed": 3}
    assert list(again.gaits) == list(GRAPHS)
    phases = np.arange(0.0037, 1.0, 0.01)
    for name, (lands, duty, period) in GRAPHS.items():
        for what in ("speeds", "graphs", "params"):
            assert np.array_equal(getattr(again[name], what), getattr(library[name], what))
        assert again[name].at(1.0)[1][am.PERIOD] == pytest.approx(period)
        gait = again[name].gait(1.0)
        assert gait.duty()[0] == pytest.approx(np.full(4, duty))
        down = (phases[:, None] - np.array(lands)) % 1.0 < duty  # by the table: since a foot landed
        assert np.array_equal(gait.feet_down(phases), down.sum(axis=1))


@pytest.mark.feature("QUA-02")
@pytest.mark.parametrize("name", GRAPHS)
def test_legs_swing_and_stand_when_the_gait_says_so(name: str) -> None:
    lands, duty, _ = GRAPHS[name]
    sim = Simulation(Animal.of("dog"))
    graph, params = gait_of(name).at(1.0)
    sim.asked.legs[:, 0] = am.BY_GAIT
    for turn in np.arange(0.0012, 2.0, 0.004):
        since = (turn - np.array(lands)) % 1.0
        stands = since < duty
        sim.state.clock[0] = turn % 1.0
        sim.views.touch[:] = np.where(stands, 80.0, 0.0)  # N: the ground is where it is expected
        for leg in range(am.FEET):
            update_leg(sim.body, sim.views, graph, params, sim.asked, sim.state, leg, 0.001)
        if turn > 1.0:
            assert np.array_equal(sim.state.modes[:, 0] == 1, stands)
            phase = np.where(stands, 1.0 + since / duty, (since - duty) / (1.0 - duty))
            assert sim.state.legs[:, am.PHASE] == pytest.approx(phase)


@pytest.mark.feature("QUA-02")
def test_gaits_between_two_speeds_go_the_short_way_round() -> None:
    slow, fast = gait_of("trot", 1.0), gait_of("pace", 2.0)
    both = TunedGait(
        "mix", np.array([1.0, 2.0]), np.array([slow.graphs[0], fast.graphs[0]]), np.repeat(slow.params, 2, axis=0)
    )
    for speed, expected in ((0.0, slow.graphs[0]), (1.0, slow.graphs[0]), (2.0, fast.graphs[0]), (9.0, fast.graphs[0])):
        assert both.at(speed)[0] == pytest.approx(expected)
    begin = 0.97
    graphs = np.array([slow.graphs[0], slow.graphs[0]])
    graphs[0, 0, 0], graphs[1, 0, 0] = begin, 0.05
    wrapped = TunedGait("round", np.array([1.0, 2.0]), graphs, both.params)
    assert wrapped.at(1.5)[0][0, 0] == pytest.approx(0.01)


@pytest.mark.parametrize("name", ["wolf", "horse"])
def test_other_bodies_stand_with_the_same_controller(name: str) -> None:
    other = Dog(creature=name)
    before = other.positions
    other.step(3.0)
    assert not other.fallen[0]
    assert np.abs(other.positions - before).max() < 0.05 * other.heights.max()


def test_poses_and_motions_have_the_shape_of_any_crowd() -> None:
    dogs = Dog(3)
    poses = dogs.step(1 / 60)
    joints = len(dogs.animal.morphology.skeleton)
    assert len(dogs) == 3
    assert poses.root_positions.shape == (3, 3)
    assert poses.rotations.shape == (3, joints, 4)
    assert np.linalg.norm(poses.rotations, axis=-1) == pytest.approx(1.0)
    assert np.diff(dogs.positions[:, 0]) == pytest.approx([-2.0, -2.0], abs=0.01)  # on a row, the first to the left
    assert poses.joint_positions()[:, :, 1].min() > -0.01
    feet = dogs.feet
    assert feet.shape == (3, 4, 3)
    assert np.abs(feet[..., 1]).max() < 0.01
    assert np.all(feet[:, [0, 2], 0] > feet[:, [1, 3], 0])  # left is +X
    assert np.all(feet[:, :2, 2] > feet[:, 2:, 2])
    motion = dogs.record(0.5, 60.0, who=1)
    assert len(motion) == 31
    assert motion.name == "dog"
    assert motion.body is not None
    assert motion.root_positions[0] == pytest.approx(motion.root_positions[-1], abs=0.01)
    assert dogs.time == pytest.approx(0.5 + 1 / 60)


def test_dogs_go_on_their_own_and_the_same_seed_gives_the_same_bits() -> None:
    def play(seed: int) -> tuple[np.ndarray, Dog]:
        dogs = Dog(2, seed=seed)
        dogs.command(speed=[1.0, 0.0])
        for _ in range(60):
            poses = dogs.step(1 / 60)
        return np.concatenate([poses.root_positions.ravel(), poses.rotations.ravel()]), dogs

    first, dogs = play(1)
    again, _ = play(1)
    other, _ = play(2)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert dogs.positions[0, 2] > 0.15
    assert abs(dogs.positions[1, 2]) < 0.02
    alone = Dog(1, seed=1)
    alone.command(speed=1.0)
    for _ in range(60):
        poses = alone.step(1 / 60)
    assert poses.rotations[0] == pytest.approx(dogs.poses.rotations[0], abs=1e-6)  # only its place is another


@pytest.mark.parametrize("dt", [1 / 60, 0.0004, 0.037])
def test_no_time_is_lost_however_it_is_cut(dt: float) -> None:
    whole, cut = Dog(seed=4), Dog(seed=4)
    for dogs in (whole, cut):
        dogs.command(speed=1.0)
    seconds = 0.3
    whole.step(seconds)
    count = int(seconds / dt)
    for _ in range(count):
        cut.step(dt)
    cut.step(seconds - count * dt)
    assert cut._dogs[0].simulation.time == pytest.approx(whole._dogs[0].simulation.time, abs=1e-9)
    assert cut.poses.rotations == pytest.approx(whole.poses.rotations, abs=1e-9)
    assert cut.poses.root_positions == pytest.approx(whole.poses.root_positions, abs=1e-9)


def test_poses_lie_at_the_very_time_between_milliseconds(dog: Dog) -> None:
    sim = dog._dogs[0].simulation
    sim.data.qvel[0] = 0.5
    before = dog.poses.root_positions[0, 0]
    assert dog.step(0.0006).root_positions[0, 0] - before == pytest.approx(0.0003)


def test_commands_for_some_and_what_is_refused(dog: Dog) -> None:
    dogs = Dog(3)
    dogs.command(speed=[0.5, 0.7], who=[0, 2])
    assert [each.driver.speed for each in dogs._dogs] == [0.5, 0.0, 0.7]
    dogs.command(gait="trot", who=1)
    assert [each.driver.locked for each in dogs._dogs] == [None, "trot", None]
    for told, line in (
        ({"speed": np.nan}, "speed: nan is not a finite number"),
        ({"speed": [1.0, 2.0]}, "speed: shape"),
        ({"gait": "hop"}, "no gait 'hop'; the gaits are: .*trot"),
        ({"turn_rate": 0.1, "heading": 0.2}, "give one of them"),
        ({"speed": 1.0, "who": 3}, "characters 0 to 2"),
    ):
        with pytest.raises(LocomoteError, match=line):
            dogs.command(**told)
    for force, seconds, at in (
        ((np.nan, 0.0, 0.0), 0.1, "hips"),
        ((1.0, 2.0), 0.1, "hips"),
        ((1.0, 0.0, 0.0), -1.0, "hips"),
        ((1.0, 0.0, 0.0), 0.1, "nose"),
        ("hard", 0.1, "hips"),
    ):
        with pytest.raises(LocomoteError, match="push"):
            dog.push(force, seconds, at)
    for dt in (-0.1, np.nan, np.inf):
        with pytest.raises(LocomoteError, match="expected seconds, 0 or more"):
            dog.step(dt)
    with pytest.raises(LocomoteError, match="fps"):
        dog.record(1.0, 0.0)
    with pytest.raises(LocomoteError, match="there are dogs 0 to 0"):
        dog.record(1.0, who=2)


def test_bodies_and_worlds_that_are_refused(tmp_path: Path) -> None:
    for options, line in (
        ({"creature": "spider"}, "spider: a simulated animal has two pairs of legs, this one has 8"),
        ({"creature": "bird"}, "two pairs of legs, this one has 2"),
        ({"creature": "unicorn"}, "no such file, and no built-in creature"),
        ({"mass": -1.0}, "mass -1.0: expected kilograms"),
        ({"mass": np.nan}, "expected kilograms"),
        ({"friction": 0.0}, "friction"),
        ({"count": 0}, "count 0"),
    ):
        with pytest.raises(LocomoteError, match=line) as refused:
            Dog(**options)
        assert "\n" not in str(refused.value)
    with pytest.raises(SkeletonError):
        Dog(creature="spider")
    ground = Ground()
    ground.add_shuttle((0.0, 3.0), (1.0, 1.0), 0.2, (0.0, 0.0, 1.0), 2.0)
    with pytest.raises(LocomoteError, match="needs ground that rests"):
        Dog(ground=ground)
    (tmp_path / "no.npz").write_bytes(b"no library")
    with pytest.raises((FormatError, LocomoteError)):
        GaitLibrary.load(tmp_path / "no.npz")


def test_a_gait_without_stance_or_swing_is_refused() -> None:
    for swing in (0.0, 1.0, 1.2):
        good = gait_of("trot")
        graphs = good.graphs.copy()
        graphs[0, 2, 1] = swing
        with pytest.raises(LocomoteError, match="every foot must swing and stand"):
            TunedGait("trot", good.speeds, graphs, good.params)


def test_without_mujoco_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(MissingExtra, match=r"needs mujoco: pip install 'locomote\[physics\]'"):
        Dog()


def test_a_push_moves_it_and_a_hard_one_makes_it_fall_as_a_body(dog: Dog) -> None:
    dog.push((40.0, 0.0, 0.0), 0.1)
    dog.step(0.1)
    assert dog._dogs[0].simulation.state.speeds[1, 0] > 0.01  # to the left, as pushed
    dog.step(1.5)
    assert not dog.fallen[0]
    dog.push((800.0, 0.0, 0.0), 0.3)
    dog.step(1.5)
    assert dog.fallen[0]
    assert dog.states == ["fallen"]
    assert dog.heights.mean() < 0.25
    for _ in range(200):  # and gets up by itself
        dog.step(0.1)
        if dog.states == ["standing"]:
            break
    assert dog.states == ["standing"]
    assert dog.heights.mean() > 0.4
    assert dog.falls[0] == 1
    dog.push((800.0, 0.0, 0.0), 0.3)
    dog.step(1.0)
    dog.reset()
    assert not dog.fallen[0]
    dog.step(1.0)
    assert dog.states == ["standing"]
    assert np.abs(dog.positions[0, [0, 2]]).max() < 0.05


def test_numbers_that_make_no_sense_never_come_out(dog: Dog, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    dog.step(1.2)
    sim = dog._dogs[0].simulation
    with caplog.at_level(logging.WARNING, logger="locomote"):
        for bad in (np.nan, np.inf, 1e9):
            sim.data.qvel[7] = bad
            poses = dog.step(1 / 60)
            assert np.isfinite(poses.rotations).all()
            assert np.isfinite(poses.root_positions).all()
        sim.data.qpos[9] = np.nan
        assert np.isfinite(dog.step(1 / 60).rotations).all()
        sim.data.qvel[6:] = 290.0  # comes apart by itself
        assert np.isfinite(dog.step(0.05).rotations).all()
    assert dog.failures[0] >= 4
    assert len([each for each in caplog.records if each.name == "locomote"]) == 1  # the log of kernels is another
    assert "came apart" in caplog.text
    dog.step(1.0)
    assert dog.states == ["standing"]
    assert np.abs(dog.positions[0, [0, 2]]).max() < 0.1
    assert not Path("MUJOCO_LOG.TXT").exists()


def test_who_falls_out_of_the_world_is_put_back(caplog: pytest.LogCaptureFixture) -> None:
    ground = Ground.from_heights(np.zeros((21, 21)), 0.2, (-2.0, -2.0))
    dog = Dog(ground=ground)
    dog.step(1.2)
    sim = dog._dogs[0].simulation
    sim.data.qpos[2] += 4.0  # beyond the edge
    with caplog.at_level(logging.WARNING, logger="locomote"):
        dog.step(0.5)
        assert dog.fallen[0]
        for _ in range(20):
            dog.step(0.1)
            if dog.failures[0]:
                break
    assert dog.failures[0] == 1
    assert "fell out of the world" in caplog.text
    assert len([each for each in caplog.records if each.name == "locomote"]) == 1  # the log of kernels is another
    dog.step(0.5)
    assert dog.states == ["standing"]
    assert np.abs(dog.positions[0, [0, 2]]).max() < 0.1


def test_on_a_slope_it_begins_on_its_feet() -> None:
    ground = Ground.from_function(lambda x, z: 0.15 * z, (6.0, 6.0), 0.1)
    dog = Dog(ground=ground)
    dog.step(1.0)
    assert not dog.fallen[0]
    assert dog.failures[0] == 0


def test_a_heading_is_turned_to(dog: Dog) -> None:
    dog.command(speed=1.0)
    dog.step(1.0)
    dog.command(heading=0.5)
    dog.step(0.4)
    asked = dog._dogs[0].driver.course
    assert 0.1 < asked < 0.5
    dog.command(turn_rate=-0.2)
    dog.step(0.2)
    assert dog._dogs[0].driver.course == pytest.approx(asked - 0.04, abs=1e-6)


def test_who_stands_and_is_pushed_steps_and_comes_to_rest(dog: Dog) -> None:
    dog.step(0.5)
    dog.push((60.0, 0.0, 0.0), 0.1)
    states = set()
    for _ in range(160):
        dog.step(0.05)
        states |= set(dog.states)
        if states == {"standing", "going"} and dog.states == ["standing"] and abs(dog.speeds[0]) < 0.03:
            break
    assert states == {"standing", "going"}
    assert dog.states == ["standing"]


def test_skills_are_plugged_in_by_name(dog: Dog, monkeypatch: pytest.MonkeyPatch) -> None:
    class Crouch:
        """Lowers the body for half a second."""

        def __init__(self, by: float = 0.1) -> None:
            self.by, self.seconds = by, 0.0

        def prepare(self, driver, dt: float) -> bool:
            driver.simulation.asked.legs[:, 0] = am.STANDS
            driver.simulation.asked.frames[:, am.MORE_HEIGHT] = -self.by
            self.seconds += dt
            return self.seconds < 0.5

    monkeypatch.setitem(SKILLS, "sit", Crouch)
    monkeypatch.delitem(SKILLS, "lie", raising=False)
    high = dog.heights.mean()
    dog.sit()
    assert dog.states == ["sit"]
    dog.step(0.45)
    assert dog.heights.mean() < high - 0.05
    dog.step(1.0)
    assert dog.states[0] in ("standing", "going")  # the driver leads again
    assert dog.heights.mean() == pytest.approx(high, abs=0.03)
    with pytest.raises(LocomoteError, match=r"lie: no such skill; the skills are: .*sit"):
        dog.lie()
    with pytest.raises(LocomoteError, match="leap: height nan is not a finite number"):
        dog.leap(height=np.nan)


@pytest.mark.parametrize("ending", [".glb", ".bvh", ".npz"])
def test_what_it_does_is_kept_in_files(dog: Dog, tmp_path: Path, ending: str) -> None:
    dog.command(speed=1.0)
    motion = dog.record(0.5, 60.0)
    lm.save(motion, tmp_path / f"dog{ending}")
    again = lm.load(tmp_path / f"dog{ending}")
    assert len(again) == len(motion)
    places = {name: motion.joint_positions()[:, j] for j, name in enumerate(motion.skeleton.names)}
    for j, name in enumerate(again.skeleton.names):
        if name in places:
            assert again.joint_positions()[:, j] == pytest.approx(places[name], abs=2e-4)
    assert set(places) <= set(again.skeleton.names)


def test_any_rig_with_four_legs_has_weight(tmp_path: Path) -> None:
    from locomote.creatures import Creature

    wolf = Creature.build("wolf").morphology
    wolf.save(tmp_path / "wolf.npz")
    own = Dog(creature=Morphology.load(tmp_path / "wolf.npz"), mass=40.0)
    assert own.animal.masses.total == pytest.approx(40.0)
    still = lm.Motion(wolf.skeleton, 30.0, wolf.rest_pose[0][:1], wolf.skeleton.rest_rotations[None], body=wolf.body)
    lm.save(still, tmp_path / "wolf.glb")
    rig = Dog(creature=tmp_path / "wolf.glb")
    rig.step(0.5)
    assert not rig.fallen[0]
    assert rig.poses.skeleton.names == Creature.from_rig(tmp_path / "wolf.glb").morphology.skeleton.names
