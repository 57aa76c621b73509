"""All figures of one motion in one object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from locomote.contacts import Contacts, detect, foot_points
from locomote.contacts.belts import travelling
from locomote.measures.body import body_events
from locomote.measures.doubts import doubts
from locomote.measures.gait import gait
from locomote.measures.limits import limits
from locomote.measures.manner import manner
from locomote.measures.plants import plants
from locomote.measures.skate import skate
from locomote.measures.smoothness import smoothness
from locomote.motion import Motion, checked_motion


def _figure(unit: str, meaning: str) -> Any:
    """A field of a report, with what is printed beside it."""
    return field(metadata={"unit": unit, "meaning": meaning})


@dataclass(frozen=True)
class Measures:
    """Figures of one motion; ``None`` where it has too few steps, or no legs, to tell."""

    name: str = _figure("", "file or clip")
    frames: int = _figure("", "frames")
    fps: float = _figure("1/s", "frame rate")
    duration: float = _figure("s", "first frame to last")
    speed: float = _figure("m/s", "path length over duration")
    path_length: float = _figure("m", "way of the root over the ground")
    net_distance: float = _figure("m", "from start to end")
    steps: int = _figure("", "footfalls")
    cadence: float | None = _figure("1/min", "footfalls a minute")
    stride_length: float | None = _figure("m", "between footfalls of one foot")
    step_length: float | None = _figure("m", "half a stride")
    step_width: float | None = _figure("m", "across the line of travel")
    duty_factor: float | None = _figure("", "share of the stride on the ground")
    double_support: float | None = _figure("", "share of the time on both feet")
    flight: float | None = _figure("", "share of the time on no foot")
    walk_ratio: float | None = _figure("mm min", "step length over cadence")
    skate_weighted: float = _figure("m/s", "sliding weighted by height (2.5 cm), feet summed")
    skate_ratio_fast: float = _figure("", "share of frames below 5 cm and faster than 0.5 m/s")
    skate_speed: float = _figure("m/s", "mean speed below 5 cm")
    skate_ratio: float = _figure("", "share of frames below 5 cm that are faster than 0.2 m/s")
    skate_contact: float = _figure("m/s", "mean speed of heel and ball in contact")
    plants: int = _figure("", "plants measured")
    drift_median: float = _figure("mm", "stray of a planted foot, median over plants")
    drift_p95: float = _figure("mm", "the same, 95th percentile")
    drift_max: float = _figure("mm", "the same, largest")
    penetration: float = _figure("mm", "deepest foot below the floor")
    penetration_share: float = _figure("", "share of frames with a foot over 1 cm deep")
    floating: float = _figure("mm", "height of the lowest point of standing feet, 95th percentile")
    peak_acceleration: float = _figure("m/s2", "largest of any joint")
    peak_joint: str = _figure("", "the joint that has it")
    pops: int = _figure("", "frames with a joint over 1500 m/s2")
    bone_drift: float = _figure("mm", "largest change of a bone's length")
    limit_violations: int = _figure("", "frames with a knee or elbow beyond its range")
    limit_worst: float = _figure("deg", "how far beyond")
    ankle_drop: float | None = _figure("cm", "most that an ankle comes down in 1/60 s")
    knee_step: float | None = _figure("deg", "most that a knee turns in 1/60 s")
    elbow_step: float | None = _figure("deg", "most that an elbow turns in 1/60 s")
    trunk_jolt: float | None = _figure("%", "largest second difference of the chest in 1/60 s, of the leg")
    head_jolt: float | None = _figure("%", "the same of the head")
    knee_peak: float | None = _figure("m/s2", "largest acceleration of a knee below 12 Hz")
    head_peak: float | None = _figure("m/s2", "the same of the head")
    pelvis_peak: float | None = _figure("m/s2", "the same of the pelvis")
    wrist_peak: float | None = _figure("m/s2", "the same of a wrist")
    arm_swing: float | None = _figure("deg", "range of the upper arm in a stride")
    elbow_bend: float | None = _figure("deg", "mean flexion of the elbow")
    wrist_behind: float | None = _figure("cm", "how far a wrist gets behind the pelvis")
    pelvis_bob: float | None = _figure("cm", "pelvis up and down in a stride")
    head_bob: float | None = _figure("cm", "head up and down in a stride")
    head_nod: float | None = _figure("deg", "look of the head up and down")
    counter_rotation: float | None = _figure("deg", "shoulders against hips")
    stance_knee: float | None = _figure("deg", "least flexion of a standing knee")
    swing_knee: float | None = _figure("deg", "most flexion of a knee")
    arm_leg_phase: float | None = _figure("deg", "of an arm after the leg of its side; 180 is opposite")
    asymmetry: float | None = _figure("%", "left against right")
    stride_variation: float | None = _figure("%", "of the time, stride to stride")
    length_variation: float | None = _figure("%", "of the length, stride to stride")
    hand_variation: float | None = _figure("cm", "of the path of a hand, stride to stride")
    lean: float | None = _figure("deg", "of the trunk into its turns")
    floor_height: float = _figure("m", "of the fitted floor at the origin")
    floor_slope: float = _figure("cm/m", "steepest slope of the fitted floor")
    pop_frames: tuple[int, ...] = _figure("", "frames that pop")
    joint_acceleration: Mapping[str, float] = _figure("m/s2", "peak of each joint")
    notes: tuple[str, ...] = ()  # what was taken for granted, one line each

    def __str__(self) -> str:
        """All figures that are known, a line each."""
        rows = [(name, getattr(self, name), *about) for name, about in FIGURES.items()]
        told = [(name, f"{value:.5g}", unit, meaning) for name, value, unit, meaning in rows if value is not None]
        wide = [max(len(row[k]) for row in told) for k in range(3)]
        lines = (f"{a:{wide[0]}}  {b:>{wide[1]}} {c:{wide[2]}}  {d}" for a, b, c, d in told)
        return "\n".join([self.name, *lines] if self.name else lines)

    def __repr__(self) -> str:
        return f"<Measures of {self.name!r}: {self.duration:.2f} s, {self.speed:.2f} m/s, {self.steps} steps; print it>"

    def as_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}


# Name -> (unit, meaning) of every single-valued figure, in the order of a report.
FIGURES: dict[str, tuple[str, str]] = {
    f.name: (f.metadata["unit"], f.metadata["meaning"])
    for f in fields(Measures)
    if f.name not in ("name", "peak_joint", "pop_frames", "joint_acceleration", "notes")
}


def measure(motion: Motion, contacts: Contacts | None = None, keep_tpose: bool = False) -> Measures:
    """Every figure of a motion.

    A treadmill is told by the feet, and figures are those over ground that rests; ``notes`` say so, and what makes the
    figures doubtful: too few frames a second, gaps, feet that stand on no level floor.

    Parameters
    ----------
    motion : any; without legs some figures are None
    contacts : when feet stand, and the floor; found unless given. Where the feet are, the motion tells
    keep_tpose : a T pose that was put before the recording is left out unless kept
    """
    motion = checked_motion(motion, "measure")
    if contacts is not None:
        return figures(motion, contacts.with_feet(foot_points(motion)))
    contacts = detect(motion, keep_tpose=keep_tpose)
    notes = contacts.notes
    if notes:
        motion = travelling(motion[contacts.tpose :], contacts.belt_velocity)
        contacts = detect(motion, belt_velocity=(0.0, 0.0, 0.0), keep_tpose=True)
    return replace(figures(motion, contacts), notes=(*notes, *doubts(motion, contacts)))


def figures(motion: Motion, contacts: Contacts) -> Measures:
    """Every figure of a motion whose feet are where ``contacts`` say, such as on ground that moves."""
    positions, world = motion.world()
    root = positions[:, motion.skeleton.roles.root]
    walk = gait(contacts, root)
    slide = skate(contacts)
    planted = plants(contacts)
    smooth = smoothness(motion, positions)
    bent = limits(motion, positions, world)
    floor = contacts.floor
    how = manner(motion, contacts)
    return Measures(
        name=motion.name,
        frames=len(motion),
        fps=motion.fps,
        duration=motion.duration,
        **walk._asdict(),
        skate_weighted=slide.weighted,
        skate_ratio_fast=slide.ratio_fast,
        skate_speed=slide.speed,
        skate_ratio=slide.ratio,
        skate_contact=slide.contact,
        plants=planted.plants,
        drift_median=planted.drift_median,
        drift_p95=planted.drift_p95,
        drift_max=planted.drift_max,
        penetration=planted.penetration,
        penetration_share=planted.penetration_share,
        floating=planted.floating,
        peak_acceleration=smooth.peak_acceleration,
        peak_joint=smooth.peak_joint,
        pops=len(smooth.pop_frames),
        bone_drift=smooth.bone_drift,
        limit_violations=bent.violations,
        limit_worst=bent.worst,
        **body_events(motion)._asdict(),
        **{name: value for name, value in how._asdict().items() if name not in ("strides", "turn_rate")},
        floor_height=floor.height,
        floor_slope=100.0 * float((floor.slope_x**2 + floor.slope_z**2) ** 0.5),
        pop_frames=smooth.pop_frames,
        joint_acceleration=smooth.by_joint,
    )
