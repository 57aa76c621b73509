"""Forces under the feet and torques at the joints, from motion alone."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike

import numpy as np
import numpy.typing as npt

from locomote.contacts import Contacts, detect
from locomote.contacts.feet import ADULT_LEG
from locomote.contacts.footing import Footing, GroundOrTimes, contacts_on, feet_on
from locomote.draw import Arrows
from locomote.errors import LocomoteError
from locomote.masses import Masses, is_person
from locomote.math.constants import GRAVITY
from locomote.motion import Motion, checked_motion
from locomote.physics._contact_points import FRICTION, by_height, foot_contact
from locomote.physics._kernels.force_split import Contact, Price
from locomote.physics._newton import derivatives, loads, masses_by_flight, segment_motion, smooth
from locomote.physics._plausibility import Plausibility, plausibility
from locomote.physics._shares import expected_shares
from locomote.physics._splitting import contact_torques, need_of, split
from locomote.physics._strengths import joint_strengths
from locomote.physics._tables import table, write_csv
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

PRIORS = ("gait", "effort")
_WALKING, _RUNNING = 8.0, 12.0  # Hz; what is faster in the motion of an adult is taken for noise
_FLYING = (8.0, 9.0, 10.0, 12.0, 15.0, 20.0)  # Hz, of which flight says which is best
_ENDS = 5  # frames at either end of a clip, where filters guess
_NEAR = 1.2  # times the least that is left in flight is as good: of such cut-offs the lowest, which lets least through
_TOLD = 10  # frames in the air; fewer say nothing of the noise
_FLIGHT = 0.08  # of the frames in the air: a run or a jump
_PIVOT = 0.465  # leg lengths over the centre of mass: where the lines of force of people on their feet meet
_LACKING = 0.15  # body weights that no contact gives, from which on arrows turn red, and twice that: all red
_LOADED = 0.1  # body weights on a foot below which nobody minds that it slips
_NEAR_LIMIT = 0.8  # of the friction that was allowed, from which on arrows turn red
# The source of the method asks for the least effort alone. How people hand their weight from foot to foot, and where
# their forces point, is known better than that (the page on forces has both against force plates).
EFFORT = Price(residual=1e4, arm=2.0, force=1.0, share=0.0, pivot=0.0, steady=1e-3)
GAIT = Price(residual=1e4, arm=2.0, force=1.0, share=300.0, pivot=500.0, steady=1e-3)


@dataclass(frozen=True, eq=False)
class ContactForces:
    """What the ground does to every foot, and what the joints must bear. Made by `forces`.

    Forces are those on the body. ``residual`` is what the motion needs and no contact can give: of a recording noise,
    of an animation what is impossible.
    """

    fps: float
    skeleton: Skeleton
    masses: Masses
    force: FloatArray  # (F, L, 3) N on each foot
    centre: FloatArray  # (F, L, 3) m, the centre of pressure; the middle of the foot where it bears nothing
    friction: FloatArray  # (F, L) force along the ground over force on it; 0 where a foot bears nothing
    torques: FloatArray  # (F, J, 3) N m at the joints, in the world, of what is beyond a joint on it
    residual: FloatArray  # (F, 6) N and N m about the centre of mass
    limit: float  # the coefficient of friction that was allowed

    def __len__(self) -> int:
        return len(self.force)

    @property
    def stands(self) -> npt.NDArray[np.bool_]:
        """Whether a foot bears anything, ``(F, L)``."""
        return np.asarray(self.force.any(axis=-1))

    @property
    def weight(self) -> float:
        """N"""
        return self.masses.total * GRAVITY

    @property
    def effort(self) -> FloatArray:
        """The sum of the squares of all torques, ``(F,)`` (N m)2."""
        total: FloatArray = np.sum(self.torques**2, axis=(1, 2))
        return total

    def arrows(self, metres: float = 0.8) -> Arrows:
        """Arrows for `locomote.draw`, from every centre of pressure; red where friction or the contacts do not suffice.

        Parameters
        ----------
        metres : of an arrow of one body weight
        """
        missing = np.linalg.norm(self.residual[:, :3], axis=1) / self.weight
        lacking = np.clip((missing - _LACKING) / _LACKING, 0.0, 1.0)[:, None]
        slipping = np.clip((self.friction / self.limit - _NEAR_LIMIT) / (1.0 - _NEAR_LIMIT), 0.0, 1.0)
        loaded = np.clip(np.linalg.norm(self.force, axis=2) / (_LOADED * self.weight), 0.0, 1.0)
        return Arrows(self.centre, metres * self.force / self.weight, np.maximum(slipping * loaded, lacking))

    def save(self, path: str | PathLike[str], torques: bool = False) -> None:
        """Write a table (.csv): time, force, centre of pressure and friction of every foot, what is missing, effort.

        Parameters
        ----------
        path : of the file
        torques : also those of all joints, three columns each
        """
        names, columns = table(self, torques)
        write_csv(path, names, columns)

    def plausibility(self) -> Plausibility:
        """Whether a body could do this: what is missing, the largest forces, friction and torques."""
        return plausibility(self)


def forces(
    motion: Motion,
    mass: float | Masses | None = None,
    contacts: Contacts | None = None,
    *,
    ground: GroundOrTimes = None,
    prior: str = "gait",
    friction: float = FRICTION,
    cutoff: float | None = None,
    strengths: str | npt.ArrayLike = "uniform",
) -> ContactForces:
    """The forces that a motion needs at its feet, and the torques at its joints.

    Where feet share a load, it is split so that torques are small; of people, besides, as people hand over their
    weight. On a treadmill give ``contacts=locomote.contacts.detect(motion, belt_velocity=...)``.

    Parameters
    ----------
    motion : of a body with any number of legs
    mass : kg, or the masses of all segments; 70 kg for a person, 1,000 kg/m3 for others without it. Where a person
        flies, what its parts weigh is corrected by that, unless masses of all segments are given
    contacts : of the feet; found by the detector without them
    ground : on which it goes; the floor of the contacts without it
    prior : "gait": people hand their weight over as people do; "effort": all by the least torques, as other bodies
    friction : coefficient between feet and ground
    cutoff : Hz; what is faster in the motion is taken for noise. Without it 8 for walks of adults; for runs from 8 to
        20, as leaves the body nearly without weight in flight
    strengths : (J,) N m, what each joint bears at the same price, or the name of a set: "uniform", "literature",
        "relaxed" (literature with ankles twice as strong)
    """
    motion = checked_motion(motion, "forces")
    if prior not in PRIORS:
        raise LocomoteError(f"prior {prior!r}: expected one of {', '.join(PRIORS)}")
    masses = mass if isinstance(mass, Masses) else Masses.of(motion.skeleton, mass, motion.body)
    footing = None if ground is None else Footing(ground, motion)
    if contacts is None:
        found = detect(motion) if footing is None else contacts_on(motion, feet_on(motion, footing), footing)
        contacts = by_height(found, motion.skeleton.leg_length())
    contact = foot_contact(motion, contacts, friction, footing)
    moving = segment_motion(motion, masses, natural_cutoff(motion, contacts, masses) if cutoff is None else cutoff)
    flies = _in_flight(contacts)
    if not isinstance(mass, Masses) and is_person(motion.skeleton) and np.count_nonzero(flies) >= _TOLD:
        masses = masses_by_flight(motion.skeleton, masses, moving, flies)
    total = loads(motion.skeleton, masses, moving)
    weight = masses.total * GRAVITY
    by_gait = prior == "gait" and len(contacts.legs) == 2
    shares = expected_shares(contacts) if by_gait else np.full((len(motion), len(contacts.legs)), -1.0)
    strong = joint_strengths(motion.skeleton, masses.total, strengths)
    need = need_of(masses, moving, total, strong, shares, _PIVOT * motion.skeleton.leg_length())
    at_points = weight * split(contact, need, GAIT if by_gait else EFFORT)
    torques = total.torques - contact_torques(contact, at_points, moving.positions)
    missing = total.force - at_points.sum(axis=1)
    turning = total.moment - np.cross(contact.points, at_points).sum(axis=1) - np.cross(need.centre, missing)
    limbs = contact.chains.shape[0]
    force = at_points.reshape(len(motion), limbs, -1, 3).sum(axis=2)
    along = _normals(contact, limbs)
    pressed, pressure = _pressure(contact, at_points, limbs, along)
    slid = np.linalg.norm(force - pressed[..., None] * along, axis=-1)
    return ContactForces(
        fps=motion.fps,
        skeleton=motion.skeleton,
        masses=masses,
        force=force,
        centre=pressure,
        friction=np.where(pressed > 1e-6 * weight, slid / np.maximum(pressed, 1e-9), 0.0),
        torques=torques,
        residual=np.concatenate([missing, turning], axis=1),
        limit=friction,
    )


def natural_cutoff(motion: Motion, contacts: Contacts, masses: Masses) -> float:
    """Hz; what is faster is noise in the motion of a body of this size.

    Nothing carries a body in flight. What force its motion seems to need there is noise that too high a cut-off lets
    through, or force of the steps before and after that too low a one smears: a good one leaves little.
    """
    size = float(np.sqrt(ADULT_LEG / motion.skeleton.leg_length()))
    if np.mean(contacts.support == 0) <= _FLIGHT:
        return _WALKING * size
    flies = _in_flight(contacts)
    if np.count_nonzero(flies) < _TOLD:
        return _RUNNING * size
    centre, left = masses.centre_of_mass(*motion.world()), []
    for cutoff in _FLYING:
        _, acceleration = derivatives(smooth(centre, motion.fps, cutoff * size), motion.fps)
        left.append(float(np.sum((acceleration[flies] + (0.0, GRAVITY, 0.0)) ** 2)))
    return _FLYING[int(np.argmax(np.array(left) <= _NEAR * min(left)))] * size


def _in_flight(contacts: Contacts) -> npt.NDArray[np.bool_]:
    """The frames ``(F,)`` of a run or jump in which nothing stands and accelerations are known; in a walk none."""
    flies: npt.NDArray[np.bool_] = contacts.support == 0
    if np.mean(flies) <= _FLIGHT:
        return np.zeros_like(flies)
    flies[:_ENDS] = flies[len(flies) - _ENDS :] = False
    return flies


def _normals(contact: Contact, limbs: int) -> FloatArray:
    """The normal of the ground under each limb, ``(F, L, 3)``."""
    mean = contact.directions.mean(axis=2).reshape(len(contact.points), limbs, -1, 3).mean(axis=2)
    out: FloatArray = mean / np.linalg.norm(mean, axis=-1, keepdims=True)
    return out


def _pressure(contact: Contact, at_points: FloatArray, limbs: int, along: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The force on the ground ``(F, L)`` and its centre ``(F, L, 3)``."""
    shape = (len(at_points), limbs, -1, 3)
    points = contact.points.reshape(shape)
    pressed = np.maximum(np.einsum("flpa,fla->flp", at_points.reshape(shape), along), 0.0)
    total = pressed.sum(axis=2)
    share = np.where(total[..., None] > 0.0, pressed / np.maximum(total, 1e-12)[..., None], 1.0 / pressed.shape[2])
    return total, np.einsum("flp,flpa->fla", share, points)
