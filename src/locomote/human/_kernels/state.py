"""The state of walking people, by name: one `Walker` with two `Foot` rows and one `Way` for each of them.

The weights of the styles are as many as the model has; they are an array beside: ``weights (N, 2, K)``, what they are
and what they go to.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from locomote.math.records import Record, Records
from locomote.math.vector import Floats, Floats32
from locomote.navigation._kernels.trail import Trail

# What the jump of a walker is about.
NO_JUMP, COMING, UNDER_WAY, STEPPING = range(4)  # STEPPING: no jump, but feet that land on lines
STANDING_UNIT = 0  # the unit of jumps from a stand; the others take off from a single foot
BOTH_FEET = 2  # instead of a leg: either foot in the last stance before the body stands

# What a foot does.
NEW, PLANTED, SWINGING = range(3)
MOODS = 14  # channels of slow noise, see `liveliness`
LOOKS = 18  # parts of a swing, between which it is looked at what lies under the foot

# Where a walker goes.
FREE, TO_PLACE, ON_PATH = range(3)
# What a walker is about, in the order of the public names of states.
NEUTRAL, ADAPT, WAIT, BLEND_IN, JUMPING, BLEND_OUT, RESTORE, STEER, RETURN, AVOIDING, HALTING, STEPPING_OVER = range(12)
PERIOD = 0.1  # s between two looks of a walker at what lies ahead
STAGGER = 0.618  # of that time, by which the look of the next walker is later: not all in one frame
AT_ONCE = -1e6  # s until the next look of one for whom something is new
RADIUS = 0.3  # m, of a body in the plan, for the hip height of reference


class Ramp(Record):
    """A parameter that goes to its target in a straight line."""

    value: float
    target: float
    left: float  # s


class SpeedProfile(Record):
    """A speed over time that was planned for a run-up."""

    coefficients: Annotated[Floats, 5]  # m/s, over the share of its time that is over
    time: float  # s
    duration: float  # s; without one there is no profile
    # The second and third coefficient are the gains of two ramps, one as steep as the other.
    ramps: bool


class UpAhead(Record):
    """A pair along the vertical and the heading."""

    up: float
    ahead: float


class AfterJump(Record):
    """What is to come back after a jump."""

    speed: float  # m/s
    run: float  # share of running
    auto_gait: bool  # the speed decides on it


class FootLine(Record):
    """A line on which a foot is to land."""

    leg: int  # -1: none; `BOTH_FEET`
    count: float  # the cycle of the leg
    place: float  # m along the heading
    x: float  # of the heading
    z: float


class Jump(Record):
    """A jump, from the plant of the take-off foot, or the crouch of a standing body, to the end of the landing."""

    state: int
    leg: int  # that takes off, -1 for both
    count: float  # the cycle of that leg, counted from its strikes, in which it does
    start: float  # cycles of the character when the jump began
    time: float  # s since then
    support: float  # s
    flight: float  # s
    landing: float  # s
    off: float  # cycles since the beginning: toe-off,
    land: float  # touch-down,
    end: float  # end
    unit: int  # which motion: `STANDING_UNIT`, or one of those from a single foot
    length: float  # hip heights
    air: float  # flight in seconds * sqrt(gravity / hip height), as far as the motion knows it
    share: float  # of the jump's own motion; the rest is that of the gait
    hold: float  # u until which it counts fully
    tempo: float  # of the unit at toe-off, in units of its mean over the flight; before the jump, for support = flight;
    # of long steps over something: of the usual rhythm
    speed: float  # m/s in flight, of a standing jump
    push: float  # s before toe-off,
    settle: float  # s after touch-down, in which it gains and loses that speed
    launched: bool  # the four pairs below are known
    take_off: UpAhead  # m, centre of mass at toe-off
    touch: UpAhead  # m, at touch-down
    kick: UpAhead  # m/s that the motion lacks at toe-off
    catch: UpAhead  # m/s that it lacks at touch-down
    after: AfterJump
    before: FootLine  # for the foot that leaves,
    beyond: FootLine  # and for the one that lands
    sunk: float  # m by which the body had sunk for its legs when it left the ground
    ahead: float  # m by which the place of the take-off foot is ahead of the body when it lands
    clear: float  # m of height under the feet in the middle of the jump
    slant: float  # m by which the line of the take-off foot goes on ahead for every metre to the left
    side: float  # m to the left of the origin, across the heading: where that line has its place
    posed: float  # hip heights of length, as far as the motion knows it
    give: float  # s after touch-down, in which the body gives way to its fall; 0: as long as the landing
    brought: float  # m by which the body is further ahead at touch-down, nearer to the foot that lands
    lower: float  # m by which the body is lower at toe-off than its motion, so that its toes are on the ground
    deep: float  # m along the heading, of what is jumped or stepped over; 0: all that is between the feet
    margin: float  # m from the toes of the foot before it to that


class Walker(Record):
    """Where a person is, what it was asked for, and where that leads."""

    x: float  # m
    y: float
    z: float
    yaw: float  # rad
    cycles: float  # of the gait, so far
    speed: Ramp  # m/s
    turn: Ramp  # rad/s
    run: Ramp  # 0 walk to 1 run
    leg: Ramp  # m
    style_left: float  # s until the style weights arrive
    steering: bool  # turn to the heading below in the seconds left of `turn`
    heading: float  # rad
    auto_gait: bool  # the speed decides between walk and run
    free_stop: bool  # the time to stop may be changed so that the feet come together
    stride_speed: float  # m/s at which the legs move: follows the speed, and is not 0 while turning on the spot
    frequency: float  # cycles/s of a steady walk
    pace: float  # cycles/s in the last step
    stale: bool  # the row of the cache is out of date
    held: int  # which control points the cache has (see `cycle_pose.sample`), negative for none
    contact_phases: Annotated[Floats, 4]  # left strike, left off, right strike, right off
    news: bool  # a command changed the course since the feet planned their way
    ground: float  # m, height of the ground that the body goes by
    ground_rate: float  # m/s
    toe_out: Annotated[Floats, 2]  # rad by which the left and the right foot are set down further outwards
    wider: float  # m by which each foot is set down further from the middle
    tilt: float  # rad by which the trunk leans forwards, uphill
    sink: float  # m by which the body has sunk for the feet that are to land
    sink_rate: float  # m/s
    profile: SpeedProfile
    steep: float  # rise of the ground a metre that the body goes by,
    steep_ahead: float  # and that it comes to
    keep_off: Annotated[Floats, 3]  # direction x, z, place along it: beyond there no foot is set down; 0, 0: none
    aside: Annotated[Floats, 2]  # m/s, x and z: how fast the body steps aside, besides what it goes along its yaw
    lively: float  # how much no stride is like the last; 0: a machine
    seed: int  # of that,
    clock: float  # s that it has been alive,
    life: float  # random numbers that it has used,
    knot: int  # which of them was the last
    rhythm: float  # of the frequency, by which it steps faster for that,
    mood: Annotated[Floats, 14]  # these numbers,
    next_mood: Annotated[Floats, 14]  # and those to come: see `liveliness`
    spread: float  # rad by which the arms are held away from the trunk
    arm_swing: Annotated[Floats, 2]  # how far the left and the right arm swing, of what the style has
    arm_means: Annotated[Floats, 4]  # rad, about which they do: see `Model.swings`
    elbows: float  # rad by which its elbows are bent further than those of the style,
    running_elbows: float  # and as it runs
    lean: float  # rad to the right, into a turn
    lean_rate: float  # rad/s
    jump: Jump


class Arrival(Record):
    """The source of a foot at its landing, as foreseen."""

    ankle: Annotated[Floats, 3]  # m
    turn: Annotated[Floats, 4]
    toes: float  # rad
    pitch: float  # rad
    height: float  # m


class Foot(Record):
    """One foot of a walker, planted or on its way to where it will be planted."""

    state: int
    piece: int  # of the ground, -1 for its base
    count: float  # the cycle to which the present stance belongs, or the next one
    elapsed: float  # s of the way that was planned last
    duration: float  # s from its beginning to the landing
    swung: float  # s since lift-off
    resting: float  # s for which a planted foot has had reason to step although the body stands
    arch: float  # m, height of an arch over what lies in the way
    clearance: float  # m between sole and ground in the middle of the swing, at least
    strain: float  # m by which the place of a planted foot was out of the leg's reach in the last frame
    level_pitch: float  # rad, pitch of the source's foot when the foot stands flat
    tiptoe: float  # rad by which the heel is up when the foot lands: on a step below higher ground
    level_height: float  # m, of the source's sole over its own floor when the foot stands flat
    pitch: float  # rad, of the sole of a planted foot over the ground, positive upwards
    toe_pitch: float  # rad, of its toes
    middle: float  # cycles, at the middle of the stance at the place below
    last_middle: float  # the same of the stance before
    last_height: float  # m, the height that the body went by in the stance before
    local_place: Annotated[Floats, 3]  # m, of the ball, in the frame of the piece
    local_turn: Annotated[Floats, 4]  # of the flat foot, in the frame of the piece
    goal: Annotated[Floats, 3]  # the same in the world now
    flat_turn: Annotated[Floats, 4]
    offset: Annotated[Floats, 7]  # what the foot does beyond its source: ankle (3), turn (3), bend of the toes
    rate: Annotated[Floats, 7]  # its change a second
    start: Annotated[Floats, 7]  # the offset where the planned way began
    start_rate: Annotated[Floats, 7]
    aim: Annotated[Floats, 7]  # the same at the landing
    aim_rate: Annotated[Floats, 7]
    arrival: Arrival
    landing_size: float  # m, hip height at the landing
    late: float  # 0 before the middle of the stance, 1 well after it
    alike: float  # 0 to 1: how much the leg is as long as that of the source
    sink: float  # m by which the body must have sunk when the foot lands
    stood: float  # s since the landing
    last_piece: int  # of the ground, under the stance before
    back: Annotated[Floats, 2]  # m by which the foot is held back while it rises: along x and z
    leads: bool  # it is held ahead instead, most late on its way
    overhangs: bool  # the heel has no ground under it
    raised: float  # 0 on the ground, 1 for a foot that swings well after lift-off and before landing
    lifted: float  # m, the largest of the lifts below
    lifts: Annotated[Floats, 17]  # m by which the foot must be lifted at 1/LOOKS, 2/LOOKS ... of its way
    speed: Ramp  # of the body,
    turn: Ramp  # as the foot expected them when it planned its way


class Line(Record):
    """Where a free walker left its line."""

    x: float
    z: float
    yaw: float


class Way(Record):
    """What a walker is after and what it is about."""

    mode: int  # FREE, TO_PLACE or ON_PATH
    goal_x: float
    goal_z: float
    goal_yaw: float  # NaN: any
    cruise: float  # m/s
    first: int  # of the points of the path
    count: int
    progress: float  # points of the path that are done
    state: int  # NEUTRAL, ADAPT ...
    thing: int  # id of the obstacle that is dealt with, -1 for none
    side: float  # on which it is passed: 1 left, -1 right
    look: float  # s until the walker looks again
    course: float  # yaw along which it goes, NaN for straight to where it wants
    refused: int  # how often in a row a run-up could not be adapted
    line: Line
    points: Annotated[Floats, 3, 2]  # places (x, z) to be passed on the way back to the line
    next: int  # of those places
    arrived: bool  # at the goal, or at the end of the path
    may_jump: bool
    heeds: bool  # keeps out of the way of others
    radius: float  # m, of the body in the plan
    length: float  # m, of the obstacle that is jumped; of one stopped at, from its far edge to the balls beyond
    margin: float  # m between the obstacle and the take-off ball
    share: float  # of the speed, on the course round something
    may_round: bool
    halt: float  # s for which a walker has stood before an obstacle
    jumps: bool  # it jumps it then
    nearest: float  # m to the goal, the least that counted as progress
    lost: float  # s since then
    scout: float  # s until it may search for a way again
    trail: Trail


class People(NamedTuple):
    """The state of N people whose model has K styles."""

    walkers: Records  # (N,) `Walker`
    weights: Floats  # (N, 2, K) of the styles: now, and what they go to
    feet: Records  # (N, 2) `Foot`
    cache: Floats32  # (N, ...) see `step`
    bones: Floats32  # (N, 3, width) offsets of the joints, in hip heights

    def copy(self) -> People:
        """The same state again."""
        return People(self.walkers.copy(), self.weights.copy(), self.feet.copy(), self.cache.copy(), self.bones)

    def only(self, first: int, last: int) -> People:
        """The state of some of them, not copied."""
        some = slice(first, last)
        return People(self.walkers[some], self.weights[some], self.feet[some], self.cache[some], self.bones[some])
