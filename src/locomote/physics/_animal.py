"""Any quadruped as a body of masses for MuJoCo, and how a controller finds its frames, legs and spine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locomote import rotations as rot
from locomote.creatures import Morphology
from locomote.creatures.catalogue._dog import dog
from locomote.masses import Masses
from locomote.physics._animal_build import FRICTION, Builder, load_mujoco
from locomote.physics._animal_ground import add_ground
from locomote.physics._animal_map import mapped
from locomote.physics._animal_parts import Parts, bone_of
from locomote.physics._kernels.animal_model import AnimalBody
from locomote.world import Ground

if TYPE_CHECKING:
    import mujoco

DOG_MASS, DOG_HEIGHT = 34.0, 0.46  # kg, and m of the hips
BACK = (10.0, 0.07, 0.085)  # kg of the links between its pelvis and chest, half width and height of each
# kg of the other links of the dog, and half width and height of those of the trunk, m (QUA-01)
_DOG: dict[str, tuple[float, float, float]] = {
    "pelvis": (4.0, 0.065, 0.07),
    "chest": (6.0, 0.075, 0.105),
    **{f"neck_{k}": (0.8, 0.05, 0.06) for k in range(1, 4)},
    "head": (2.2, 0.05, 0.05),
    **{f"tail_{k}": (0.1, 0.02, 0.02) for k in range(1, 5)},
    **{f"{name}.{side}": (mass, wide, deep) for side in "LR" for name, mass, wide, deep in (
        ("upper_arm", 1.2, 0.035, 0.045), ("forearm", 0.7, 0.025, 0.03), ("hand", 0.3, 0.02, 0.02),
        ("fingers", 0.2, 0.025, 0.02), ("thigh", 1.1, 0.04, 0.06), ("shank", 0.6, 0.025, 0.035),
        ("foot", 0.25, 0.02, 0.02), ("toes", 0.15, 0.025, 0.02),
    )},
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Animal:
    """A quadruped with weight: joints that are driven, masses, and the map by which the controller finds its parts.

    Every joint of its skeleton is a body of MuJoCo's model with the same name. What is neither trunk, neck, tail nor
    leg moves with what it hangs on.
    """

    morphology: Morphology
    masses: Masses
    rigid_spine: bool = False

    @classmethod
    def of(cls, creature: str | Morphology = "dog", mass: float | None = None, rigid_spine: bool = False) -> Animal:
        """An animal with weight.

        Parameters
        ----------
        creature : "dog", another built-in quadruped such as "wolf" or "horse", or the morphology of any rig
        mass : kg; 34 of the dog, and what its volume says of any other, where none is given
        rigid_spine : fuse the back between shoulders and hips
        """
        from locomote.creatures.catalogue import build

        morphology = build(creature) if isinstance(creature, str) else creature
        known = morphology.name == "dog" and "chest" in morphology.skeleton.names
        masses = dog_masses(morphology) if known else Masses.of(morphology.skeleton, mass, morphology.body)
        animal = cls(morphology, masses if mass is None else masses.scaled_to(mass), rigid_spine)
        animal.parts  # noqa: B018  a body without four legs is refused here
        return animal

    @classmethod
    def dog(cls, spine_links: int = 6, rigid_spine: bool = False) -> Animal:
        """The dog, with a back of another number of links.

        Parameters
        ----------
        spine_links : 2 (hips and shoulders alone) to 40, all as long and as heavy together
        rigid_spine : fuse them
        """
        return cls.of(dog(spine_links), rigid_spine=rigid_spine)

    @cached_property
    def parts(self) -> Parts:
        """Which joint is what."""
        return Parts.of(self.morphology)

    @cached_property
    def size(self) -> float:
        """How strong its joints are, against those of the dog: weight times height."""
        return self.masses.total / DOG_MASS * self.length

    @property
    def length(self) -> float:
        """How high its hips are, against those of the dog."""
        return self.height / DOG_HEIGHT

    @property
    def height(self) -> float:
        """m of the joints by which its legs hang, above its feet, on average."""
        hips = self.morphology.rest_pose[0][[leg[0] for leg in self.parts.legs]]
        return float(np.mean(hips[:, 1]) - np.mean(self.morphology.rest_feet[:, 1]))

    @property
    def tempo(self) -> float:
        """How long its strides last and how fast it is, against the dog, where both move alike."""
        return float(np.sqrt(self.length))

    def spec(self, friction: float = FRICTION, ground: Ground | None = None) -> mujoco.MjSpec:
        """MuJoCo's model in the making: the animal over its ground, in our axes (Y up).

        Parameters
        ----------
        friction : coefficient of paws on the ground; the rest of the body has 0.6 of it
        ground : level at height 0 without one
        """
        spec = Builder(self).build(friction)
        add_ground(spec, load_mujoco(), ground, friction)
        return spec

    def to_mjcf(self, path: str | Path) -> None:
        """Write the animal as an MJCF file that MuJoCo and others read.

        Parameters
        ----------
        path : of the ``.xml`` file
        """
        spec = self.spec()
        spec.compile()
        Path(path).write_text(spec.to_xml(), encoding="utf-8")

    def body(self, model: mujoco.MjModel) -> AnimalBody:
        """What the controller needs to know."""
        return mapped(self, model)


def dog_masses(creature: Morphology) -> Masses:
    """The masses of the dog: boxes as long as its bones."""
    skeleton = creature.skeleton
    count = len(skeleton)
    mass, centre, inertia = np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3, 3))
    positions, turns = skeleton.rest_pose()
    back = [name for name in skeleton.names if name.startswith("spine_")]
    for j, name in enumerate(skeleton.names):
        mass[j], wide, deep = (BACK[0] / len(back), *BACK[1:]) if name in back else _DOG[name]
        if not back and j in creature.girdles:
            mass[j] += 0.5 * BACK[0]
        bone = bone_of(creature, j)
        half = 0.5 * float(np.linalg.norm(bone))
        centre[j] = 0.5 * bone
        if j in creature.girdles:  # frames reach from behind their hips to before them
            legs = [i for i, girdle in enumerate(creature.girdles) if girdle == j]
            at = creature.hips[legs].mean(axis=0) + np.array([0.0, 0.02, 0.0])
            centre[j] = rot.rotate(rot.inverse(turns[j]), at - positions[j])
            half = 0.07 if j == 0 else 0.08
        along = rot.between(np.array([0.0, 0.0, 1.0]), bone / np.linalg.norm(bone))
        axes = rot.to_matrix(along)
        squares = np.array([deep**2 + half**2, wide**2 + half**2, wide**2 + deep**2])
        inertia[j] = axes @ np.diag(mass[j] / 3.0 * squares) @ axes.T
    return Masses(mass, centre, inertia)
