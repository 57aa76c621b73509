"""Creatures on any ground: slopes, stairs, hills and crates, some of which move, rise, appear and vanish."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from locomote.creatures import Creature, Crowd
from locomote.rotations import FloatArray
from locomote.world import Ground, Maps, Obstacles
from tests.creatures.walkers import body_clearance, errors, highest_sunk, tips, walker

DT = 1.0 / 60.0


def four_grounds() -> tuple[Ground, Obstacles]:
    """Level ground, a slope, stairs, and hills with crates, 20 m apart along x."""
    rng = np.random.default_rng(4)
    hills = Ground.rough(seed=2, size=(16.0, 30.0), amplitude=0.12, feature=1.5)
    heights = hills.heights(np.stack(np.meshgrid(np.linspace(-8, 8, 161), np.linspace(-15, 15, 301)), axis=-1))
    raster = np.zeros((301, 801))
    raster[:, 640:] = heights
    ground = Ground.from_heights(raster, 0.1, (-10.0, -15.0))
    ground.add_slope((20.0, -3.0), 6.0, np.radians(20.0), width=6.0, landing=20.0)
    ground.add_stairs((40.0, -3.0), 6, rise=0.1, tread=0.35, width=6.0, landing=20.0)
    obstacles = Obstacles()
    for _ in range(120):
        place = rng.uniform([55.0, -12.0], [69.0, 12.0])
        if np.hypot(place[0] - 62.0, place[1] + 8.0) < 1.5:
            continue  # where a creature begins
        size = rng.uniform(0.2, 0.5, 2)
        obstacles.add_box(place, size, rng.uniform(0.05, 0.2), rng.uniform(0.0, 3.0), safe=bool(rng.random() < 0.6))
    return ground, obstacles


STARTS = np.array([[0.0, -8.0], [20.0, -8.0], [40.0, -8.0], [62.0, -8.0]])


@pytest.mark.feature("LEG-02")
@pytest.mark.parametrize("legs", range(1, 13))
def test_any_number_of_legs_and_bones_over_any_ground(legs: int) -> None:
    """20 s on four grounds for legs of 2 to 6 bones: nothing breaks, slips, sinks in or bends too far."""
    for bones in range(2, 7):
        creature = walker(legs, bones)
        maps = Maps(*four_grounds(), creature.cell)
        crowd = Crowd(creature, 4, speed=0.45, positions=STARTS, maps=maps)
        stood, places = crowd.planted, crowd.feet
        for frame in range(1200):
            crowd.step(DT)
            assert np.all(np.isfinite(crowd.poses.rotations)), (legs, bones, frame)
            held = stood & crowd.planted
            stood = crowd.planted
            places = np.where(held[..., None], places, crowd.feet)  # where each came down
            slip = np.linalg.norm(crowd.feet - places, axis=-1)
            assert slip.max() < 1e-3, (legs, bones, frame)
            assert np.all(errors(crowd)[stood] < 1e-6), (legs, bones, frame, errors(crowd).max())
            if frame % 4 == 0:
                assert highest_sunk(crowd) < 1e-3, (legs, bones, frame)
            if frame % 60 == 59:
                now = tips(crowd)
                assert np.all(np.linalg.norm(now - crowd.feet, axis=-1)[stood] < 1e-5)
                assert body_clearance(crowd) > -1e-6, (legs, bones, frame)
        assert crowd.positions[0, 2] - STARTS[0, 1] > 0.9 * 20.0 * 0.45, (legs, bones)
        assert np.all(crowd.positions[:, 2] - STARTS[:, 1] > 1.0), (legs, bones, crowd.positions)


def crate_field(seed: int, count: int = 150, moving: float = 0.4) -> Obstacles:
    rng = np.random.default_rng(seed)
    obstacles = Obstacles()
    for _ in range(count):
        place = rng.uniform(-6.0, 6.0, 2)
        if min(np.hypot(*place), np.hypot(place[0] + 3.0, place[1])) < 1.2:
            continue  # where creatures begin
        moves = rng.random() < moving
        obstacles.add_box(
            place,
            rng.uniform(0.2, 0.5, 2),
            rng.uniform(0.05, 0.3),
            rng.uniform(0.0, 3.0),
            velocity=rng.uniform(-0.15, 0.15, 2) if moves else (0.0, 0.0),
            turn_rate=rng.uniform(-0.3, 0.3) if moves else 0.0,
            safe=bool(rng.random() < 0.5),
        )
    return obstacles


@pytest.mark.feature("LEG-10", "LEG-18")
def test_a_spider_among_crates_steps_on_safe_ones_only() -> None:
    obstacles = crate_field(7, moving=0.0)
    crowd = Crowd("spider", 1, speed=0.5, positions=(-3.0, 0.0), obstacles=obstacles)
    crowd.command(turn_rate=0.15)
    on_crates = 0
    for frame in range(3600):
        before = crowd.planted[0].copy()
        crowd.step(DT)
        assert highest_sunk(crowd) < 1e-3
        assert np.all(errors(crowd)[crowd.planted] < 1e-6)
        if frame % 10 == 0:
            assert body_clearance(crowd) > -1e-6
        for foot in np.flatnonzero(crowd.planted[0] & ~before):
            inside = obstacles.inside(crowd.feet[0, foot])
            if inside:
                on_crates += 1
                assert crowd.maps.arrays.things[crowd._feet["anchor"]["support"][0, foot], 6] == 1.0
    assert on_crates > 10


@pytest.mark.feature("LEG-23")
def test_a_spider_crosses_no_leg_in_a_minute_over_hills() -> None:
    crowd = Crowd("spider", 1, speed=0.6, ground=Ground.rough(seed=8, amplitude=0.2, feature=1.5))
    crossings = 0
    for frame in range(3600):
        if frame % 240 == 0:
            crowd.command(turn_rate=0.4 * np.sin(frame))
        crowd.step(DT)
        crossings += _crossings(crowd)
    assert crossings == 0


def _crossings(crowd: Crowd) -> int:
    """Pairs of legs that cross in the plan, those that swing as well."""
    hips, feet = crowd._places[0, :, 0][:, [0, 2]], crowd.feet[0][:, [0, 2]]
    return sum(_cross(hips[a], feet[a], hips[b], feet[b]) for a, b in combinations(range(len(feet)), 2))


def _cross(a: FloatArray, b: FloatArray, p: FloatArray, q: FloatArray) -> bool:
    def side(o: FloatArray, u: FloatArray, v: FloatArray) -> float:
        return float((u[0] - o[0]) * (v[1] - o[1]) - (u[1] - o[1]) * (v[0] - o[0]))

    return side(a, b, p) * side(a, b, q) < 0.0 and side(p, q, a) * side(p, q, b) < 0.0


@pytest.mark.feature("LEG-08")
@pytest.mark.parametrize(("name", "speed"), [("spider", 0.5), ("ant", 0.3), ("lizard", 0.5)])
def test_feet_on_static_ground_stay_where_they_came_down(name: str, speed: float) -> None:
    """By the joints' rotations alone: the tip of a leg that stands moves less than a millimetre in all of a stance."""
    crowd = Crowd(name, 4, speed=speed, seed=2, ground=Ground.rough(seed=6, amplitude=0.1, feature=1.5))
    crowd.command(turn_rate=np.linspace(-0.4, 0.4, 4))
    stood = np.zeros_like(crowd.planted)
    places = tips(crowd)
    stances = 0
    for frame in range(600):
        crowd.step(DT)
        now, held = tips(crowd), stood & crowd.planted
        stances += int(np.sum(stood & ~crowd.planted))
        stood = crowd.planted
        places = np.where(held[..., None], places, now)
        assert np.linalg.norm(now - places, axis=-1).max() < 1e-3, frame
    assert stances > 100


@pytest.mark.feature("LEG-08")
def test_a_foot_that_stands_on_something_moving_goes_with_it() -> None:
    """The four stories, the last: a stance foot is carried by a crate that drives, turns and rises."""
    obstacles = Obstacles()
    crates = [
        obstacles.add_box((x, z), (1.2, 1.2), 0.1, velocity=(0.1, 0.05), turn_rate=0.1, rise=0.03, safe=True)
        for x in (-0.6, 0.6)
        for z in (-0.6, 0.6)
    ]
    crowd = Crowd("spider", 1, obstacles=obstacles)
    anchors = crowd._feet["anchor"][0].copy()
    local = np.stack([anchors[axis] for axis in "xyz"], axis=1)
    support = anchors["support"]
    assert np.all(support >= 0)
    assert len(crates) == 4
    for _ in range(30):
        obstacles.advance(DT)
        crowd.step(DT)
        things = crowd.maps.arrays.things
        reached = tips(crowd)[0]
        for foot in np.flatnonzero(crowd.planted[0] & (crowd._feet["plans"][0] == 0)):
            row = things[support[foot]]
            sine, cosine = np.sin(row[3]), np.cos(row[3])
            x, y, z = local[foot]
            place = [row[0] + cosine * x + sine * z, row[1] + y, row[2] + cosine * z - sine * x]
            assert reached[foot] == pytest.approx(place, abs=1e-3)
            assert highest_sunk(crowd) < 1e-3


@pytest.mark.feature("LEG-29")
def test_a_crate_in_the_way_makes_a_new_plan_in_the_same_frame() -> None:
    """The first story: what moves into the way of a foot is planned round or over at once, from where the foot is."""
    obstacles = Obstacles()
    crate = obstacles.add_box((5.0, 5.0), (0.3, 0.3), 0.2, safe=False)
    crowd = Crowd("spider", 1, speed=0.5, obstacles=obstacles)
    foot = _lifting(crowd)
    way = crowd._curves[0, foot]
    middle = way[len(way) // 2 + 4]
    obstacles.move(crate, centre=(middle[0], middle[2]), lift=0.0)
    place = crowd.feet[0, foot].copy()
    crowd.step(DT)
    assert crowd.reasons[0, foot] in ("path", "target")
    assert np.linalg.norm(crowd._curves[0, foot, 0] - place) < 1e-9
    while not crowd.planted[0, foot]:
        crowd.step(DT)
        assert highest_sunk(crowd) < 1e-3


def test_an_uncomfortable_foothold_is_left_for_another() -> None:
    """The second story: the preferred footprint lies on the edge of something, another cell is taken."""
    obstacles = Obstacles()
    crowd = Crowd("spider", 1, speed=0.5, obstacles=obstacles)
    foot = _lifting(crowd)
    while not crowd.planted[0, foot]:
        crowd.step(DT)
    stride = 0.5 * crowd.periods[0]
    x, _, z = crowd.feet[0, foot]
    obstacles.add_box((x + 0.16, z + stride), (0.3, 0.3), 0.15, safe=False)
    while crowd.planted[0, foot]:
        crowd.step(DT)
    wish, goal = crowd.preferred[0, foot], crowd.footholds[0, foot]
    assert np.linalg.norm(goal - wish) > crowd.maps.cell
    while not crowd.planted[0, foot]:
        crowd.step(DT)
    assert float(obstacles.distances(crowd.feet[0, foot])) > 0.0


def test_a_sudden_change_of_speed_finds_a_new_foothold_in_mid_swing() -> None:
    """The third story."""
    crowd = Crowd("spider", 1, speed=0.3)
    foot = _lifting(crowd)
    goal = crowd.footholds[0, foot].copy()
    crowd.command(speed=1.0)
    crowd.step(DT)
    assert crowd.reasons[0, foot] == "speed"
    assert crowd.footholds[0, foot, 2] > goal[2] + 0.05


def _lifting(crowd: Crowd) -> int:
    for _ in range(400):
        before = crowd.planted[0].copy()
        crowd.step(DT)
        lifted = np.flatnonzero(before & ~crowd.planted[0])
        if len(lifted) and crowd.positions[0, 2] > 0.5:
            for _ in range(3):
                crowd.step(DT)
            return int(lifted[0])
    raise AssertionError("no foot lifted")


def test_the_thing_under_a_foot_may_vanish() -> None:
    obstacles = Obstacles()
    crate = obstacles.add_box((0.0, 0.0), (3.0, 3.0), 0.15, safe=True)
    crowd = Crowd("ant", 1, obstacles=obstacles)
    crowd.step(DT)
    obstacles.remove(crate)
    for _ in range(180):
        crowd.step(DT)
    assert np.all(crowd.planted)
    assert np.all(np.abs(crowd.feet[..., 1]) < 1e-9)


@pytest.mark.feature("LEG-35")
def test_a_creature_walled_in_stands_still_and_says_so() -> None:
    obstacles = Obstacles()
    for angle in np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False):
        place = 1.6 * np.array([np.sin(angle), np.cos(angle)])
        obstacles.add_box(place, (1.4, 0.9), 3.0, angle, safe=False)
    crowd = Crowd("spider", 1, speed=0.5, obstacles=obstacles)
    for _ in range(900):
        crowd.step(DT)
        assert np.all(np.isfinite(crowd.poses.rotations))
    assert np.hypot(*crowd.positions[0, [0, 2]]) < 1.6
    where = crowd.positions.copy()
    for _ in range(60):
        crowd.step(DT)
    assert np.linalg.norm(crowd.positions - where) < 0.02


@pytest.mark.parametrize(("shift", "follows"), [(0.06, False), (0.35, True)])
def test_the_body_follows_its_feet_only_when_they_find_no_room(shift: float, follows: bool) -> None:
    """By how far the feet came down from where they wanted to, on average; small offsets are left alone."""
    crowd = Crowd("spider", 1, speed=0.4)
    for _ in range(60):
        crowd.step(DT)
    reach = float(crowd.creature.folds.spans[:, 1].mean())
    crowd._feet["off_x"] = shift * reach
    crowd.step(0.0)
    pull = crowd._rows["pull_x"][0]
    assert (pull > 0.0) == follows
    assert abs(pull) <= 0.25 * 0.4 + 1e-9


@pytest.mark.feature("LEG-11")
@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize(
    ("name", "away", "follows"),
    [("spider", 0.7, False), ("spider", 0.5, True), ("wolf", 0.15, False), ("wolf", 0.0, True)],
)
def test_a_body_beside_a_wall_goes_aside_only_where_its_feet_are_far_off(
    name: str, away: float, follows: bool, side: float
) -> None:
    """A long wall of forbidden cells, so far beside the way; where feet come down is judged beside a way without it."""
    obstacles = Obstacles()
    obstacles.add_box((side * (away + 1.0), 8.0), (2.0, 12.0), 0.3, safe=False)
    beside, free = Crowd(name, 1, speed=0.4, obstacles=obstacles), Crowd(name, 1, speed=0.4)
    threshold = 0.1 * float(free.creature.folds.spans[:, 1].mean())
    off, moved = [], []
    for _ in range(540):
        beside.step(DT)
        free.step(DT)
        off.append(-side * float(np.mean(beside.footholds[0, :, 0] - free.footholds[0, :, 0])))
        moved.append(-side * float(beside.positions[0, 0] - free.positions[0, 0]))
    assert beside.positions[0, 2] > 3.0  # it goes on along the wall
    if follows:
        assert max(off) > threshold
        early = np.array(off) < 0.5 * threshold  # feet under way count for the body with the place they go to
        first = int(np.argmin(early))
        assert np.abs(moved[:first]).max() < 1e-9
        assert moved[-1] > 0.04
    else:
        assert 0.3 * threshold < max(off) < threshold
        assert np.abs(moved).max() < 1e-9


def test_creatures_of_a_rig_stand_on_rough_ground() -> None:
    ground = Ground.rough(seed=5, amplitude=0.15, feature=1.2)
    crowd = Crowd(Creature.build("wolf"), 3, speed=1.0, ground=ground)
    for frame in range(300):
        crowd.step(DT)
        if frame % 5 == 0:
            assert highest_sunk(crowd) < 1e-3
            assert np.all(errors(crowd)[crowd.planted] < 1e-6)


@pytest.mark.parametrize(("name", "speed"), [("wolf", 3.4), ("wolf", 4.8), ("horse", 6.0)])
def test_a_gallop_over_low_bumps_stays_up(name: str, speed: float) -> None:
    # Feet that are gathered under the body once took every bump for a hill, and the body went to the ground for it.
    ground = Ground.rough(seed=4, size=(60.0, 60.0), amplitude=0.05, feature=2.5)
    places = np.stack([np.linspace(-8.0, 8.0, 12), np.zeros(12), np.linspace(-22.0, -12.0, 12)], axis=1)
    crowd = Crowd(name, 12, seed=4, speed=speed, ground=ground, positions=places)
    heights = []
    for frame in range(420):
        roots = crowd.step(DT).root_positions
        if frame >= 120:
            heights.append(roots[:, 1] - ground.heights(roots[:, [0, 2]]))
    shares = np.array(heights) / np.median(heights)
    assert shares.min() > 0.75
    assert np.mean(shares < 0.88) < 0.05
