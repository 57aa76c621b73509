"""The command line: ``locomote VERB ...``, one module a verb.

Exit codes: 0 done, 1 a check failed, 2 bad input. Results go to standard output, everything else to standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

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
from locomote.cli._help import HELP
from locomote.cli._shared import fail
from locomote.cli._words import in_options, of_usage
from locomote.errors import LocomoteError

app = typer.Typer(
    name="locomote",
    help="People and creatures who go as told; and motion of any rig read, measured, drawn, put on another body.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# In the order of the help, whose groups come as their first verbs do.
_VERBS: dict[str, Callable[..., None] | typer.Typer] = {
    "demo": demo.demo,
    "examples": examples.examples,
    "walk": walk.walk,
    "jump": jump.jump,
    "script": script.script,
    "steps": steps.app,
    "fit": fit.fit,
    "creature": creature.creature,
    "dog": dog.app,
    "modes": modes.modes,
    "wind": wind.wind,
    "studio": studio.studio,
    "serve": serve.serve,
    "info": info.info,
    "convert": convert.convert,
    "retarget": retarget.retarget,
    "clips": clips.clips,
    "clean": clean.clean,
    "pose": pose.pose,
    "edit": edit.edit,
    "compress": compress.compress,
    "robot": robot.robot,
    "batch": batch.app,
    "measure": measure.measure,
    "contacts": contacts.contacts,
    "forces": forces.forces,
    "draw": draw.draw,
    "solve": solve.solve,
    "track": track.track,
    "scan": scan.scan,
    "video": video.video,
}
for _name, _verb in _VERBS.items():
    _said = HELP[_name]
    if isinstance(_verb, typer.Typer):
        for _each in _verb.registered_commands:
            _each.epilog = HELP[f"{_name} {_each.name}"].epilog
        app.add_typer(_verb, name=_name, epilog=_said.epilog, rich_help_panel=_said.group)
    else:
        app.command(_name, epilog=_said.epilog, rich_help_panel=_said.group)(_verb)


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
        sys.exit(app(standalone_mode=False) or 0)
    except LocomoteError as error:
        fail(in_options(str(error), sys.argv[1:]))
    except Exception as error:
        if not hasattr(error, "format_message"):  # that class has had several homes
            raise
        if said := of_usage(error, sys.argv[1:]):
            fail(said)
        sys.exit(2)  # nothing was typed, and the help is shown
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        sys.stderr.close()
        sys.exit(1)
