"""Pictures of motion: stills, rows of poses, contact sheets, films and line plots."""

from locomote.draw._arrows import Arrows
from locomote.draw._camera import VIEWS
from locomote.draw._films import film
from locomote.draw._groups import film_together, frame_together
from locomote.draw._player import save_player
from locomote.draw._plots import Band, Series, plot
from locomote.draw._sheets import sheet
from locomote.draw._stills import frame, strobe

__all__ = [
    "VIEWS",
    "Arrows",
    "Band",
    "Series",
    "film",
    "film_together",
    "frame",
    "frame_together",
    "plot",
    "save_player",
    "sheet",
    "strobe",
]
