"""How close the detected foot contacts are to those that force plates felt.

    python benchmarks/contacts_force_plates.py

Writes docs/performance/contacts.md. Needs the recorded motion in ../shared/data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from locomote.contacts import detect, detect_points
from locomote.contacts.feet import speeds
from locomote.contacts.records import runs
from locomote.formats import load
from locomote.formats.opensim import Forces, read_forces, read_markers
from locomote_lab.force_trials import belt_speed

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "human"

# The laws and thresholds of the detector were fitted to the subjects named here; the others judge them.
FITTED = {"walk": {"s2", "s4", "s7", "s10"}, "run": {"s01", "s03", "s10", "s17"}}

MARKERS = {  # heel, ball, toe of the left and the right foot
    "walk": (("L_calc", "L_5meta", "L_toe"), ("r_calc", "r_5meta", "r_toe")),
    "run": (("LCAL", "LMT5", "LTOE"), ("RCAL", "RMT5", "RTOE")),
}
SIDES = ("left", "right")
STANDING_FORCE = 20.0  # N; the truth
TOLERANCE = 0.033  # s
MISSED = 0.15  # s; no event of the kind so near
RECORD_CUT = 0.05  # s; an event nearer to either end of the record is cut by it

Found = list[tuple[str, int, float]]  # "strike" or "off", leg, seconds


@dataclass(frozen=True, eq=False)
class Trial:
    """One recording with its truth."""

    name: str
    gait: str
    points: np.ndarray  # (F, 2, 3, 3)
    fps: float
    start: float  # s
    stop: float
    belt: tuple[float, float, float]
    truth: Found

    @property
    def fitted(self) -> bool:
        return self.name.split("_")[-2] in FITTED[self.gait]


def trials(data: Path = DATA) -> list[Trial]:
    """All recordings with force plates: 16 walks over ground, 30 runs on a treadmill."""
    files = sorted([*data.glob("walk/opencap_*.trc.xz"), *data.glob("run/treadmill_*.trc.xz")])
    return [read_trial(path) for path in files]


def read_trial(path: Path) -> Trial:
    gait = path.parent.name
    markers = read_markers(path)
    points = np.stack([np.stack([markers.position(m) for m in foot], axis=1) for foot in MARKERS[gait]], axis=1)
    start, stop = float(markers.times[0]), float(markers.times[-1])
    forces = read_forces(path.with_name(path.name.replace(".trc", ".grf.mot")))
    belt = (0.0, 0.0, belt_speed(points, markers.fps) if gait == "run" else 0.0)
    truth = [e for e in felt(forces) if start + RECORD_CUT < e[2] < stop - RECORD_CUT]
    return Trial(path.name.split(".")[0], gait, points, markers.fps, start, stop, belt, truth)


def felt(forces: Forces) -> Found:
    """The strikes and offs of both feet that the plates felt."""
    out: Found = []
    for leg, side in enumerate(SIDES):
        standing = forces.foot(side).force[:, 1] > STANDING_FORCE
        for start, stop in runs(standing):
            out += [("strike", leg, float(forces.times[start]))] if start > 0 else []
            out += [("off", leg, float(forces.times[stop]))] if stop < len(standing) else []
    return out


@cache
def ours(trial: Trial) -> Found:
    contacts = detect_points(trial.points, trial.fps, belt_velocity=trial.belt)
    return moments(contacts.events, trial.start)


@cache
def ours_on_skeleton(trial: Trial) -> Found:
    """From joint angles instead of markers: the heel is then a virtual point of the rig."""
    motion = load(DATA / trial.gait / f"{trial.name}.ik.mot.xz")
    return moments(detect(motion, belt_velocity=trial.belt).events, trial.start)


def moments(events: tuple, start: float) -> Found:
    kinds = {"heel_strike": "strike", "toe_off": "off"}
    return [(kinds[e.kind], e.leg, e.time + start) for e in events if e.kind in kinds]


def fixed_thresholds(trial: Trial, points: list[int], on_speed: float, off_speed: float) -> Found:
    """What is usual: the same height and speed limits for every step, with hysteresis."""
    heights = trial.points[..., 1] - np.percentile(trial.points[..., 1], 5, axis=0)
    fast = speeds(trial.points, trial.fps, trial.belt)
    on = np.any(((heights < 0.05) & (fast < on_speed))[..., points], axis=2)
    hold = np.any(((heights < 0.08) & (fast < off_speed))[..., points], axis=2)
    state = np.zeros_like(on)
    for f in range(len(on)):
        state[f] = on[f] | (hold[f] & (state[f - 1] if f else False))
    out: Found = []
    for leg in range(2):
        for a, b in runs(state[:, leg]):
            out += [("strike", leg, a / trial.fps + trial.start)] if a > 0 else []
            out += [("off", leg, b / trial.fps + trial.start)] if b < len(on) else []
    return out


def errors(some: list[Trial], kind: str, detector: Callable[[Trial], Found]) -> np.ndarray:
    """Seconds, late positive, of every true event of a kind; infinite where nothing was found."""
    out = []
    for trial in some:
        found = detector(trial)
        for what, leg, time in trial.truth:
            if what == kind:
                near = [t - time for k, side, t in found if k == kind and side == leg]
                best = min(near, key=abs, default=np.inf)
                out.append(best if abs(best) < MISSED else np.inf)
    return np.array(out)


def false_strikes(some: list[Trial], detector: Callable[[Trial], Found]) -> int:
    """Strikes that no plate felt; on the treadmill, where the plates feel everything."""
    extra = 0
    for trial in some:
        for kind, leg, time in detector(trial):
            inside = trial.start + MISSED < time < trial.stop - MISSED
            known = any(k == kind and side == leg and abs(t - time) < MISSED for k, side, t in trial.truth)
            extra += kind == "strike" and inside and not known
    return extra


def summary(error: np.ndarray) -> str:
    found = error[np.isfinite(error)]
    share = 100.0 * np.mean(np.abs(error) <= TOLERANCE)
    return f"{1000 * np.median(found):+.0f} ± {1000 * found.std():.0f} ms ({share:.0f} %)"


def columns(some: list[Trial], detector: Callable[[Trial], Found]) -> list[str]:
    out, missed = [], []
    for gait in ("walk", "run"):
        for kind in ("strike", "off"):
            error = errors([t for t in some if t.gait == gait], kind, detector)
            out.append(summary(error))
            missed.append(str(np.count_nonzero(~np.isfinite(error))))
    running = [t for t in some if t.gait == "run"]
    return [*out, "/".join(missed), str(false_strikes(running, detector))]


def counts(some: list[Trial]) -> str:
    each = [
        sum(k == kind for t in some if t.gait == gait for k, _, _ in t.truth)
        for gait in ("walk", "run")
        for kind in ("strike", "off")
    ]
    return "{} walking strikes, {} walking toe-offs, {} running strikes, {} running toe-offs".format(*each)


def main() -> None:
    from _page import write_page

    everything = trials()
    fitted = [t for t in everything if t.fitted]
    judged = [t for t in everything if not t.fitted]

    def ball_only(trial: Trial) -> Found:
        return fixed_thresholds(trial, [1], 0.35, 0.60)

    def wide(trial: Trial) -> Found:
        return fixed_thresholds(trial, [0, 1, 2], 0.80, 1.40)

    head = [
        "detector",
        "walk strike",
        "walk toe-off",
        "run strike",
        "run toe-off",
        "missed",
        "false run strikes",
    ]
    prototype = [  # figures of an earlier trial of these ideas, fitted to all these recordings
        [
            "prototype, two stages, core 0.6 m/s",
            *("+10 ± 14 ms (97 %)", "-10 ± 8 ms (100 %)", "+20 ± 14 ms (91 %)", "+20 ± 32 ms (64 %)"),
            *("7 run", ""),
        ],
        [
            "prototype, fixed limits 0.80/1.40 m/s",
            *("0 ± 18 ms (94 %)", "-20 ± 10 ms (97 %)", "+10 ± 15 ms (95 %)", "0 ± 28 ms (80 %)"),
            *("0-1 run", ""),
        ],
    ]
    method = f"""\
Median error ± standard deviation, and the share of events within 33 ms; late is positive. Truth: a vertical
force above {STANDING_FORCE:.0f} N. Heel, ball (fifth metatarsal) and toe markers of 16 walks over ground
(OpenCap, 8 subjects, 100 frames/s) and 30 treadmill runs at 2 to 5 m/s (8 subjects, 100 or 120 frames/s);
events within 50 ms of the ends of a record are left out. "Missed" counts, in the order of the columns, events
with nothing found within 150 ms.

The detector's thresholds were fitted to walkers s2, s4, s7, s10 and runners s01, s03, s10, s17
({counts(fitted)}).
The other subjects judge them
({counts(judged)}).
The form of the rules was chosen after a look at the median curves of all subjects around the events, and the
least double support (0.03 s), which tells a walk from a run, lies in the gap between all walks and all runs.
One setting serves walking and running: the detector decides for every step. The belt's speed is that of the
balls of the feet while they are lowest. "Skeleton" is the same detector with the same thresholds on joint
angles instead of markers, where the heel is a virtual point of the rig."""
    write_page(
        "contacts",
        "Foot contacts against force plates",
        method,
        [
            (
                "Subjects not used for fitting",
                head,
                [
                    ["**locomote**, markers", *columns(judged, ours)],
                    ["**locomote**, skeleton", *columns(judged, ours_on_skeleton)],
                    ["ball only, fixed limits 0.35/0.60 m/s", *columns(judged, ball_only)],
                    ["heel, ball, toe, fixed limits 0.80/1.40 m/s", *columns(judged, wide)],
                ],
            ),
            ("Subjects used for fitting", head, [["**locomote**, markers", *columns(fitted, ours)]]),
            (
                "All subjects, beside the prototype",
                head,
                [["**locomote**, markers", *columns(everything, ours)], *prototype],
            ),
        ],
    )


if __name__ == "__main__":
    main()
