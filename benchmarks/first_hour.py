"""The first hour of somebody new, as it is typed: the wheel, the pages, a rig, walks, a stream, the studio.

A new virtual environment in a folder outside of the repository, with the wheel and nothing else. Every block of the
pages is run as it stands, by this script in place of hands. Nothing counts as seen that was not printed or written.
Needs a wheel in ``dist``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from _page import write_page

HERE = Path(__file__).resolve().parents[1]
EXTRAS = "jit,studio,stream,film"
PAGES = ("start/first-walk", "start/first-creature", "start/own-rig", "guides/game", "guides/crowd", "guides/research")
WALKS = """
import locomote as lm
model = lm.human.HumanModel.default()
data = lm.human.record_labelled(lm.human.Crowd(model, 1000, speed=1.4), 10)
print(len(data), "walks with labels")
"""
# What a page's Python blocks are typed into: one session for a page, a block a line.
SESSION = """
import json, sys, traceback
names = {"__name__": "__main__"}
exec("import locomote as lm, numpy as np", names)
for line in sys.stdin:
    try:
        exec(compile(json.loads(line), "typed", "exec"), names)
        print(json.dumps(None), flush=True)
    except BaseException as error:
        print(json.dumps(f"{type(error).__name__}: {error}"), flush=True)
"""
ARRIVES = 5.0  # s, the aim: from the opening of the page to somebody who is steered
PATIENCE = 120.0  # s
SPEED = "() => document.body.innerText.match(/: ([0-9.]+) m.s/)[1]"  # that the page says of the person
FLAGS = ("--no-sandbox", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--mute-audio")
METHOD = """A new virtual environment in a folder outside of the repository, the wheel with the extras `{extras}` in it
(no kernels compiled ahead: whatever needs one compiles it here, once), and then what a reader would type: every block
of the pages, from the first, in their order and in one folder, as it stands; a thousand walks with labels, as
[crowds](../crowd.md) has them; a stream and its receiver in Python; the studio in a browser (Chromium, its pictures
drawn by the processor). Something *failed* if it ended with an error, showed a traceback, or did not write the file
that it names. Seconds are of the clock{beside}.

**{steps} steps, {failed} failed.** From the page's opening to somebody who obeys the arrow keys: **{steered} s**; the
aim is {aim:g}."""


class Step(NamedTuple):
    """Something that was typed, and what came of it."""

    where: str
    typed: str
    seen: str
    seconds: float
    failed: bool


class Reader:
    """Somebody new, with an environment and a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.steps = folder, list[Step]()
        self.bin = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        self.environment = {**kept, "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}", "PYTHONNOUSERSITE": "1"}
        self.environment["BROWSER"] = "true"  # a page that is shown is opened by nobody
        self.work = folder / "work"
        self.work.mkdir()

    def does(self, where: str, typed: str, act: Callable[[], tuple[str, bool]]) -> None:
        """One step."""
        began = time.perf_counter()
        try:
            seen, failed = act()
        except Exception as error:
            seen, failed = f"{type(error).__name__}: {error}", True
        self.steps.append(Step(where, typed, seen, time.perf_counter() - began, failed))
        print(self.steps[-1], flush=True)

    def shell(self, line: str) -> tuple[str, bool]:
        """A line at the prompt."""
        before = set(self.work.iterdir())
        done = subprocess.run(line, shell=True, cwd=self.work, env=self.environment, capture_output=True, text=True)
        output = re.search(r"(?:-o|>) (\S+)", line)
        lacking = output is not None and not (self.work / output[1]).exists()
        wrong = done.returncode != (1 if "exits 1" in line else 0) or "Traceback" in done.stderr or lacking
        said = _last(done.stderr or done.stdout if wrong else done.stdout or done.stderr)
        new = sorted(path.name for path in set(self.work.iterdir()) - before)
        return (said if wrong or not new else ", ".join(new[:4]) + (" ..." if len(new) > 4 else "")), wrong

    def page(self, name: str) -> None:
        """All blocks of a page."""
        sys.path.insert(0, str(HERE))
        from tests.docs.blocks import ELSEWHERE, blocks_of

        session = subprocess.Popen(
            [self.bin / "python", "-c", SESSION], cwd=self.work, env=self.environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert session.stdin is not None
        assert session.stdout is not None

        def types(code: str) -> tuple[str, bool]:
            session.stdin.write(json.dumps(code) + "\n")
            session.stdin.flush()
            while line := session.stdout.readline():
                try:
                    wrong = json.loads(line)
                except ValueError:
                    continue  # what the block prints
                return wrong or "no error", wrong is not None
            return "the session ended", True

        for block in blocks_of(HERE / "docs" / f"{name}.md"):
            if block.why:
                continue
            if block.kind == "python":
                first = next(line for line in block.code.splitlines() if line and not line.startswith("import"))
                self.does(
                    name, f"{first[:60]} ... ({len(block.code.splitlines())} lines)", lambda b=block: types(b.code)
                )
                continue
            for line in filter(None, (line.partition("  #")[0].strip() for line in block.code.splitlines())):
                if not any(line.startswith(start) for start in ELSEWHERE):
                    self.does(name, line, lambda line=line: self.shell(line))
        session.stdin.close()
        session.wait()


def _last(text: str) -> str:
    """The last line that says something."""
    said = [line.strip() for line in text.splitlines() if re.search(r"\w", line)]
    return said[-1] if said else ""


def stream(reader: Reader) -> tuple[str, bool]:
    """A server, and the receiver of the page."""
    shutil.copy(HERE / "examples" / "stream" / "receive.py", reader.work)
    server = subprocess.Popen(
        [reader.bin / "locomote", "serve", "--people", "20", "--port", "8797"],
        cwd=reader.work, env=reader.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert server.stderr is not None
        for line in server.stderr:
            if "ws://" in line:
                break
        command = [reader.bin / "python", "receive.py", "ws://127.0.0.1:8797", "--seconds", "3"]
        done = subprocess.run(
            command, cwd=reader.work, env=reader.environment, capture_output=True, text=True, timeout=60
        )
        said = done.stdout.strip().splitlines()
        return (said[-1] if said else done.stderr.strip()[-200:]), done.returncode != 0 or not said
    finally:
        server.terminate()
        server.wait()


def studio(reader: Reader, steered: list[float]) -> tuple[str, bool]:
    """The page, opened, and somebody steered on it by an arrow key."""
    from playwright.sync_api import sync_playwright

    command = [reader.bin / "locomote", "studio", "--port", "0", "--no-open", "--json"]
    served = subprocess.Popen(
        command, cwd=reader.work, env=reader.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert served.stdout is not None
        address = json.loads(served.stdout.readline())["address"]
        with sync_playwright() as driver:
            path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
            browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
            page = browser.new_page(viewport={"width": 760, "height": 360})
            page.goto(address)  # once, so that the browser itself has started
            page.wait_for_function("() => document.body.innerText.includes('m/s')", timeout=1000 * PATIENCE)
            page.close()
            page = browser.new_page(viewport={"width": 760, "height": 360})
            began = time.perf_counter()
            page.goto(address)
            page.wait_for_function("() => document.body.innerText.includes('person 1 of 1')", timeout=1000 * PATIENCE)
            speed = page.evaluate(SPEED)
            while float(page.evaluate(SPEED)) < float(speed) + 0.05 and time.perf_counter() - began < PATIENCE:
                page.keyboard.press("ArrowUp")
                page.wait_for_timeout(500)
            steered.append(time.perf_counter() - began)
            browser.close()
        return f"somebody walks, and goes faster at a press of the key ↑ after {steered[0]:.1f} s", False
    finally:
        served.terminate()
        served.wait()


def main() -> None:
    wheels = sorted((HERE / "dist").glob("locomote-*.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        sys.exit("no wheel: python3 -m build --wheel, or python3 tasks.py wheel")
    steered: list[float] = []
    with tempfile.TemporaryDirectory(prefix="first-hour-") as name:
        folder = Path(name)
        venv.create(folder / "env", with_pip=True)
        reader = Reader(folder)
        install = f"pip install 'locomote-{wheels[-1].name.split('-')[1]}-...whl[{EXTRAS}]'"
        reader.does(
            "start/install",
            install,
            lambda: reader.shell(f"pip install -q '{wheels[-1]}[{EXTRAS}]' && locomote --version"),
        )
        reader.does("start/install", "locomote --help", lambda: reader.shell("locomote --help"))
        for page in PAGES:
            reader.page(page)
        (reader.work / "walks.py").write_text(WALKS)
        reader.does("crowd", "python walks.py", lambda: reader.shell("python walks.py"))
        reader.does("stream", "locomote serve --people 20; python receive.py", lambda: stream(reader))
        reader.does("studio", "locomote studio", lambda: studio(reader, steered))
    write(reader.steps, steered[0] if steered else None)
    sys.exit(1 if any(step.failed for step in reader.steps) else 0)


def write(steps: list[Step], steered: float | None) -> None:
    """The page."""
    load = os.getloadavg()[0]
    method = METHOD.format(
        extras=EXTRAS,
        beside=f", beside other work: a load of {load:.0f} on {os.cpu_count()} cores" if load > 3.0 else "",
        steps=len(steps),
        failed=sum(step.failed for step in steps),
        aim=ARRIVES,
        steered="-" if steered is None else f"{steered:.1f}",
    )
    rows = [
        [
            f"[{step.where}](../{step.where}.md)",
            f"`{step.typed.replace('|', ' ')}`",
            step.seen.replace("|", " ")[:90],
            f"{step.seconds:.1f}",
            "**yes**" if step.failed else "no",
        ]
        for step in steps
    ]
    write_page(
        "first-hour",
        "The first hour",
        method,
        [("What was typed", ["page", "typed", "seen", "seconds", "failed"], rows)],
    )


if __name__ == "__main__":
    main()
