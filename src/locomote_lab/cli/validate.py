"""``python -m locomote_lab validate``: how well a model predicts what it has not seen, and how its people step."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.cli._human import ModelFile, make_folder, model_of
from locomote.cli._shared import Quiet, progress, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from locomote.human._model import HumanModel
    from locomote.human.fitting._corpus import Corpus
    from locomote_lab.human.norms import StepFigures
    from locomote_lab.human.validation import Report

STEPS = 1000  # of the progress bar
PLOTS = (  # figure, title, unit, factor
    ("cadence", "Cadence", "steps/min", 1.0),
    ("step_length", "Step length", "m", 1.0),
    ("duty", "Share of the cycle that a foot is on the ground", "%", 100.0),
    ("double_support", "Share of the cycle with both feet on the ground", "%", 100.0),
    ("flight", "Share of the cycle with no foot on the ground", "%", 100.0),
    ("wander", "How far the ball of a planted foot strays, before any correction", "cm", 100.0),
)


def validate(
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder for report.md, report.json, plots.")],
    model: ModelFile = None,
    corpus: Annotated[
        Path | None,
        typer.Option(help="TOML file of the recordings.", show_default="that of the shipped model"),
    ] = None,
    root: Annotated[
        Path | None,
        typer.Option(help="Folder of the recordings; without it only the model itself is examined."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Examine a model: cadence, steps and contacts over speed; with recordings also what it predicts of them.

    With recordings, exits 1 when a figure does not keep its bound.
    """
    from locomote.formats._files import atomic_path
    from locomote.human.fitting._corpus import Corpus

    people = model_of(model)
    recordings = None if corpus is None and root is None else Corpus.load(corpus, root)
    make_folder(output)
    with progress("examining the model", quiet) as step:

        def tell(share: float, _work: str) -> None:
            step(round(STEPS * share), STEPS)

        if recordings is None:
            from locomote_lab.human.norms import synthesised

            made: Sequence[StepFigures] = synthesised(people)
            page = f"# How the people of the model step\n\n{len(people.styles)} styles.\n"
            values: dict[str, Any] = {"synthesised": [asdict(one) for one in made]}
            failures = []
        else:
            report = _validated(people, recordings, tell)
            made, values = report.synthesised, report.as_dict()
            page = f"# Validation\n\n{report.markdown()}"
            failures = [check for check in report.checks() if not check.passed]
        pictures = [_plot(made, name, title, unit, factor, output) for name, title, unit, factor in PLOTS]
    page += "\n" + "\n".join(f"![{title}]({name})\n" for title, name in pictures)
    for file, text in (
        ("report.md", page),
        ("report.json", json.dumps(_plain(values), indent=2, allow_nan=False)),
    ):
        with atomic_path(output / file) as temporary:
            temporary.write_text(text, encoding="utf-8")
    say(f"{output / 'report.md'}: with {len(pictures)} plots and report.json beside it", quiet)
    for check in failures:
        wanted = f"{'at most' if check.at_most else 'at least'} {check.bound:g}"
        typer.echo(f"locomote: {check.name}: {check.value:.4g} {check.unit}, expected {wanted}", err=True)
    if failures:
        raise typer.Exit(1)


def _validated(model: HumanModel, recordings: Corpus, tell: Callable[[float, str], None]) -> Report:
    from locomote.human.fitting._material import gather_material
    from locomote_lab.human.validation import validate as examine

    material = gather_material(recordings, progress=lambda share, work: tell(0.4 * share, work))
    styles = {one.name: one.style for one in recordings.performers if one.style in model.styles}
    return examine(
        material.units,
        model,
        {name: style for name, style in styles.items() if style is not None},
        progress=lambda share, work: tell(0.4 + 0.6 * share, work),
    )


def _plot(
    made: Sequence[StepFigures], name: str, title: str, unit: str, factor: float, folder: Path
) -> tuple[str, str]:
    """A line for the mean over the styles, dashed ones for the least and the greatest, of both gaits."""
    from locomote.draw import Series, plot
    from locomote.draw import _palette as palette

    lines = []
    for gait, colour in (("walk", palette.LEFT), ("run", palette.RIGHT)):
        speeds = sorted({one.speed for one in made if one.gait == gait})
        found = [
            [factor * getattr(one, name) for one in made if one.gait == gait and one.speed == speed] for speed in speeds
        ]
        lines.append(Series(speeds, [sum(values) / len(values) for values in found], f"{gait}, mean", colour))
        for edge, of in (("least", min), ("greatest", max)):
            label = f"{gait}, least and greatest" if edge == "least" else ""
            lines.append(Series(speeds, [of(values) for values in found], label, colour, dashed=True))
    file = f"{name.replace('_', '-')}.png"
    plot(lines, folder / file, title=title, x_label="speed (m/s)", y_label=f"({unit})", size=(900, 380))
    return title, file


def _plain(value: Any) -> Any:
    """The same without numbers that JSON does not know."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
