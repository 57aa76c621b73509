"""``locomote fit``: a model of human motion from recorded clips, or a style from a few clips into a fitted model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.cli._human import ModelFile, check_place, model_of
from locomote.cli._shared import Json, Quiet, Unit, Up, load_options, progress, say
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.human.fitting import FitResult, StyleFit
    from locomote.human.fitting._cycles import Rejection
    from locomote.human.fitting._material import Skipped

STEPS = 1000  # of the progress bar


def fit(
    files: Annotated[
        list[Path], typer.Argument(help="TOML file: who performs, in which clips; with --style the clips themselves.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Model file to write, .npz.")],
    style: Annotated[
        str | None, typer.Option(help="Add a style of this name to a fitted model, from clips of one person.")
    ] = None,
    model: ModelFile = None,
    gait: Annotated[
        str | None, typer.Option(help="With --style: walk or run.", show_default="auto, for each clip by itself")
    ] = None,
    stand: Annotated[
        list[Path] | None, typer.Option(help="With --style: clip in which the person stands still; may be repeated.")
    ] = None,
    hip_height: Annotated[
        float | None,
        typer.Option(min=0.3, max=1.5, help="With --style: metres.", show_default="that of the files' skeletons"),
    ] = None,
    unit: Unit = None,
    up: Up = None,
    about: Annotated[str, typer.Option(help="With --style: source and licence of the clips, kept in the model.")] = "",
    root: Annotated[Path | None, typer.Option(help="Folder of the clips.", show_default="that of the corpus")] = None,
    report: Annotated[Path | None, typer.Option(help="Also write the report of the fit, .json.")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fit a model of walking and running to recorded clips, or add one person's style to a fitted model.

    Cycles that are turned down and clips that are of no use are listed with reasons; the fit goes on without them.
    """
    for file, suffix in ((output, ".npz"), (report, ".json")):
        if file is not None:
            if file.suffix.lower() != suffix:
                raise LocomoteError(f"{file}: expected a name that ends in {suffix}")
            check_place(file)
    of_styles = {
        "--model": model, "--gait": gait, "--stand": stand, "--hip-height": hip_height, "--unit": unit, "--up": up,
        "--about": about or None,
    }  # fmt: skip
    if style is None:
        _refuse(of_styles, "with --style NAME and clips, not with a corpus")
        _whole(files, output, root, report, as_json=as_json, quiet=quiet)
        return
    _refuse({"--root": root}, "with a corpus, not with --style")
    from locomote.human.fitting import fit_style

    base = model_of(model)
    with progress(f"fitting style {style}", quiet or as_json):
        done = fit_style(
            files, style, model=base, gait=gait or "auto", stand=stand or (), hip_height=hip_height, about=about,
            **load_options(unit, up),
        )  # fmt: skip
    done.model.save(output)
    _tell(done, output, _account_of_style(done), report, as_json=as_json, quiet=quiet)


def _whole(
    files: Sequence[Path], output: Path, root: Path | None, report: Path | None, *, as_json: bool, quiet: bool
) -> None:
    from locomote.human.fitting import Corpus
    from locomote.human.fitting import fit as fit_corpus

    if len(files) != 1 or files[0].suffix.lower() != ".toml":
        raise LocomoteError(
            f"fit: expected one corpus, a .toml file, got {', '.join(str(file) for file in files)}; "
            "clips of one person become a style: locomote fit --style NAME CLIPS"
        )
    material = Corpus.load(files[0], root)
    with progress(f"fitting {files[0].name}", quiet or as_json) as step:
        result = fit_corpus(material, progress=lambda share, _work: step(round(STEPS * share), STEPS))
    result.model.save(output)
    _tell(result, output, _account(result), report, as_json=as_json, quiet=quiet)


def _tell(
    done: FitResult | StyleFit,
    output: Path,
    account: dict[str, Any],
    report: Path | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """What was used and what was not, for a person or a program."""
    from locomote.formats._files import atomic_path
    from locomote.human.fitting import StyleFit

    text = json.dumps(account, indent=2, allow_nan=False)
    if report is not None:
        with atomic_path(report) as temporary:
            temporary.write_text(text, encoding="utf-8")
    if as_json:
        typer.echo(text)
        return
    told = done if isinstance(done, StyleFit) else done.report
    for one in told.rejections:
        say(f"{one.clip}, {one.start:.2f} to {one.stop:.2f} s, turned down: {one.reason}", quiet)
    if isinstance(done, StyleFit):
        for each in done.skipped:
            say(str(each), quiet)
    say(told.text(), quiet)
    size = output.stat().st_size / 1000
    say(f"{output}: {len(done.model.styles)} styles, {size:.0f} kB", quiet)


def _refuse(options: dict[str, Any], where: str) -> None:
    for name, value in options.items():
        if value is not None:
            raise LocomoteError(f"fit: {name} goes {where}")


def _account(result: FitResult) -> dict[str, Any]:
    """The report of a whole fit as plain values, ready for JSON."""
    report = result.report
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
        **_left_out(report.rejections, report.skipped),
        "components": {f"{share:g}": count for share, count in report.counts.items()},
        "stepping": [asdict(one) for one in report.stepping],
        "warnings": list(report.warnings),
    }


def _account_of_style(done: StyleFit) -> dict[str, Any]:
    return {"style": done.name, "cycles": done.cycles, **_left_out(done.rejections, done.skipped)}


def _left_out(rejections: Sequence[Rejection], skipped: Sequence[Skipped]) -> dict[str, Any]:
    return {"rejections": [asdict(one) for one in rejections], "skipped": [asdict(one) for one in skipped]}
