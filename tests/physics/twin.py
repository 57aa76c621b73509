"""The same body in MuJoCo: ball joints, masses and inertias as ours. The judge of our dynamics."""

import numpy as np
import pytest

from locomote.masses import Masses
from locomote.skeleton import Skeleton

mujoco = pytest.importorskip("mujoco")

GRAVITY = 9.81


def model(skeleton: Skeleton, masses: Masses):
    """MuJoCo's model; bodies have the names of the joints. Every joint must carry a mass."""
    spec = mujoco.MjSpec()
    spec.option.gravity = [0.0, -GRAVITY, 0.0]
    spec.compiler.balanceinertia = False
    spec.compiler.boundmass = 0.0
    bodies = {-1: spec.worldbody}
    for j, name in enumerate(skeleton.names):
        at = skeleton.offsets[j] if j else np.zeros(3)
        body = bodies[int(skeleton.parents[j])].add_body(name=name, pos=at)
        inertia = masses.inertia[j]
        body.mass, body.ipos, body.explicitinertial = masses.mass[j], masses.centre[j], True
        body.fullinertia = [*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]]
        kind = mujoco.mjtJoint.mjJNT_BALL if j else mujoco.mjtJoint.mjJNT_FREE
        body.add_joint(name=f"{name}_joint", type=kind)
        bodies[j] = body
    return spec.compile()


def random_tree(rng: np.random.Generator, joints: int) -> tuple[Skeleton, Masses]:
    """A body of any shape."""
    parents = np.array([-1, *(int(rng.integers(0, j)) for j in range(1, joints))])
    skeleton = Skeleton(tuple(f"b{j}" for j in range(joints)), parents, rng.normal(size=(joints, 3)) * 0.3)
    spread = rng.normal(size=(joints, 3, 3)) * 0.1
    moments = spread @ np.swapaxes(spread, 1, 2)
    mass = rng.uniform(0.3, 5.0, joints)
    inertia = mass[:, None, None] * (np.trace(moments, axis1=1, axis2=2)[:, None, None] * np.eye(3) - moments)
    return skeleton, Masses(mass, rng.normal(size=(joints, 3)) * 0.1, inertia)
