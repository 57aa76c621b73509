"""``locomote serve``: people and creatures live into other programs, over WebSocket and VMC."""

from __future__ import annotations

import gc
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from locomote.cli._human import ModelFile, model_of
from locomote.cli._serving import Ros, Senders, kinds_of, numbers_of, one_of, say_where, target_of
from locomote.cli._shared import Json, Quiet, progress, say
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.stream import Engine

LOOKS = 0.2  # s between looks whether the engine still runs


def serve(
    scene: Annotated[
        Path | None,
        typer.Argument(help="TOML file of a scene, as for `locomote script`.", show_default="who wanders about"),
    ] = None,
    people: Annotated[
        int | None,
        typer.Option(min=0, max=1000, help="How many people.", show_default="20 without creatures"),
    ] = None,
    creatures: Annotated[
        list[str] | None, typer.Option(metavar="KIND:COUNT", help="Creatures, such as wolf:5. Repeatable.")
    ] = None,
    world: Annotated[
        Path | None,
        typer.Option(help="TOML file of the ground and the obstacles on it.", show_default="a level floor"),
    ] = None,
    wander: Annotated[
        bool, typer.Option("--wander/--stand", help="Let everyone walk about until told otherwise, or stand.")
    ] = True,
    gestures: Annotated[
        bool, typer.Option("--gestures/--no-gestures", help="Who stands nods, shrugs, waves now and then.")
    ] = False,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for the whole network.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 for any.")] = 8765,
    rate: Annotated[float, typer.Option(min=1.0, max=240.0, help="Frames a second.")] = 60.0,
    vmc: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Also send a person by VMC, often to port 39539.")
    ] = None,
    livelink: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Also send everyone to Unreal as Live Link JSON, often to port 54321."),
    ] = None,
    livelink_layout: Annotated[
        str, typer.Option(metavar="array|object", help="How the plug-in wants the bones of a subject.")
    ] = "array",
    ros: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Also let a robot follow one of them, to rosbridge, often ws://127.0.0.1:9090."
        ),
    ] = None,
    robot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Its description (.urdf).", show_default="needed with --ros")
    ] = None,
    ros_who: Annotated[
        str | None, typer.Option(metavar="GROUP:NUMBER", help="Whom it follows.", show_default="the first of all")
    ] = None,
    vmc_who: Annotated[
        str, typer.Option(metavar="NUMBERS", help="Which people, such as 0,3: one port after the other.")
    ] = "0",
    token: Annotated[
        str | None,
        typer.Option(
            envvar="LOCOMOTE_TOKEN",
            help="Let in only who brings this word; needed beyond this machine.",
            show_default="anyone on this machine",
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Certificate (PEM): encrypt, wss://.", show_default="no encryption"),
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Its key (PEM).", show_default="in the certificate's file")
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(help="Web page that may connect, such as http://localhost:3000. Repeatable."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.0, help="Stop after so long.", show_default="until Ctrl-C")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same beginning.")] = 0,
    model: ModelFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Stream people and creatures live into games, tools and browsers, and take their commands."""
    kinds = kinds_of(creatures or [])
    target = None if vmc is None else target_of("--vmc", vmc, 39539)
    linked = None if livelink is None else target_of("--livelink", livelink, 54321)
    told = numbers_of(vmc_who)
    if (ros is None) != (robot is None):
        raise LocomoteError("--ros URL and --robot FILE go together: where a robot's joint states go, and which robot")
    follows = (None, 0) if ros_who is None else one_of(ros_who)
    if tls_key is not None and tls_cert is None:
        raise LocomoteError("--tls-key is the key of a certificate: expected --tls-cert FILE as well")
    from locomote.stream import Engine, LiveLinkSender, Server, VmcSender, stage_of, stage_of_scene
    from locomote.stream._doors import check_door
    from locomote.stream._staging import rehearse
    from locomote.world import Ground, Obstacles

    check_door(host, token)

    if scene is not None and (people is not None or kinds or world is not None or gestures):
        raise LocomoteError("a scene says who is there: leave out --people, --creatures, --world and --gestures")
    count = people if people is not None else 0 if kinds else 20
    chosen = None if model is None else model_of(model)
    if scene is not None:
        stage = stage_of_scene(scene, rate, chosen)
    else:
        stage = stage_of(
            count,
            kinds,
            seed=seed,
            wander=wander,
            model=chosen,
            ground=None if world is None else Ground.read(world),
            obstacles=None if world is None else Obstacles.read(world),
            gestures=gestures,
        )
    engine = Engine(stage, rate)
    tls = None if tls_cert is None else (tls_cert, tls_key)
    server = Server(engine, host, port, token=token, allow_origins=allow_origin or [], tls=tls)
    sender = None if target is None else VmcSender(engine, *target, who=told)
    link = None if linked is None else LiveLinkSender(engine, *linked, layout=livelink_layout)
    bridge = None if ros is None or robot is None else Ros.to(engine, ros, robot, *follows)
    with progress("warming up: compiled code is loaded, or made the first time", quiet or as_json) as step:
        rehearse("people" in stage.groups, list(kinds), progress=step)
    # What is there by now stays; looking through all of it for garbage would make frames late.
    gc.collect()
    gc.freeze()
    with _until_told(), ExitStack() as running:
        for each in (bridge and bridge.bridge, engine, server, sender, link, bridge and bridge.sender):
            if each is not None:
                running.enter_context(each)
        say_where(engine, server, Senders(sender, link, bridge), token is not None, as_json, quiet)
        _wait(engine, seconds)
    if engine.error is not None:
        raise LocomoteError(f"the engine stopped: {engine.error}") from engine.error
    figures = engine.figures
    if not as_json:
        say(
            f"stopped after {figures.frames} frames; {figures.lost} lost, 99 % no later than "
            f"{1e3 * figures.late[1]:.1f} ms, {100 * figures.share:.0f} % of a core",
            quiet,
        )


def _wait(engine: Engine, seconds: float | None) -> None:
    end = None if seconds is None else time.monotonic() + seconds
    while engine.running and (end is None or time.monotonic() < end):
        time.sleep(LOOKS if end is None else max(0.0, min(LOOKS, end - time.monotonic())))


@contextmanager
def _until_told() -> Iterator[None]:
    """Ctrl-C, or a signal to end, is the usual way out, not an error."""

    def end(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    in_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, end) if in_main else None
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        if in_main:
            signal.signal(signal.SIGTERM, before)
