"""An analysis of a database as text, and a map of where its steps land."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locomote.draw._palette import INK, LEFT, PAPER, RULE
from locomote.human._model import REFERENCE_HIP_HEIGHT
from locomote.steps._database import StepDatabase
from locomote.steps.building._analysis import ENOUGH, LONGEST_STEP, SIMILAR, Analysis

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE = 720  # pixels of the map
SHARPER = 2  # drawn larger and scaled down
MARGIN = 0.12  # m beyond the longest step
CAPTION = 62  # pixels above it
NARROW, WIDE = (242, 190, 90), (190, 60, 70)  # colours of steps out of a narrow and out of a wide stance
DISC = 22  # of 255: how much of a disc of similar steps covers what is below


def report(analysis: Analysis) -> str:
    """All checks with what was measured and what is required, then the shape of the space."""
    lines = [f"{analysis.steps} steps for each foot, on hips {analysis.hip_height:.2f} m high"]
    for check in analysis.checks:
        sign = ">=" if check.at_least else "<="
        verdict = "ok" if check.passed else "NOT MET"
        number = f"{check.measured:.1f} {check.unit}" if check.unit else f"{check.measured:.0f}"
        needed = f"{check.required:.1f} {check.unit}" if check.unit else f"{check.required:.0f}"
        lines.append(f"{check.name}: {number} (need {sign} {needed}) {verdict}")
    errors = analysis.pose_errors[np.isfinite(analysis.pose_errors)]
    inside, one, enough = (100.0 * share for share in analysis.covered)
    lines += [
        f"sidesteps: {analysis.sidesteps}",
        f"hull: {analysis.hull_volume:.2f} m3, {len(analysis.flattest)} tetrahedra",
        f"smallest dihedral angle: median {np.median(analysis.flattest):.1f} deg, "
        f"{100.0 * np.mean(analysis.flattest < 5.0):.0f} % below 5 deg",
        "corners with an alternative: " + ", ".join(f"{100.0 * a:.0f} %" for a in analysis.alternatives),
        f"required range: {inside:.0f} % in the hull, {one:.0f} % with a step within {100 * SIMILAR:.0f} cm, "
        f"{enough:.0f} % with {ENOUGH}",
        f"pose blended from the others: {100.0 * np.mean(errors):.1f} cm off, "
        f"median {100.0 * np.median(errors):.1f} cm",
    ]
    for start, x, z in analysis.missing:
        lines.append(f"missing: from {start:.2f} m beside the foot to ({x:.2f}, {z:.2f}) m")
    return "\n".join(lines)


def step_map(steps: StepDatabase, hip_height: float = REFERENCE_HIP_HEIGHT) -> Image:
    """Where right-foot steps land around the supporting foot: -z, ahead of feet side by side, is up.

    Parameters
    ----------
    steps, hip_height : the database, and m of who walks
    """
    from PIL import Image, ImageDraw

    reach = LONGEST_STEP * hip_height
    scale = 0.5 * SHARPER * SIZE / (reach + MARGIN)
    middle = 0.5 * SHARPER * SIZE
    page = Image.new("RGB", (SHARPER * SIZE, SHARPER * (SIZE + CAPTION)), PAPER)
    draw = ImageDraw.Draw(page, "RGBA")

    def ring(x: float, z: float, radius: float) -> tuple[float, float, float, float]:
        a, b, r = middle + scale * x, middle + scale * z + SHARPER * CAPTION, scale * radius
        return a - r, b - r, a + r, b + r

    for tenth in range(2, int(10 * reach) + 1, 2):
        draw.ellipse(ring(0.0, 0.0, 0.1 * tenth), outline=RULE, width=SHARPER)
    places = steps.params * hip_height
    share = np.clip(np.abs(places[:, 0]) / reach, 0.0, 1.0)[:, None]
    colours = np.round((1.0 - share) * NARROW + share * np.array(WIDE)).astype(int)
    for (_, x, z), colour in zip(places, colours.tolist(), strict=True):
        draw.ellipse(ring(x, z, SIMILAR), fill=(*colour, DISC))
    for (_, x, z), colour in zip(places, colours.tolist(), strict=True):
        draw.ellipse(ring(x, z, 0.008), fill=tuple(colour))
    draw.ellipse(ring(0.0, 0.0, reach), outline=INK, width=2 * SHARPER)
    draw.ellipse(ring(0.0, 0.0, 0.03), fill=LEFT)
    font_size = 13 * SHARPER
    notes = (
        (f"{len(steps)} steps of the right foot: where they land", 0),
        ("blue: the supporting foot; thin rings: every 20 cm; dark ring: the longest step required", 1),
        ("yellow: out of a narrow stance, red: out of a wide one", 2),
    )
    for text, row in notes:
        draw.text((8 * SHARPER, (6 + 17 * row) * SHARPER), text, fill=INK, font_size=font_size)
    return page.resize((SIZE, SIZE + CAPTION), Image.Resampling.LANCZOS)
