"""The columns in which creatures and their feet are kept, known to those who fill them without compiling anything.

A creature is one row: where its body is (the centre, metres), how it is turned (yaw about +Y; pitch, nose up; roll,
left side up; radians) and how fast, what it was told, and what its feet gave back. Each foot is a row of its own.
"""

(
    X,
    Y,
    Z,
    YAW,
    PITCH,
    ROLL,
    SPEED,  # m/s along the yaw, backwards below 0
    TURN,  # rad/s
    RISING,  # m/s
    PITCHING,  # rad/s
    ROLLING,  # rad/s
    WANTED_SPEED,
    WANTED_YAW,
    WANTED_TURN,
    BY_YAW,  # 1: turns to the wanted yaw; 0: turns at the wanted rate
    STEP_HEIGHT,  # m; negative: as the gait says
    PULL_X,  # m/s that the feet ask of the body, in the world
    PULL_Z,
    FLOOR,  # m, the lowest that the centre may be, for what lies under the body
    STUCK,  # feet that find no way
    HELD,  # share of its speed that the reach of its legs leaves it
    VISIBLE,  # 1: seen; 0: no limbs are posed and the first valid foothold is taken
    AWAY,  # m from the eye, for the level of detail
    PLANS,  # plans made so far
    COUPLES,  # footholds with a path that were weighed so far
    REACHED,  # legs posed so far
    AUTO_GAIT,  # 1: the gait follows from the speed
    LEAD,  # m from the centre ahead to the place about which the body turns: the front of long bodies
    PUSH,  # how much of a change of speed the feet give: 1 on the average, 0 while none pushes
    IDLE,  # s for which a change of speed has waited for a foot that pushes
    LIVELY,  # 1: the feet go; 0: they stand
    SHOVE_X,  # m/s by which the body was thrown out of its way, in the world
    SHOVE_Z,
    HEAD_YAW,  # rad that the head is turned from the body
    BOUNCE,  # share of the effects, eased from their wanted ones: the girdles rise and fall with the steps
    FLEX,  # the trunk bends where it turns
    SWAY,  # the girdles turn with their feet
    NOD,  # the girdles pitch with their feet
    PUSHING,  # the speed changes only while feet push
    WANTED_BOUNCE,
    WANTED_FLEX,
    WANTED_SWAY,
    WANTED_NOD,
    WANTED_PUSHING,
) = range(44)
CREATURE_COLUMNS = 44
EFFECTS = 5  # in a row from BOUNCE on, and what is wanted of them from WANTED_BOUNCE on

STANDING, SWINGING = 0, 1

(
    STATE,
    FOOT_X,
    FOOT_Y,
    FOOT_Z,
    FOOT_VX,
    FOOT_VY,
    FOOT_VZ,
    SUPPORT,  # slot of the thing under a standing foot, -1 for the ground
    SUPPORT_BORN,  # its generation
    ANCHOR_X,  # the foot in the frame of its support
    ANCHOR_Y,
    ANCHOR_Z,
    SPACING_X,  # where it stands under the body, body frame, metres
    SPACING_Z,
    WISH_X,  # the footprint that it prefers
    WISH_Y,
    WISH_Z,
    GOAL_X,  # the footprint that was chosen, as it was then
    GOAL_Y,
    GOAL_Z,
    GOAL_SUPPORT,
    GOAL_BORN,
    GOAL_ANCHOR_X,
    GOAL_ANCHOR_Y,
    GOAL_ANCHOR_Z,
    ELAPSED,  # s of the running plan
    DURATION,  # s
    FIRST_SPEED,  # share of the curve a second, at which the plan began
    BEGAN_Y,  # m, the ground from which the swing began
    SWUNG,  # s since the foot left the ground
    PLAN_YAW,  # what was wanted when it was planned
    PLAN_SPEED,
    PLAN_SPACING_X,
    PLAN_SPACING_Z,
    PLAN_VERSION,  # of the tiles of the map that the curve touches
    AGE,  # frames since the plan
    FREE,  # 1: a step of its own, not one that the gait asked for; -1: it stands and must step away
    SCORE,
    OFF_X,  # from the preferred to the chosen footprint
    OFF_Z,
    LOST,  # 1: no way was found for its last step
    ERROR,  # m between the tip and where the foot is
    SERVED,  # 1: the swing that the gait asks for has begun, or was given up
    FOOT_PLANS,  # plans made so far
    WHY,  # the reason of the last plan
    SLACK,  # m that a standing foot may still be left behind
    PLANNED,  # s that the running plan was made for
    CARRIER_X,  # where the girdle that carries the leg has the middle of the body, in the frame of the body
    CARRIER_Z,
    CARRIER_SINE,  # of the angle by which it is turned from the body
    CARRIER_COSINE,
    HIGHEST,  # m, the highest that the centre may be for a standing foot to stay in reach
    MIDDLE,  # turns of the gait's needle at which the stance is half over, eased
    DUTY,  # share of a cycle for which the foot stands, eased
    STOOD,  # s; of feet that roll: since it came down
    SOLE_YAW,  # rad, where the foot points, kept while it stands
    SOLE_SLOPE,  # rad, toes up, of the ground that it treads
    SOLE_PITCH,  # rad from that ground that the gait asks for: below 0 toes up, above 0 heel up
    SOLE_PITCHING,  # rad/s
    SOLE_POSED,  # rad, as far as the leg allows
    ANKLE_X,  # m from the foot to its ankle, in the world, as the gait asks for
    ANKLE_Y,
    ANKLE_Z,
) = range(63)
FOOT_COLUMNS = 63

# Why a foot was planned.
BEGIN, TURNED, SPED, SPACED, BLOCKED_WAY, BLOCKED_GOAL, OVERSTRETCHED, SETTLING, CARRIED_OFF = range(1, 10)
REASONS = (
    "",
    "begin",
    "heading",
    "speed",
    "spacing",
    "path",
    "target",
    "overstretched",
    "settling",
    "support",
)

# The stages of a frame, in their order.
STAGES = ("command", "gait", "body", "plan", "feet", "height", "legs", "feedback")
COMMAND, GAIT, BODY, PLAN, FEET, HEIGHT, LEGS, FEEDBACK = range(8)
