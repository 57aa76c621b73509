"""People: they walk and jump in one line."""

from __future__ import annotations

from typing import Any

from locomote.clips._people import leg_of
from locomote.errors import LocomoteError
from locomote.human._model import HumanModel
from locomote.human.scenes._scene import FASTEST, FASTEST_TURN, JUMPS, Style
from locomote.human.scenes._script import AFTER_JUMP, Plan
from locomote.human.scenes._script import walk as perform
from locomote.human.scenes._timed_obstacles import TimedObstacles
from locomote.human_body import Body
from locomote.motion import Motion
from locomote.quick._asked import FPS, OverTime, Places, Rig, World, duration, rig_of, schedule, way
from locomote.retargeting import retarget
from locomote.world import Ground

RUN_UP, STAND = 2.0, 0.5  # s before a jump, of who walks and of who stands


def walk(
    speed: OverTime = 1.4,
    seconds: float | None = None,
    *,
    turn_rate: OverTime = 0.0,
    to: Places | None = None,
    style: Style | None = None,
    world: World | None = None,
    onto: Rig | None = None,
    seed: int = 0,
) -> Motion:
    """A person who walks or runs, at 60 frames a second.

    Parameters
    ----------
    speed : m/s, or {seconds: m/s} with straight lines between: {0: 0, 2: 1.4, 8: 3.5}
    seconds : how long; 10, or to the end of the way, without it
    turn_rate : rad/s, positive to the left, or over time likewise
    to : (x, z) of a place to go to, or a list of them to go along from the first to the last, metres
    style : a name of ``HumanModel.default().styles``, or weights by name; drawn by the seed without it
    world : a TOML file of the ground and of obstacles to jump or to go round, or a Ground; a level floor without it
    onto : a rig, or its file; the engine's own body without it
    seed : of what is drawn at random
    """
    place, route = way(to)
    if to is not None and turn_rate != 0.0:
        raise LocomoteError("to and turn_rate exclude one another: each says where to go")
    plan = Plan(
        speed=schedule("speed", speed, 0.0, FASTEST),
        turn_rate=schedule("turn_rate", turn_rate, -FASTEST_TURN, FASTEST_TURN),
        styles=((0.0, style),),
        route=route,
        place=place,
        seconds=None if seconds is None else duration(seconds),
    )
    return _performed(plan, world, onto, seed, "walk")


def jump(
    length: float = 1.2,
    speed: float = 1.4,
    *,
    style: Style | None = None,
    world: World | None = None,
    onto: Rig | None = None,
    seed: int = 0,
) -> Motion:
    """A person who comes along, jumps and goes on; who stands jumps from both feet.

    Parameters
    ----------
    length : m from the balls of the feet to where they land, 0.2 to 3
    speed : m/s before and after; the run-up takes the speed that the length needs
    style : a name of ``HumanModel.default().styles``, or weights by name; drawn by the seed without it
    world : a TOML file of the ground and of obstacles, or a Ground; a level floor without it
    onto : a rig, or its file; the engine's own body without it
    seed : of what is drawn at random
    """
    return _performed(jump_plan(length, speed, style), world, onto, seed, "jump")


def jump_plan(length: float, speed: float, style: Style | None = None) -> Plan:
    """One jump, after a run-up or from standing.

    Parameters
    ----------
    length, speed, style : m, m/s, and a name or weights
    """
    if not (isinstance(length, (int, float)) and JUMPS[0] <= length <= JUMPS[1]):
        raise LocomoteError(f"length {length!r}: expected {JUMPS[0]:g} to {JUMPS[1]:g} m")
    steady = schedule("speed", speed, 0.0, FASTEST)
    when = STAND if speed == 0.0 else RUN_UP
    # A long jump takes a long run-up.
    lasts = when + length + AFTER_JUMP
    return Plan(steady, styles=((0.0, style),), jumps=((when, float(length)),), seconds=lasts)


def walk_onto(
    model: HumanModel,
    plan: Plan,
    rig: Motion | None,
    *,
    leg_length: float | None = None,
    body: Body | None = None,
    **options: Any,
) -> Motion:
    """A plan walked; on a rig, with the strides that its legs would take.

    Parameters
    ----------
    model : of walking
    plan : speed, turns, style, route and jumps over time
    rig : that it goes onto; the engine's own body without it
    leg_length : m, hip to ankle; that of the rig or of the body, or 0.9, without it
    body : sex, age and build
    options : of `locomote.human.scenes.walk`
    """
    motion = perform(model, plan, leg_length=legs_for(rig, leg_length, body), body=body, **options)
    return motion if rig is None else retarget(motion, rig)


def legs_for(rig: Motion | None, leg_length: float | None, body: Body | None) -> float | None:
    """The legs, m, of who walks for a rig: as long as the rig's unless something else was asked for.

    Parameters
    ----------
    rig, leg_length, body : as in `walk_onto`
    """
    return leg_of(rig) if rig is not None and leg_length is None and body is None else leg_length


def _performed(plan: Plan, world: World | None, onto: Rig | None, seed: int, name: str) -> Motion:
    rig = rig_of(onto)
    ground, obstacles = world if isinstance(world, Ground) else None, TimedObstacles()
    if world is not None and not isinstance(world, Ground):
        ground, obstacles = Ground.read(world), TimedObstacles.read(world)
    about: dict[str, Any] = {"fps": FPS, "seed": seed, "name": name}
    return walk_onto(HumanModel.default(), plan, rig, ground=ground, obstacles=obstacles, **about)
