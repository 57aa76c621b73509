"""What ``locomote serve`` is told in words, and what it says of where to connect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from locomote.cli._shared import say
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.stream import Engine, LiveLinkSender, RosBridge, RosSender, Server, VmcSender


class Ros(NamedTuple):
    """A robot that follows somebody, and the bridge that its joint states go through."""

    bridge: RosBridge
    sender: RosSender
    url: str

    @classmethod
    def to(cls, engine: Engine, url: str, robot: Path, group: str | None, who: int) -> Ros:
        """Connect to a bridge; the group is the first one unless it is named."""
        from locomote.formats.urdf import read_model
        from locomote.stream import RosBridge, RosSender

        if robot.suffix != ".urdf":
            raise LocomoteError(f"{robot}: expected a robot description, .urdf")
        model = read_model(robot)
        bridge = RosBridge(url, base=model.skeleton.names[0])
        try:
            return cls(bridge, RosSender(engine, bridge, model, group=group, who=who), url)
        except LocomoteError:
            bridge.close()
            raise


class Senders(NamedTuple):
    """Who else gets the frames, beside those who connect."""

    vmc: VmcSender | None
    livelink: LiveLinkSender | None
    ros: Ros | None = None


def kinds_of(texts: list[str]) -> dict[str, int]:
    """Kinds of creatures and how many of each."""
    from locomote.creatures.catalogue._builtin import NAMES

    kinds: dict[str, int] = {}
    for text in ",".join(texts).split(",") if texts else []:
        name, colon, number = text.strip().partition(":")
        if name not in NAMES:
            raise LocomoteError(f"--creatures {text}: expected one of {', '.join(NAMES)}, such as wolf:5")
        if name in kinds or (colon and not (number.isdecimal() and len(number) < 5 and int(number) > 0)):
            raise LocomoteError(f"--creatures {text}: expected KIND:COUNT, such as wolf:5, each kind once")
        kinds[name] = int(number) if colon else 1
    return kinds


def target_of(option: str, text: str, usual: int) -> tuple[str, int]:
    """Where an option sends to; ``usual`` is the port that an error names."""
    host, _, port = text.rpartition(":")
    if not host or not (port.isdecimal() and 1 <= int(port[:6]) <= 65535):
        raise LocomoteError(f"{option} {text}: expected HOST:PORT, such as 127.0.0.1:{usual}")
    return host.strip("[]"), int(port)


def numbers_of(text: str) -> tuple[int, ...]:
    """Whom --vmc-who names."""
    numbers = text.split(",")
    if not all(each.strip().isdecimal() and len(each) < 6 for each in numbers):
        raise LocomoteError(f"--vmc-who {text}: expected numbers of people, such as 0,3")
    return tuple(int(each) for each in numbers)


def one_of(text: str) -> tuple[str, int]:
    """Whom --ros-who names."""
    group, _, number = text.rpartition(":")
    if not group or not (number.isdecimal() and len(number) < 6):
        raise LocomoteError(f"--ros-who {text}: expected GROUP:NUMBER, such as people:0")
    return group, int(number)


def say_where(engine: Engine, server: Server, senders: Senders, token: bool, as_json: bool, quiet: bool) -> None:
    """Say where to connect; ``token``: whether one has to be brought."""
    from locomote.stream._doors import is_local

    groups = {group.name: group.count for group in engine.latest.layout.groups}
    vmc = [] if senders.vmc is None else [f"{host}:{port}" for host, port in senders.vmc.addresses]
    linked = [] if senders.livelink is None else ["{}:{}".format(*senders.livelink.address)]
    ros = None if senders.ros is None else senders.ros.url
    if as_json:
        told = {"websocket": server.url, "page": server.page, "vmc": vmc, "livelink": linked, "ros": ros}
        typer.echo(json.dumps({**told, "groups": groups, "rate": engine.rate}))
        return
    who = ", ".join(f"{count} {name}" for name, count in groups.items())
    say(f"{who} at {engine.rate:g} frames a second", quiet)
    say(f"WebSocket: {server.url}", quiet)
    say(f"see them:  {server.page}", quiet)
    if token:
        say("           with ?token=... at the end", quiet)
    for who_told, address in zip(senders.vmc.who if senders.vmc else (), vmc, strict=True):
        say(f"VMC:       person {who_told} to {address}", quiet)
    for address in linked:
        subjects = senders.livelink.subjects if senders.livelink else ()
        say(f"Live Link: {len(subjects)} subjects, {subjects[0]} ..., to {address}", quiet)
    if senders.ros is not None:
        say(f"ROS:       joint states of {senders.ros.sender.group} {senders.ros.sender.who} to {ros}", quiet)
    if server.url.startswith("ws:") and not is_local(server.host):
        say("the token and all that is said can be read on the way: --tls-cert FILE encrypts", quiet)
    say("Ctrl-C ends it", quiet)
