"""The columns in which obstacles are kept, known to those who fill them without compiling anything.

An obstacle is a convex outline in the plan that stands on the ground and moves evenly. (X, Z) is the middle about
which it turns, YAW its turn about +Y, VX and VZ (m/s) and TURN (rad/s) its motion, HEIGHT (m) how high it stands (0: a
puddle), CORNERS how many corners it has and RADIUS (m) that of the circle about (X, Z) that holds it. LIFT (m) is how
far its underside is above the ground at its middle, RISE (m/s) how fast it goes up; SAFE is 1 if creatures may step on
it.

The corners lie beside this table, ``(M, MOST_CORNERS, 2)`` as (x, z) in the world, counter-clockwise as seen from above
(from +Y down), the sense of a positive yaw, which turns +Z to +X: from corner to corner the inside lies on the left,
which for a way (dx, dz) is (dz, -dx). Rows beyond the last corner hold no meaning.
"""

COLUMNS = 12
X, Z, YAW, VX, VZ, TURN, HEIGHT, CORNERS, RADIUS, LIFT, RISE, SAFE = range(COLUMNS)
MOST_CORNERS = 16

# Obstacles are sorted into buckets by the cells of the plan that they touch, now or within the next seconds.
CELL = 4.0  # m
MOST_CELLS = 1024  # an obstacle that spans more cells is kept apart and looked at every time
HORIZON = 4.0  # s for which an obstacle that moves is found where it will be
