"""``locomote batch walk``: labelled walks of as many people as one likes, in shards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locomote.cli._batch import Again, Cluster, JsonLines, Workers, finish, progress
from locomote.cli._human import ModelFile
from locomote.cli._shared import Quiet
from locomote.errors import LocomoteError


def walk(
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", help="Files with the place of the number: out/shard-%05d.npz, or .parquet for tables."
        ),
    ],
    count: Annotated[int, typer.Option(min=1, help="People.")],
    speed: Annotated[str, typer.Option(metavar="LOW:HIGH", help="m/s, one number or from which to which.")] = "1.4",
    turn_rate: Annotated[
        str, typer.Option(metavar="LOW:HIGH", help="rad/s, positive to the left, one number or from which to which.")
    ] = "0",
    styles: Annotated[
        str, typer.Option(help="all: in turn; random: mixtures as people differ; or NAME,NAME,...")
    ] = "all",
    seconds: Annotated[float, typer.Option(min=0.1, max=3600.0, help="Length of each walk.")] = 10.0,
    fps: Annotated[float, typer.Option(min=5.0, max=240.0, help="Frames a second.")] = 30.0,
    gait: Annotated[str, typer.Option(help="auto, walk or run.")] = "auto",
    bodies: Annotated[str, typer.Option(help="common, or random: both sexes, all ages and builds.")] = "common",
    change: Annotated[
        float, typer.Option(min=0.0, help="Seconds after which each takes another speed and turn rate; 0 for never.")
    ] = 0.0,
    shard: Annotated[int, typer.Option(min=1, help="People in a file.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same people.")] = 0,
    model: ModelFile = None,
    workers: Workers = None,
    cluster: Cluster = None,
    again: Again = False,
    json_lines: JsonLines = False,
    quiet: Quiet = False,
) -> None:
    """Make labelled walks: poses, contacts, events, phases, speeds, styles and bodies, in shards."""
    from locomote import batch

    walks = batch.Walks(
        count=count,
        speed=_span("--speed", speed),
        turn_rate=_span("--turn-rate", turn_rate),
        seconds=seconds,
        fps=fps,
        styles=styles,
        gait=gait,
        bodies=bodies,
        change=change,
        seed=seed,
        shard=shard,
        model=model,
    )
    with progress("walk", quiet, json_lines) as tell:
        made = batch.walk(output, walks, workers=workers, cluster=cluster, again=again, progress=tell)
    finish(made, "shards", json_lines, quiet)


def _span(option: str, text: str) -> tuple[float, float]:
    low, colon, high = text.partition(":")
    try:
        return float(low), float(high if colon else low)
    except ValueError:
        raise LocomoteError(f"{option} {text}: expected a number, or two such as 0.5:3") from None
