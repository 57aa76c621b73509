"""Foot skate and penetration of every recorded walk, before and after cleaning: docs/performance/clean.md.

Also draws docs/pictures/clean-feet.png, the feet of one clip before and after.

Run with the folder of recorded motion: python benchmarks/clean.py ../shared/data
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

import locomote as lm
from _page import PAGES, write_page
from contacts_force_plates import Trial, errors, moments, trials
from contacts_force_plates import summary as summarised
from locomote.contacts import detect
from locomote.human.fitting._corpus import Corpus

DRIFT = 3.0  # mm, 95th percentile over the plants of a clip
CHANGE = 15.0  # mm, mean over joints and frames
PENETRATION = 2.0  # mm
SHARE = 0.03  # by which duty factor and double support may change
ACCELERATION = 1.5  # times that of the source
SLOW_MOTION = {"cmu_91_10", *(f"cmu_132_{number}" for number in range(45, 51))}  # acted, no walk

PICTURE_FRAMES = (265, 290, 315, 345, 365)
HEAD = [
    "clip",
    "plants",
    "drift p95, mm",
    "drift max, mm",
    "penetration, mm",
    "floating, mm",
    "skate, m/s",
    "peak acceleration, m/s²",
    "mean change, mm",
    "largest change, mm",
    "body lowered, mm",
    "duty",
    "double support",
    "over a limit",
]


def walks(data: Path) -> list[Path]:
    """Every clip of the folder of walks that holds joints, and every other one that the shipped corpus walks in."""
    found = {p for p in (data / "human/walk").iterdir() if p.name.endswith((".bvh.xz", ".ik.mot.xz"))}
    found |= {clip.path for performer in Corpus.load(root=data).performers for clip in performer.walk}
    return sorted(found, key=lambda p: p.name)


class Gait(NamedTuple):
    """Shares of the time as the detector sees them, in the clip and in the cleaned one, with contacts found anew."""

    before: lm.Measures
    after: lm.Measures

    def change(self, name: str) -> float:
        was, now = getattr(self.before, name), getattr(self.after, name)
        return 0.0 if was is None or now is None else now - was

    def cell(self, name: str) -> str:
        was = getattr(self.before, name)
        return "" if was is None else f"{was:.2f} {self.change(name):+.3f}"


def seen(source: lm.Motion, done: lm.Cleaned) -> Gait:
    contacts = detect(source)
    return Gait(lm.measure(source, contacts), lm.measure(done.motion, detect(done.motion, floor=contacts.floor)))


def against_plates(data: Path) -> list[list[str]]:
    """Strikes and toe-offs of the walks over force plates, as recorded and cleaned."""
    rows = []
    motions: dict[str, tuple[lm.Motion, lm.Motion]] = {}
    judged = [t for t in trials(data / "human") if t.gait == "walk"]
    for trial in judged:
        motion = lm.load(data / "human/walk" / f"{trial.name}.ik.mot.xz")
        motions[trial.name] = motion, lm.clean(motion).motion
    for k, name in enumerate(("as recorded", "cleaned")):

        def found(trial: Trial, k: int = k) -> list[tuple[str, int, float]]:
            motion = motions[trial.name][k]
            start = float(re.findall(r"at ([\d.]+) s", motions[trial.name][0].notes[0])[0])
            return moments(detect(motion).events, start)

        rows.append([name, *(summarised(errors(judged, kind, found)) for kind in ("strike", "off"))])
    return rows


def over(done: lm.Cleaned) -> list[str]:
    ratio = done.after.peak_acceleration / max(done.before.peak_acceleration, 1e-9)
    checks = {
        "drift": done.after.drift_p95 >= DRIFT,
        "change": done.mean_change >= CHANGE,
        "penetration": done.after.penetration >= PENETRATION,
        "acceleration": ratio > ACCELERATION,
    }
    return [name for name, failed in checks.items() if failed]


def row(path: Path, done: lm.Cleaned, gait: Gait) -> list[str]:
    b, a = done.before, done.after
    name = path.name.split(".")[0] + (" (slow motion)" if path.name.split(".")[0] in SLOW_MOTION else "")
    return [
        name,
        str(b.plants),
        f"{b.drift_p95:.1f} → {a.drift_p95:.2f}",
        f"{b.drift_max:.1f} → {a.drift_max:.2f}",
        f"{b.penetration:.1f} → {a.penetration:.2f}",
        f"{b.floating:.1f} → {a.floating:.2f}",
        f"{b.skate_contact:.3f} → {a.skate_contact:.3f}",
        f"{b.peak_acceleration:.0f} → {a.peak_acceleration:.0f}",
        f"{done.mean_change:.1f}",
        f"{done.max_change:.0f}",
        f"{done.sink:.0f}",
        gait.cell("duty_factor"),
        gait.cell("double_support"),
        ", ".join([*over(done), *(["unchanged"] if done.reason else [])]),
    ]


def summary(clips: list[Path], results: list[lm.Cleaned], gaits: list[Gait]) -> list[list[str]]:
    def line(name: str, before: list[float] | None, after: list[float]) -> list[str]:
        figures = [before, after]
        return [name, *("" if f is None else f"{np.median(f):.2f}, {np.max(f):.1f}" for f in figures)]

    rows = [
        line(f"{name} (median, largest over the clips)", [figure(r.before) for r in results], after)
        for name, figure in (
            ("drift p95, mm", lambda m: m.drift_p95),
            ("penetration, mm", lambda m: m.penetration),
            ("floating, mm", lambda m: m.floating),
            ("skate, m/s", lambda m: m.skate_contact),
        )
        for after in [[figure(r.after) for r in results]]
    ]
    rows.append(line("mean change, mm (median, largest)", None, [r.mean_change for r in results]))
    rows.append(line("body lowered at most, mm (median, largest)", None, [r.sink for r in results]))
    limits = {
        "drift": f"drift p95 of {DRIFT:g} mm or more",
        "change": f"mean change of {CHANGE:g} mm or more",
        "penetration": f"penetration of {PENETRATION:g} mm or more",
        "acceleration": f"peak acceleration over {ACCELERATION:g} times the source's",
    }
    for key, text in limits.items():
        missed = [p.name.split(".")[0] for p, r in zip(clips, results, strict=True) if key in over(r)]
        before = ""
        if key == "drift":
            before = str(sum(r.before.drift_p95 >= DRIFT for r in results))
        if key == "penetration":
            before = str(sum(r.before.penetration >= PENETRATION for r in results))
        rows.append([f"clips of {len(clips)} with a {text}", before, str(len(missed))])
    for name, text in (("duty_factor", "duty factor"), ("double_support", "double support")):
        off = [abs(gait.change(name)) for gait in gaits]
        share = sum(change > SHARE for change in off)
        rows.append([f"change of the {text} (median, largest)", "", f"{np.median(off):.3f}, {np.max(off):.3f}"])
        rows.append([f"clips of {len(clips)} in which it changes by more than {SHARE:g}", "", str(share)])
    rows.append(["clips that would get worse, and are left unchanged", "", str(sum(bool(r.reason) for r in results))])
    return rows


def picture(data: Path) -> None:
    """One step of a clip whose feet sink and slide: as recorded above, cleaned below."""
    source = lm.load(data / "human/walk/cmu_104_35.bvh.xz", drop_tpose=True)
    tile = (400, 300)
    out = Image.new("RGB", (len(PICTURE_FRAMES) * tile[0], 2 * tile[1]), "white")
    for y, motion in enumerate((source, lm.clean(source).motion)):
        for x, frame in enumerate(PICTURE_FRAMES):
            whole = lm.draw.frame(motion, frame, view="side", size=(1100, 1100))
            feet = whole.crop((220, 605, 880, 1100)).resize(tile, Image.Resampling.LANCZOS)
            out.paste(feet, (x * tile[0], y * tile[1]))
    out.save(PAGES.parent / "pictures" / "clean-feet.png")


def main() -> None:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("../shared/data")
    picture(data)
    clips = walks(data)
    results, gaits = [], []
    for done, path in enumerate(clips, start=1):
        options = {"drop_tpose": True} if path.name.startswith("cmu_") else {}
        source = lm.load(path, **options)
        results.append(lm.clean(source))
        gaits.append(seen(source, results[-1]))
        print(f"{done}/{len(clips)} {path.name}", file=sys.stderr)
    method = (
        f"`locomote clean` on every recorded walk: {len(clips)} clips with a skeleton, those of the folder of walks "
        "and those in which a performer of the shipped corpus walks. Before → after. Drift is how far a planted heel "
        "or ball strays from its place, penetration the deepest any foot goes below the floor, floating the height "
        "of the lowest point of standing feet, skate the mean speed of heels and balls in contact (all as in "
        "[measure](../measure.md)), **over the contacts of the clip before it was cleaned**; change is how far joints "
        "are from where they were recorded. Duty factor and double support are those of contacts found anew in the "
        "cleaned clip, and how far they differ from the clip's own: feet that stand still are to be seen to stand as "
        "long. A clip gets worse if drift or penetration grow, or its peak acceleration by more than "
        f"{ACCELERATION:g} times and beyond 200 m/s², half of what plain capture has; it is then returned as it was."
    )
    write_page(
        "clean",
        "Clean feet, clip by clip",
        method,
        [
            ("All clips together", ["", "before", "after"], summary(clips, results, gaits)),
            (
                "Beside force plates: median error ± standard deviation, share within 33 ms",
                ["walks", "strikes", "toe-offs"],
                against_plates(data),
            ),
            ("Clip by clip", HEAD, [row(*each) for each in zip(clips, results, gaits, strict=True)]),
        ],
    )


if __name__ == "__main__":
    main()
