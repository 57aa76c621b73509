"""Robot descriptions made from skeletons: a hinge for every link, about the axis that its name says."""

from __future__ import annotations

from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton
from tests.made_rigs import ROBOTS, Row, built

RANGES = {"knee": (0.0, 2.4), "elbow": (-2.2, 0.0), "ankle": (-0.9, 0.9), "roll": (-0.8, 0.8), "yaw": (-1.2, 1.2)}
WELDED = ("radar", "foot")


def in_ros(place: FloatArray) -> tuple[float, float, float]:
    x, y, z = place.tolist()
    return z, x, y


def axis_of(name: str) -> str:
    return "1 0 0" if "roll" in name or "abduct" in name else "0 0 1" if "yaw" in name else "0 1 0"


def description(skeleton: Skeleton) -> str:
    """A skeleton whose joints are not turned at rest as a robot."""
    parts = ['<robot name="made"><mujoco><compiler fusestatic="false" discardvisual="false"/></mujoco>']
    for j, name in enumerate(skeleton.names):
        tips = skeleton.end_offsets[skeleton.end_parents == j]
        shape = ""
        if len(tips):
            x, y, z = (0.9 * each for each in in_ros(tips[0]))
            shape = f'<collision><origin xyz="{x} {y} {z}"/><geometry><sphere radius="0.02"/></geometry></collision>'
        inertia = '<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>'
        parts.append(f'<link name="{name}"><inertial><mass value="1"/>{inertia}</inertial>{shape}</link>')
        if j == 0:
            continue
        x, y, z = in_ros(skeleton.offsets[j])
        low, high = next((span for word, span in RANGES.items() if word in name), (-1.8, 1.8))
        kind = "fixed" if any(word in name for word in WELDED) else "revolute"
        parts.append(
            f'<joint name="{name}_joint" type="{kind}"><parent link="{skeleton.names[skeleton.parents[j]]}"/>'
            f'<child link="{name}"/><origin xyz="{x} {y} {z}"/><axis xyz="{axis_of(name)}"/>'
            f'<limit lower="{low}" upper="{high}" effort="100" velocity="20"/></joint>'
        )
    return "".join([*parts, "</robot>"])


def humanoid() -> Skeleton:
    """Three links at each hip, two at each ankle, seven in each arm."""
    return ROBOTS["links"][0]


def dog() -> Skeleton:
    """Twelve hinges: the hips swing aside and forwards, the knees bend; the feet are welded on."""
    rows: list[Row] = [("base", "", (0.0, 0.5, 0.0)), ("radar", "base", (0.0, 0.62, 0.0))]
    for row, z in (("f", 0.25), ("h", -0.25)):
        rows += [
            (f"*{row}_abduct", "base", (0.06, 0.5, z)),
            (f"*{row}_thigh", f"*{row}_abduct", (0.14, 0.5, z)),
            (f"*{row}_shank", f"*{row}_thigh", (0.14, 0.28, z - 0.08)),
            (f"*{row}_foot", f"*{row}_shank", (0.14, 0.02, z)),
        ]
    return built(tuple(rows), None, ("l", "r"))
