"""What a user imports, and what importing costs."""

import subprocess
import sys

import pytest

import locomote
import locomote as lm
from locomote.measures import FIGURES


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip().splitlines()[-1]


def test_every_public_name_is_there() -> None:
    for name in locomote.__all__:
        assert getattr(locomote, name) is not None
    assert set(locomote.__all__) <= set(dir(locomote))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        locomote.nothing  # noqa: B018


def test_functions_stay_functions_after_their_rooms_are_imported() -> None:
    rooms = "import locomote.measures, locomote.retargeting, locomote as lm"
    assert python(f"{rooms}; print(callable(lm.measure), callable(lm.retarget))") == "True True"


@pytest.mark.parametrize(
    "code",
    [
        "import locomote",
        "import locomote as lm; lm.load, lm.save, lm.measure, lm.retarget, lm.samples, lm.draw, lm.contacts",
        "import locomote as lm; lm.ik.reach, lm.ik.two_bone, lm.ik.solve",
        "from locomote.cli import app; app(['--help'], standalone_mode=False)",
        "from locomote.cli import app; app(['measure', '--help'], standalone_mode=False)",
    ],
)
def test_nothing_is_compiled_at_import_or_for_help(code: str) -> None:
    heavy = "numba", "pxr", "imageio_ffmpeg"
    assert python(f"{code}\nimport sys; print([m for m in {heavy} if m in sys.modules])") == "[]"


def test_the_first_walk_loads_few_modules_and_nothing_that_fits_or_draws() -> None:
    walk = "import locomote.human as h; h.Crowd(h.HumanModel.default(), 1, speed=1.4).record(0.1)"
    loaded = python(f"{walk}\nimport sys; print(*(m for m in sys.modules if m.startswith('locomote')))").split()
    assert len(loaded) <= 95
    assert not [name for name in loaded if ".fitting" in name or ".draw" in name or ".creatures" in name]


def test_what_a_reader_looks_at_is_told_in_a_line() -> None:
    walk, crowd, wolves = (
        lm.samples.clip(),
        lm.human.Crowd(lm.human.HumanModel.default(), 3),
        lm.creatures.Crowd("wolf", 2),
    )
    ground = lm.world.Ground.rough(1, (6.0, 6.0))
    measures = lm.measure(walk)
    told = {
        repr(each)
        for each in (
            walk, walk.skeleton, lm.samples.rig().body, lm.contacts.detect(walk), measures,
            crowd, crowd.step(1 / 60), crowd.model, wolves, wolves.creature, wolves.creature.morphology,
            ground, lm.world.Obstacles(), lm.world.Maps(ground),
        )
    }  # fmt: skip
    assert len(told) == 14
    assert all(len(line) <= 100 and "\n" not in line for line in told)
    assert f"{len(walk)} frames at {walk.fps:g} per second" in repr(walk)
    known = {name for name in FIGURES if getattr(measures, name) is not None}
    assert {line.split()[0] for line in str(measures).splitlines()[1:]} == known
