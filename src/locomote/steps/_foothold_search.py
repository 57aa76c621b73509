"""The best way on foot over given places: which foot goes on which, in which order."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.steps._paths import STANDING_HALF_WIDTH, TOE_OUT
from locomote.steps._plan import LEFT, RIGHT, FootPlan

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# What a step may be, in leg lengths, seen from the foot that stands.
LONGEST = 1.1  # on the ground plan
HIGHEST = 0.4  # up or down
BACK = 0.2
OUTWARDS = 0.6
BESIDE = 0.13  # the least to the own side, for a foot that lands beside the other
CROSSED = -0.1  # the same for a foot that lands before the other one
BEFORE = 0.3  # forwards, from which on a foot is before the other one

# What a step is best, in leg lengths, and by how much another one is worse by 1.
LENGTH, LENGTH_SCALE = 0.68, 0.5
STEEP, SHORTEST = (
    0.5,
    0.3,
)  # a rise by which a step is shorter by its length, and the share that is left at least
WIDTH, WIDTH_SCALE = 0.17, 0.4
RISE_SCALE = 0.3  # beyond it the cost grows with the sixth power: no two treads at once
TURN_SCALE = 0.7  # rad
EACH_STEP = 0.1  # what any step costs

AHEAD = 1.2  # leg lengths of the way that say where one faces
LAST = 2.5  # leg lengths of the way to the goal that say where one faces there
MOST_PAIRS = 8_000_000  # of places within a step of one another

Blocked = Callable[[FloatArray, FloatArray], npt.NDArray[np.bool_]]


class Places(NamedTuple):
    """Where feet may stand."""

    points: FloatArray  # (K, 3)
    costs: FloatArray  # (K,) what it costs to stand there; a step that is quite wrong costs 1
    names: Callable[[int], str]  # of a place, for messages
    room: Callable[[FloatArray, FloatArray], FloatArray] | None = None  # what it costs to face a yaw at points


def best_way(
    places: Places,
    start: FloatArray | FootPlan,
    goal: FloatArray,
    leg_length: float,
    blocked: Blocked | None = None,
) -> FootPlan:
    """The cheapest way from a stance to a stance about ``goal (3,)``; times are free.

    ``start`` is the middle ``(3,)`` of the first stance, or a plan whose last plants of either foot are that stance.
    ``blocked`` says between which points ``(N, 3)`` one may not pass.
    """
    count = len(places.points)
    standing = _stance_of(start) if isinstance(start, FootPlan) else None
    middle = start if standing is None else standing.mean(axis=0)
    pairs = _pairs(places.points, leg_length, blocked)
    points, joined = _with(places.points, pairs, np.array([middle, goal]), leg_length, blocked)
    headings = _headings(points, joined, leg_length)
    # The places, then those of the stances: left and right at the start, left and right at the goal.
    stances = [_about(point, turn, leg_length) for point, turn in zip(points[-2:], headings[-2:], strict=True)]
    stances[0] = stances[0] if standing is None else standing
    points, joined = _with(places.points, pairs, np.vstack(stances), leg_length, blocked)
    headings = np.concatenate([headings[:-2], np.repeat(headings[-2:], 2)])
    costs = np.concatenate([places.costs, np.zeros(4)])
    if places.room is not None:
        costs += places.room(points, headings)
    graph = _graph(points, headings, costs, joined, leg_length)
    total, before = _costs(graph, count)
    ends = [2 * (count + 2) + LEFT, 2 * (count + 3) + RIGHT]
    end = min(ends, key=lambda state: float(total[state]))
    if not math.isfinite(total[end]):
        reached = np.isfinite(np.minimum(total[::2], total[1::2]))
        raise LocomoteError(_how_far(reached, places, points, leg_length))
    chain = [end]
    while before[chain[-1]] >= 0:
        chain.append(int(before[chain[-1]]))
    return _plan(points, headings, chain[::-1], count)


def _stance_of(plan: FootPlan) -> FloatArray:
    """Where the left and the right foot stand at the end of a plan."""
    where = [np.flatnonzero(plan.sides == side) for side in (LEFT, RIGHT)]
    if not (len(where[0]) and len(where[1])):
        raise LocomoteError("start: expected a place, or a plan with plants of both feet")
    out: FloatArray = plan.places[[where[0][-1], where[1][-1]]]
    return out


def _about(middle: FloatArray, heading: float, leg: float) -> FloatArray:
    """Left and right foot of a stance."""
    aside = STANDING_HALF_WIDTH * leg * np.array([math.cos(heading), 0.0, -math.sin(heading)])
    return np.array([middle + aside, middle - aside])


def _pairs(points: FloatArray, leg: float, blocked: Blocked | None) -> IntArray:
    """Pairs ``(N, 2)`` of points that one step could join, whatever its direction."""
    from scipy.spatial import cKDTree

    tree = cKDTree(points[:, [0, 2]])
    if tree.count_neighbors(tree, LONGEST * leg) > 2 * MOST_PAIRS:
        raise LocomoteError(f"{len(points)} footholds within reach of one another are too many; give fewer")
    pairs = np.asarray(tree.query_pairs(LONGEST * leg, output_type="ndarray"), dtype=np.int64)
    return _passable(points, pairs, leg, blocked)


def _with(
    points: FloatArray, pairs: IntArray, ends: FloatArray, leg: float, blocked: Blocked | None
) -> tuple[FloatArray, IntArray]:
    """Points and pairs with a few more points behind them."""
    all_points = np.vstack([points, ends])
    more = []
    for index in range(len(points), len(all_points)):
        gaps = np.hypot(*(all_points[:index] - all_points[index])[:, [0, 2]].T)
        near = np.flatnonzero(gaps <= LONGEST * leg)
        more.append(np.column_stack([near, np.full(len(near), index)]))
    return all_points, np.vstack([pairs, _passable(all_points, np.vstack(more), leg, blocked)])


def _passable(points: FloatArray, pairs: IntArray, leg: float, blocked: Blocked | None) -> IntArray:
    good = np.abs(points[pairs[:, 0], 1] - points[pairs[:, 1], 1]) <= HIGHEST * leg
    pairs = pairs[good]
    return pairs if blocked is None else pairs[~blocked(points[pairs[:, 0]], points[pairs[:, 1]])]


def _headings(points: FloatArray, pairs: IntArray, leg: float) -> FloatArray:
    """Where one faces at each point: along the shortest way from there to the last one, the goal."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    gaps = np.hypot(*(points[pairs[:, 0]] - points[pairs[:, 1]])[:, [0, 2]].T) + 1e-9
    near = csr_array((gaps, (pairs[:, 0], pairs[:, 1])), shape=(len(points), len(points)))
    goal, start = len(points) - 1, len(points) - 2
    left, following, _ = dijkstra(near, directed=False, indices=[goal], return_predecessors=True, min_only=True)
    following = np.where(following < 0, np.arange(len(points)), following)
    target = following
    for _ in range(math.ceil(10 * AHEAD)):
        with np.errstate(invalid="ignore"):
            on = (left - left[target]) < AHEAD * leg
        target = np.where(on, following[target], target)
    target = np.where(np.isfinite(left), target, goal)
    way = points[target] - points
    before = start  # the point from which on the way from the start is the last stretch
    while left[before] > LAST * leg and math.isfinite(left[before]):
        before = int(following[before])
    way[goal] = points[goal] - points[start if before == goal else before]
    out: FloatArray = np.arctan2(way[:, 0], way[:, 2])
    return out


def _graph(points: FloatArray, headings: FloatArray, costs: FloatArray, pairs: IntArray, leg: float) -> csr_array:
    """Steps between states: twice the foothold, plus the side of the foot on it."""
    from scipy.sparse import csr_array

    both = np.vstack([pairs, pairs[:, ::-1]])
    first_end, starts = len(points) - 2, (len(points) - 4, len(points) - 3)
    both = both[(both[:, 0] < first_end) & (both[:, 1] != starts[0]) & (both[:, 1] != starts[1])]
    way = (points[both[:, 1]] - points[both[:, 0]]) / leg
    sine, cosine = np.sin(headings)[both[:, 0]], np.cos(headings)[both[:, 0]]
    forwards = way[:, 0] * sine + way[:, 2] * cosine
    leftwards = way[:, 0] * cosine - way[:, 2] * sine
    least = np.where(forwards >= BEFORE, CROSSED, BESIDE)
    rows, columns, weights = [], [], []
    for side in (LEFT, RIGHT):  # of the foot that stands
        outwards = leftwards if side == RIGHT else -leftwards
        good = (outwards >= least) & (outwards <= OUTWARDS) & (forwards >= -BACK)
        # The feet of a stance have their sides.
        good &= (both[:, 0] != starts[1 - side]) & (both[:, 1] != first_end + side)
        support, landing = both[good].T
        turns = np.remainder(headings[landing] - headings[support] + math.pi, math.tau) - math.pi
        rows.append(2 * support + side)
        columns.append(2 * landing + 1 - side)
        weights.append(costs[landing] + _discomfort(forwards[good], outwards[good], way[good, 1], turns))
    entries = (np.concatenate(rows), np.concatenate(columns))
    return csr_array((np.concatenate(weights), entries), shape=(2 * len(points), 2 * len(points)))


def _discomfort(forwards: FloatArray, outwards: FloatArray, rises: FloatArray, turns: FloatArray) -> FloatArray:
    """What steps cost, by lengths in leg lengths and turns in radians."""
    best = LENGTH * np.maximum(1.0 - np.abs(rises) / STEEP, SHORTEST)
    return (
        EACH_STEP
        + ((forwards - best) / LENGTH_SCALE) ** 2
        + ((outwards - WIDTH) / WIDTH_SCALE) ** 2
        + (rises / RISE_SCALE) ** 2
        + (rises / RISE_SCALE) ** 6
        + (turns / TURN_SCALE) ** 2
    )


def _costs(graph: csr_array, count: int) -> tuple[FloatArray, npt.NDArray[np.int32]]:
    """What it costs to get to each state from the feet of the first stance, and the state before it."""
    from scipy.sparse.csgraph import dijkstra

    starts = [2 * count + LEFT, 2 * (count + 1) + RIGHT]
    total, before, _ = dijkstra(graph, indices=starts, return_predecessors=True, min_only=True)
    return total, before


def _plan(points: FloatArray, headings: FloatArray, chain: list[int], count: int) -> FootPlan:
    """The plants of a chain of states: the other foot of the first stance before it, of the last one behind it."""
    first, last = chain[0] % 2, chain[-1] % 2
    where = np.array([count + 1 - first, *(state // 2 for state in chain), count + 3 - last])
    sides = np.array([1 - first, *(state % 2 for state in chain), 1 - last], dtype=np.int64)
    turns = np.exp(1j * headings[where])
    turns[1:-1] = turns[:-2] + turns[1:-1] + turns[2:]
    yaws = np.unwrap(np.angle(turns)) + np.where(sides == LEFT, TOE_OUT, -TOE_OUT)
    return FootPlan(sides, points[where], yaws, np.full(len(where), np.nan))


def _how_far(reached: npt.NDArray[np.bool_], places: Places, points: FloatArray, leg: float) -> str:
    """How far one gets, and what would have to be nearer."""
    count = len(places.points)
    goal, start = points[count + 2 :].mean(axis=0), points[count : count + 2].mean(axis=0)
    to_go = np.hypot(*(points - goal)[:, [0, 2]].T)
    furthest = int(np.argmin(np.where(reached, to_go, np.inf)))
    here = points[furthest]
    what = "the start" if furthest >= count else places.names(furthest)
    text = (
        f"no way from ({_at(start)}) to ({_at(goal)}): one gets to {what} at ({_at(here)}), "
        f"{to_go[furthest]:.2f} m before the goal"
    )
    beyond = np.flatnonzero(~reached & (to_go < to_go[furthest]))
    if len(beyond):
        gaps = np.hypot(*(points[beyond] - here)[:, [0, 2]].T)
        following = int(beyond[np.argmin(gaps)])
        name = f"the next, {places.names(following)}," if following < count else "the goal"
        rise = float(points[following, 1] - here[1])
        text += f"; {name} is {gaps.min():.2f} m away"
        text += f" and {abs(rise):.2f} m {'higher' if rise > 0 else 'lower'}" if abs(rise) > 0.005 else ""
    return f"{text}; a step takes at most {LONGEST * leg:.2f} m and {HIGHEST * leg:.2f} m up or down"


def _at(point: FloatArray) -> str:
    return f"{point[0]:.2f}, {point[2]:.2f}"
