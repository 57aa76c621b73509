"""``locomote fit``: a model of human motion from recorded clips."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.cli._human import check_place
from locomote.cli._shared import Json, Quiet, progress, say
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.human.fitting._report import FitReport

STEPS = 1000  # of the progress bar


def fit(
    corpus: Annotated[Path, typer.Argument(help="TOML file: who performs, in which clips.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Model file to write, .npz.")],
    root: Annotated[Path | None, typer.Option(help="Folder of the clips.", show_default="that of the corpus")] = None,
    report: Annotated[Path | None, typer.Option(help="Also write the report of the fit, .json.")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fit a model of walking and running to recorded clips; cycles that are turned down are listed with reasons."""
    from locomote.formats._files import atomic_path
    from locomote.human.fitting._corpus import Corpus
    from locomote.human.fitting._fit import fit as fit_corpus

    for file, suffix in ((output, ".npz"), (report, ".json")):
        if file is not None:
            if file.suffix.lower() != suffix:
                raise LocomoteError(f"{file}: expected a name that ends in {suffix}")
            check_place(file)
    material = Corpus.load(corpus, root)
    with progress(f"fitting {corpus.name}", quiet or as_json) as step:
        result = fit_corpus(material, progress=lambda share, _work: step(round(STEPS * share), STEPS))
    account = _account(result.report)
    result.model.save(output)
    if report is not None:
        with atomic_path(report) as temporary:
            temporary.write_text(json.dumps(account, indent=2, allow_nan=False), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(account, indent=2, allow_nan=False))
        return
    for one in result.report.rejections:
        say(f"{one.clip}, {one.start:.2f} to {one.stop:.2f} s, turned down: {one.reason}", quiet)
    say(result.report.text(), quiet)
    size = output.stat().st_size / 1000
    say(f"{output}: {len(result.model.styles)} styles, {size:.0f} kB", quiet)


def _account(report: FitReport) -> dict[str, Any]:
    """The report as plain values, ready for JSON."""
    return {
        "cycles": [
            {
                "performer": name,
                "gait": gait,
                "cycles": count,
                "cadence_ratio": report.cadence_ratios.get((name, gait)),
            }
            for (name, gait), count in report.cycles.items()
        ],
        "rejections": [asdict(one) for one in report.rejections],
        "components": {f"{share:g}": count for share, count in report.counts.items()},
        "stepping": [asdict(one) for one in report.stepping],
        "warnings": list(report.warnings),
    }
