"""The command line: ``locomote VERB ...``, one module a verb.

Exit codes: 0 done, 1 a check failed, 2 bad input. Results go to standard output, everything else to standard error.
"""

from __future__ import annotations

import sys

import typer

from locomote.cli import (
    _start,
    batch,
    clean,
    clips,
    compress,
    contacts,
    convert,
    creature,
    demo,
    dog,
    draw,
    edit,
    examples,
    fit,
    forces,
    info,
    jump,
    measure,
    modes,
    pose,
    retarget,
    robot,
    scan,
    script,
    serve,
    solve,
    steps,
    studio,
    track,
    video,
    walk,
    wind,
)
from locomote.cli._shared import fail
from locomote.cli._words import in_options
from locomote.errors import LocomoteError

app = typer.Typer(
    name="locomote",
    help="People and creatures who go as told; and motion of any rig read, measured, drawn, put on another body.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("walk")(walk.walk)
app.command("jump")(jump.jump)
app.command("script")(script.script)
app.command("serve")(serve.serve)
app.add_typer(steps.app, name="steps")
app.command("studio")(studio.studio)
app.command("creature")(creature.creature)
app.command("clips")(clips.clips)
app.add_typer(dog.app, name="dog")
app.command("fit")(fit.fit)
app.command("info")(info.info)
app.command("convert")(convert.convert)
app.command("retarget")(retarget.retarget)
app.command("robot")(robot.robot)
app.command("solve")(solve.solve)
app.command("scan")(scan.scan)
app.command("clean")(clean.clean)
app.command("track")(track.track)
app.command("pose")(pose.pose)
app.command("edit")(edit.edit)
app.command("compress")(compress.compress)
app.command("measure")(measure.measure)
app.command("contacts")(contacts.contacts)
app.command("forces")(forces.forces)
app.command("video")(video.video)
app.command("modes")(modes.modes)
app.command("wind")(wind.wind)
app.command("draw")(draw.draw)
app.add_typer(batch.app, name="batch")
app.command("demo")(demo.demo)
app.command("examples")(examples.examples)


def _version(asked: bool) -> None:
    if asked:
        from locomote import __version__

        typer.echo(f"locomote {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: bool = typer.Option(
        False, "--version", help="Print the version and stop.", callback=_version, is_eager=True
    ),
) -> None:
    pass


def main() -> None:
    """Run the command line; every foreseen error is one line and exit code 2."""
    _start.allowed = True
    try:
        app()
    except LocomoteError as error:
        fail(in_options(str(error), sys.argv[1:]))
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        sys.stderr.close()
        sys.exit(1)
