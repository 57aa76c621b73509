"""Set up and run everything, with nothing but Python 3.11+: ``python3 tasks.py demo`` or ``python3 tasks.py check``.

A virtual environment is made in ``.venv`` on first use and brought up to date when pyproject.toml changes.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
DIST = HERE / "dist"
BARE = HERE / "build" / "bare"  # an environment without Numba
BARE_TOOLS = ("pytest", "pytest-xdist", "hypothesis", "pygltflib", "trimesh", "pybvh", "python-osc", "playwright")
BUILT = ("compiled", "first_hour")  # benchmarks of the built wheel, run only by name
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# What compiles for long, in pieces that go side by side: otherwise every process of the tests compiles all of it.
WARM_UP = (
    "from locomote.stream._staging import rehearse; rehearse(False, ['wolf'])",
    "from locomote.stream._staging import rehearse; rehearse(True, []); import locomote as lm; "
    "lm.steps.walk(lm.steps.plan_along([(0, 0), (0, 2)], speed=1.0)); "
    "from locomote_build import rehearsal; rehearsal.pictures(); rehearsal.packing(); rehearsal.spaces()",
)


def run(*command: str) -> None:
    """Run a command of the environment; stop with its exit code when it fails."""
    print("$", " ".join(command), flush=True)
    done = subprocess.run([str(BIN / command[0]), *command[1:]], cwd=HERE, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def install(extras: str) -> None:
    """Install the package in place with some extras, unless just that was done before."""
    wanted = hashlib.sha256(f"{extras} {sys.version} {(HERE / 'pyproject.toml').read_text()}".encode()).hexdigest()
    stamp = VENV / f"installed-{extras}"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    if not BIN.exists():
        print(f"making {VENV}", flush=True)
        venv.create(VENV, with_pip=True)
    run(
        "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--editable",
        f".[{extras}]",
    )
    stamp.write_text(wanted)


def demo(*arguments: str) -> None:
    """Install and run ``locomote demo``."""
    install("all")
    run("locomote", "demo", *arguments)


def find_browser() -> None:
    """See that there is a browser for the tests of the studio; as root on Debian it is installed."""
    if any(shutil.which(name) for name in BROWSERS):
        return
    if shutil.which("apt-get") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        print("no chromium found: the tests that look at the studio's page will be skipped", flush=True)
        return
    print("installing chromium, which the tests of the studio look at the page with", flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", "chromium"]):
        subprocess.run(["apt-get", *command], check=False, env=quiet, stdout=subprocess.DEVNULL)


def check(*arguments: str) -> None:
    """Install and run all checks: style, types, direction of imports, tests."""
    install("test")
    find_browser()
    run("ruff", "check", ".")
    run("ruff", "format", "--check", ".")
    print("compiling the kernels, some minutes on first use", flush=True)
    compiling = [subprocess.Popen([str(BIN / "python"), "-c", piece], cwd=HERE) for piece in WARM_UP]
    run("mypy")
    run("lint-imports")
    for each in compiling:
        each.wait()
    run("python", "-m", "pytest", "-n", "auto", "--dist", "loadgroup", *arguments)


def coverage(*arguments: str) -> None:
    """Run the tests with kernels uncompiled, and say which share of the lines of every room they reach."""
    install("test")
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # compiled code does not report lines
    command = [str(BIN / "python"), "-m", "pytest", "-n", "auto", "-q", "--cov", "--cov-report=json", *arguments]
    subprocess.run(command, cwd=HERE, check=False)  # rounding differs a little uncompiled: a few tests may fail
    run("python", "scripts/coverage_by_room.py")


def wheel() -> Path:
    """Build a wheel for this platform into ``dist``, its kernels compiled; some minutes."""
    install("test")
    if DIST.exists():
        for old in DIST.glob("*.whl"):
            old.unlink()
    if sys.platform == "linux":  # kernels for GPUs are the same on every system
        run("python", "-m", "locomote_build.gpu")
    os.environ.setdefault("LOCOMOTE_AHEAD", "1")  # or a folder where the kernels were compiled before
    run("python", "-m", "pip", "wheel", "--disable-pip-version-check", "--no-deps", "--wheel-dir", str(DIST), ".")
    return next(DIST.glob("*.whl"))


def bare(*arguments: str) -> None:
    """Run the tests with the built wheel in a new environment without Numba: all that need no compiler must pass."""
    built = next(DIST.glob("*-cp*.whl"), None) if DIST.exists() else None
    built = wheel() if built is None else built
    if BARE.exists():
        shutil.rmtree(BARE)
    print(f"making {BARE}", flush=True)
    venv.create(BARE, with_pip=True)
    python = str(BARE / BIN.name / "python")
    quiet = ["--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [python, "-m", "pip", "install", *quiet, f"{built}[usd,film,stream,studio]", *BARE_TOOLS], check=True
    )
    # What judges is not in the wheel; the package itself must come from there, not from the folder of the sources.
    shutil.copytree(HERE / "src" / "locomote_lab", BARE / "lab" / "locomote_lab")
    environment = {**os.environ, "PYTHONPATH": str(BARE / "lab")}
    command = [python, "-m", "pytest", "-p", "no:cacheprovider"]
    many = ["-n", "auto", "--dist", "loadgroup"]
    done = subprocess.run([*command, *many, *arguments], cwd=HERE, env=environment, check=False).returncode
    if not arguments:  # with Numba beside it: both ways must give the same bits
        subprocess.run([python, "-m", "pip", "install", *quiet, f"{built}[jit]"], check=True)
        same = [*command, "tests/math/test_same_bits.py"]
        done = subprocess.run(same, cwd=HERE, env=environment, check=False).returncode or done
    sys.exit(done)


def dist() -> None:
    """Build a source distribution and a wheel for any platform into ``out/dist``, and check what would be published."""
    install("docs")
    out = HERE / "out" / "dist"
    if out.exists():
        shutil.rmtree(out)
    run("python", "-m", "build", "--no-isolation", "--outdir", str(out), ".")
    files = sorted(str(path) for path in out.iterdir())
    run("python", "-m", "twine", "check", "--strict", *files)
    run("python", "scripts/contents.py", *files)


def docs(*arguments: str) -> None:
    """Build the documentation as a site into ``out/site``; a warning is an error."""
    install("docs")
    os.environ["NO_MKDOCS_2_WARNING"] = "1"  # an advertisement of another program, not a warning about ours
    run("python", "-m", "mkdocs", "build", "--quiet", *arguments)
    print(HERE / "out" / "site" / "index.html", flush=True)


def addons(*arguments: str) -> None:
    """Pack what Blender, Godot and Unity install into ``dist``."""
    install("all")
    run("python", "scripts/pack_addons.py", *arguments)


def features() -> None:
    """Write docs/features.md from the marks on the tests."""
    install("test")
    run("python", "scripts/features.py")


def mutate(*names: str) -> None:
    """Break the sources as ``tests/mutations.toml`` says; name the breaks that marked tests do not notice."""
    install("test")
    run("python", "scripts/mutate.py", *names)


def same(revision: str = "HEAD", *arguments: str) -> None:
    """Whether everything still moves as it did at a revision, bit for bit, on this machine."""
    install("test")
    sums = {}
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        subprocess.run(["git", "worktree", "add", "--detach", str(before), revision], cwd=HERE, check=True)
        try:
            for state, root in (("before", before), ("now", HERE)):
                script, kept = HERE / "scripts" / "same_motion.py", Path(folder) / f"{state}.json"
                command = [str(BIN / "python"), str(script), "--json", str(kept), *arguments]
                # Twice, and the second counts: a process that compiles kernels may round otherwise than one that
                # finds them compiled.
                for _ in range(2):
                    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(root / "src")})
                sums[state] = json.loads(kept.read_text())
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(before)], cwd=HERE, check=False)
    differs = [name for name in sums["before"] if sums["before"][name] != sums["now"].get(name)]
    sys.exit("differs from " + revision + ": " + ", ".join(differs) if differs else 0)


def lab(*arguments: str) -> None:
    """Judge the package: validate a model, study exact steps, measure crowds of creatures."""
    install("all")
    run("python", "-m", "locomote_lab", *arguments)


def bench(*names: str) -> None:
    """Run the benchmarks (all, or those named); each writes its page in docs/performance."""
    install("bench")
    if "compiled" in names and not any(DIST.glob("*-cp*.whl")):
        wheel()
    for path in sorted((HERE / "benchmarks").glob("*.py")):
        if not path.name.startswith("_") and (path.stem in names if names else path.stem not in BUILT):
            run("python", str(path.relative_to(HERE)))


def pages() -> None:
    """Name the pages of figures that are older than the kernels that they are about."""
    install("test")
    run("python", "scripts/pages.py")


def nightly(*arguments: str) -> None:
    """Run the property tests with many examples, drawn anew every time."""
    install("test")
    os.environ["HYPOTHESIS_PROFILE"] = "nightly"
    run("python", "-m", "pytest", "-n", "auto", "--dist", "loadgroup", "-m", "hypothesis", *arguments)


TASKS = {
    "demo": demo,
    "check": check,
    "coverage": coverage,
    "wheel": wheel,
    "bare": bare,
    "dist": dist,
    "docs": docs,
    "addons": addons,
    "features": features,
    "mutate": mutate,
    "nightly": nightly,
    "pages": pages,
    "same": same,
    "lab": lab,
    "bench": bench,
}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in TASKS:
        sys.exit(f"usage: python3 tasks.py {'|'.join(TASKS)} [arguments]")
    TASKS[sys.argv[1]](*sys.argv[2:])
