"""``locomote studio``: a page in the browser where people and creatures are told what to do, watched and recorded."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Annotated

import typer

from locomote.cli._shared import Json, Quiet, say


def studio(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the page; 0 takes a free one.")] = 8080,
    host: Annotated[
        str,
        typer.Option(help="Address to answer on. Others than this machine reach it only if you say so here."),
    ] = "127.0.0.1",
    token: Annotated[
        str | None,
        typer.Option(help="Word that the address must carry; 'auto' makes one up.", show_default="none"),
    ] = None,
    people: Annotated[int, typer.Option(min=1, max=500, help="People to begin with.")] = 1,
    scene: Annotated[Path | None, typer.Option(help="Scene to open: a TOML file of `locomote script`.")] = None,
    shadows: Annotated[bool, typer.Option("--shadows/--no-shadows", help="Shadows on the floor.")] = True,
    fps: Annotated[
        float, typer.Option(min=1.0, max=60.0, help="Frames a second on the page; fewer for slow browsers.")
    ] = 30.0,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Open the studio: steer people and creatures live, drag stones and obstacles, look at clips, record it all."""
    from locomote.studio import Studio

    quiet = quiet or as_json
    say("getting ready", quiet)
    word = secrets.token_urlsafe(12) if token == "auto" else token
    made = Studio(host=host, port=port, token=word, people=people, shadows=shadows, fps=fps)
    try:
        if scene is not None:
            made.open_scene(scene)
        made.start()
        if as_json:
            typer.echo(json.dumps({"address": made.address, "port": made.port}))
        say(f"the studio is at {made.address} (stop with Ctrl-C)", quiet)
        if show:
            import webbrowser

            webbrowser.open(made.address)
        made.wait()
    except KeyboardInterrupt:
        say("closed", quiet)
    finally:
        made.stop()
