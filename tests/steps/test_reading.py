"""Foot plans and stones as tables: round trips, and one clear line for what is wrong and where."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.errors import FormatError, LocomoteError
from locomote.steps._paths import plan_along
from locomote.steps._plan import LEFT, RIGHT
from locomote.steps._reading import plan_of_rows, read_plan, read_stones, write_plan


def written(folder: Path, text: str) -> Path:
    file = folder / "plan.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_least_and_the_most_that_a_file_says(tmp_path: Path) -> None:
    plan = read_plan(written(tmp_path, "side,x,z\nL,0.1,0\nR,-0.1,0\nL,0.1,0.6\n"))
    assert plan.sides.tolist() == [LEFT, RIGHT, LEFT]
    assert plan.places[2].tolist() == [0.1, 0.0, 0.6]
    assert np.isnan(plan.yaws).all()
    assert np.isnan(plan.times).all()
    full = "# stones\nSide, X, Y, Z, Yaw, Time\nleft,0.1,0.2,0,30deg,0\n\nr,-0.1,,0,,\nL,0.1,0,0.6,0.5,1.25\n"
    plan = read_plan(written(tmp_path, full))
    assert plan.places[:, 1].tolist() == [0.2, 0.0, 0.0]
    assert plan.yaws[[0, 2]] == pytest.approx([math.radians(30.0), 0.5])
    assert math.isnan(plan.yaws[1])
    assert plan.times[[0, 2]].tolist() == [0.0, 1.25]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("\n# nothing\n", "expected a header such as side,x,z"),
        ("side,x,z\n", "a header and nothing below it"),
        ("side,x\nL,1\n", "line 1: no column 'z'"),
        ("side,x,z,speed\n", "line 1: unknown column 'speed' .* there are: side, x, y, z, yaw, time"),
        ("side,x,z,x\n", "line 1: column 'x' twice"),
        ("0.1,0.2,0.3\n", "line 1: unknown column '0.1'"),
        ("side,x,z\nL,0,0\nM,0,0\n", "line 3: side 'M', expected L or R"),
        ("side,x,z\nL,0,0\nR,0\n", "line 3: expected 3 cells"),
        ("side,x,z\nL,0,nan\n", "line 2: z is 'nan', expected a finite number"),
        ("side,x,z\nL,0,\n", "line 2: z is '', expected a finite number"),
        ("side,x,z,yaw\nL,0,0,east\n", "line 2: yaw is 'east'"),
        ("side,x,z,yaw\nL,0,0,xdeg\n", "line 2: yaw is 'x'"),
        ("side,x,z,time\nL,0,0,inf\n", "line 2: time is 'inf'"),
    ],
)
def test_a_bad_file_is_refused_by_its_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(FormatError, match=f"plan.csv.*{says}"):
        read_plan(written(tmp_path, text))


def test_not_a_text_file(tmp_path: Path) -> None:
    (tmp_path / "plan.csv").write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(FormatError, match="not a text file"):
        read_plan(tmp_path / "plan.csv")
    with pytest.raises(LocomoteError, match="no such file"):
        read_plan(tmp_path / "none.csv")


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.mktemp("any") / "plan.csv"
    file.write_text("side,x,z,yaw,time\n" + text, encoding="utf-8", errors="replace")
    try:
        read_plan(file)
    except LocomoteError as error:
        assert "\n" not in str(error)  # noqa: PT017


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    plan = plan_along([(0, 0), (1, 2), (4, 2)], 1.1)
    write_plan(plan, tmp_path / "plan.csv")
    again = read_plan(tmp_path / "plan.csv")
    assert again.sides.tolist() == plan.sides.tolist()
    for name in ("places", "yaws", "times"):
        assert getattr(again, name) == pytest.approx(getattr(plan, name), abs=1e-5)
    free = plan_of_rows([{"side": "L", "x": 0, "z": 1}, {"side": RIGHT, "x": 0, "y": 0.1, "z": 2, "time": math.nan}])
    write_plan(free, tmp_path / "free.csv")
    assert (tmp_path / "free.csv").read_text() == "side,x,y,z\nL,0,0,1\nR,0,0.1,2\n"


def test_rows_are_checked() -> None:
    with pytest.raises(LocomoteError, match="plant 2: 'z' is missing; the names are: side"):
        plan_of_rows([{"side": "L", "x": 0, "z": 0}, {"side": "R", "x": 0}])
    with pytest.raises(LocomoteError, match="plant 1: unknown 'foot'"):
        plan_of_rows([{"foot": "L", "x": 0, "z": 0}])
    with pytest.raises(LocomoteError, match="plant 1: x is nan"):
        plan_of_rows([{"side": "L", "x": math.nan, "z": 0}])
    with pytest.raises(LocomoteError, match="plant 1: side True"):
        plan_of_rows([{"side": True, "x": 0, "z": 0}])
    assert len(plan_of_rows([])) == 0


def test_stones(tmp_path: Path) -> None:
    stones, radii = read_stones(written(tmp_path, "x,z,radius\n0,1,0.2\n0.5,2,\n"))
    assert stones.tolist() == [[0.0, 0.0, 1.0], [0.5, 0.0, 2.0]]
    assert radii.tolist() == [0.2, 0.0]
    with pytest.raises(FormatError, match="line 2: radius '-1'"):
        read_stones(written(tmp_path, "x,z,radius\n0,1,-1\n"))
