"""Films of several people: all are in the picture, whether near or far."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from locomote.draw import film_together, frame_together
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.samples import performer


@pytest.fixture(scope="module")
def people() -> list[Motion]:
    motion = performer(speed=1.2, seconds=0.5, fps=30.0).motion
    return [motion.moved(offset=(x, 0.0, z)) for x, z in ((0.0, 0.0), (2.0, 1.0), (-2.0, 4.0))]


def assert_whole(picture: Image.Image) -> None:
    """Limbs are coloured, floor and paper are not: no colour touches the border."""
    pixels = np.asarray(picture.convert("RGB")).astype(int)
    coloured = np.ptp(pixels, axis=2) > 60
    assert coloured.sum() > 50
    inside = coloured[3:-3, 3:-3]
    assert inside.sum() == coloured.sum()


@pytest.mark.parametrize("view", ["side", "front", "top", "three-quarter"])
@pytest.mark.parametrize("follow", [True, False])
def test_nobody_is_cut_off(people: list[Motion], tmp_path: Path, view: str, follow: bool) -> None:
    film = tmp_path / "film.gif"
    film_together(people, film, size=(240, 160), fps=10.0, view=view, follow=follow)
    with Image.open(film) as picture:
        assert picture.n_frames == 6
        for frame in range(picture.n_frames):
            picture.seek(frame)
            assert_whole(picture)


def test_a_still_shows_everybody(people: list[Motion], tmp_path: Path) -> None:
    picture = frame_together(people, 0.2, tmp_path / "still.png", size=(240, 160))
    assert_whole(picture)
    assert (tmp_path / "still.png").exists()


def test_what_cannot_be_filmed_is_refused(people: list[Motion], tmp_path: Path) -> None:
    with pytest.raises(LocomoteError, match="at least one motion"):
        film_together([], tmp_path / "film.gif")
    with pytest.raises(LocomoteError, match="view"):
        film_together(people, tmp_path / "film.gif", view="below")
    assert list(tmp_path.iterdir()) == []
