"""What each walker is to the others: where it is, how large, how fast, and how much it does to keep clear of them."""

from __future__ import annotations

from locomote.human._kernels.navigate import SIDLES_AFTER, Wishes
from locomote.human._kernels.safe_drives import Asked
from locomote.human._kernels.state import Way
from locomote.math._compile import kernel
from locomote.math.records import Records
from locomote.navigation._kernels.course import CALM, Course, Escape, Traffic
from locomote.navigation._kernels.velocity_obstacles import Agents, WantedVelocities

SPARE = 0.05  # m more than its radius that a walker keeps from others if it can
SLIP = 0.005  # m, of a body that stops in a curve, off its straight stopping way
# See `Agents.heeds`: of one who has come no nearer to its goal for so many seconds.
FIRM, FIRM_AFTER = 2.0, 5.0
PATIENCE, MOST_IMPATIENT = 4.0, 0.8  # s without progress for which one gets impatient, and how much at most
HARDLY = 0.1  # of its part in keeping clear of others, that one does who gets away from something


@kernel
def heed_all(
    ways: Records, wishes: Wishes, traffic: Traffic, agents: Agents, wanted: WantedVelocities, asked: Asked
) -> None:
    """Fill in agents and what is asked of their legs; those beyond the walkers are others, whose radii are known."""
    for n in range(wishes.courses.shape[0]):
        course: Course = wishes.courses[n]
        flight: Escape = traffic.escapes[n]
        agents.places[n, 0], agents.places[n, 1] = course.x, course.z
        hindered = wishes.hindered[n]
        # Who gets away from something goes as it must: the others see it coming, and make room.
        fleeing = flight.why != CALM and hindered > 0.0
        if fleeing:
            asked.velocities[n, 0], asked.velocities[n, 1] = flight.x, flight.z
        agents.velocities[n, 0], agents.velocities[n, 1] = asked.velocities[n, 0], asked.velocities[n, 1]
        agents.heeds[n] = HARDLY if fleeing else hindered
        if n >= ways.shape[0]:
            continue
        way: Way = ways[n]
        if way.lost > FIRM_AFTER and way.trail.count > 0 and not fleeing:
            agents.heeds[n] *= FIRM
        wanted.impatience[n] = 1.0 + min(way.lost / PATIENCE, MOST_IMPATIENT)
        asked.sidles[n] = 1 if way.lost > SIDLES_AFTER else 0
        agents.radii[n], traffic.radii[n] = way.radius + SPARE, way.radius + SLIP
