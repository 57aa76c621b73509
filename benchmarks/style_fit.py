"""Styles from three clips of people whom the model has never seen, judged on their other cycles.

    python benchmarks/style_fit.py [DATA]

Writes docs/performance/style-fit.md. Needs the recorded motion in ../shared/data, and some two minutes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean

import numpy as np

from _page import write_page
from locomote import rotations as rot
from locomote.human import Corpus, HumanModel, fit_style
from locomote.human.fitting import Clip, Performer
from locomote.human.fitting._cycles import LIMBS, Unit
from locomote.human.fitting._fit import SLOWEST_USED, common_speed, fit_material
from locomote.human.fitting._gaits import GAITS
from locomote.human.fitting._material import Material, gather_material

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SHOWN = 3
BOUND = 6.5  # degrees
METHOD = f"""Every performer of the shipped model's corpus with cycles in more than {SHOWN} clips is left out, the
model is fitted to all others, and `fit_style` gets {SHOWN} of the clips: of all in the order of gait and
speed the first, the middle and the last. It is given files and nothing else: gait, treadmill and marker
constants are found from these clips. Judged are the cycles of the other clips, at their own speeds: root
mean square angle over the limb joints and the cycle, degrees, mean over cycles (worst cycle). Beside it:
the style in the model that is nearest to each cycle (chosen knowing it), and the nearest cycle of the
shown clips (likewise): how much the person repeats themselves. Asked for: at most {BOUND} degrees."""


def main() -> None:
    corpus = Corpus.load(root=Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
    material = gather_material(corpus)
    rows, cells = [], []
    for performer in corpus.performers:
        found = _left_out(performer, material, corpus)
        if found is not None:
            made, nearest, own, seconds, counts = found
            rows.append(
                [
                    performer.name, counts, str(len(made)), f"{mean(made):.1f} ({max(made):.1f})",
                    f"{mean(nearest):.1f}", f"{mean(own):.1f}", f"{seconds:.1f}",
                ]
            )  # fmt: skip
            cells.append((mean(made), mean(nearest), mean(own), seconds))
            print(rows[-1], file=sys.stderr, flush=True)
    made, nearest, own, seconds = np.array(cells).T
    within = int(np.sum(made <= BOUND))
    rows.append(
        [
            f"mean of {len(made)}", "", "", f"{made.mean():.1f}", f"{nearest.mean():.1f}", f"{own.mean():.1f}",
            f"{seconds.mean():.1f}",
        ]
    )  # fmt: skip
    rows.append([f"at most {BOUND}", "", "", f"{within} of {len(made)}", str(int(np.sum(nearest <= BOUND))), "", ""])
    head = ["performer", "clips: shown, judged", "cycles judged", "style of three clips", "nearest style",
            "nearest shown cycle", "s for the style"]  # fmt: skip
    write_page("style-fit", "A style from three clips", METHOD, [("", head, rows)])


def _left_out(
    performer: Performer, material: Material, corpus: Corpus
) -> tuple[list[float], list[float], list[float], float, str] | None:
    """Errors of the style, of the nearest style, and of the nearest shown cycle; seconds; and which clips."""
    mine = [u for u in material.units if u.subject == performer.name]
    mine = [u for u in mine if u.gait == "run" or common_speed(u) >= SLOWEST_USED]
    clips = _in_order(performer, mine)
    if len(clips) <= SHOWN:
        return None
    picked = [clips[0], clips[len(clips) // 2], clips[-1]]
    names = {clip.name for clip in picked}
    others = Corpus(tuple(p for p in corpus.performers if p is not performer), corpus.sources)
    model = fit_material(
        replace(
            material,
            units=tuple(u for u in material.units if u.subject != performer.name),
            stands={name: stand for name, stand in material.stands.items() if name != performer.name},
        ),
        {p.name: p.style for p in others.performers if p.style is not None},
    ).model
    begin = time.process_time()
    done = fit_style([clip.path for clip in picked], "new", model=model, hip_height=performer.hip_height)
    seconds = time.process_time() - begin
    judged = [u for u in mine if u.clip not in names]
    shown = [u for u in mine if u.clip in names]
    made = [_error(done.model, u, "new") for u in judged]
    nearest = [min(_error(model, u, style) for style in model.styles) for u in judged]
    own = [min(_between(u, v) for v in shown if v.gait == u.gait) for u in judged]
    return made, nearest, own, seconds, f"{SHOWN}, {len(clips) - SHOWN}"


def _in_order(performer: Performer, units: Sequence[Unit]) -> list[Clip]:
    """Clips with cycles, by gait and speed."""
    out: list[tuple[int, float, Clip]] = []
    for g, gait in enumerate(GAITS):
        for clip in dict.fromkeys(getattr(performer, gait)):
            speeds = [common_speed(u) for u in units if (u.clip, u.gait) == (clip.name, gait)]
            if speeds:
                out.append((g, mean(speeds), clip))
    return [clip for *_, clip in sorted(out, key=lambda row: row[:2])]


def _error(model: HumanModel, unit: Unit, style: str) -> float:
    cycle = model.unit(common_speed(unit), float(unit.gait == "run"), model.weights(style))
    return _angle(model.encoding.decode(cycle)[1], unit.rotations)


def _between(a: Unit, b: Unit) -> float:
    return _angle(a.rotations, b.rotations)


def _angle(a: rot.FloatArray, b: rot.FloatArray) -> float:
    return float(np.degrees(np.sqrt(np.mean(rot.distance(a[:, LIMBS], b[:, LIMBS]) ** 2))))


if __name__ == "__main__":
    main()
