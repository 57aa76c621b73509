"""Pictures of motion: stills, rows of poses, contact sheets, films and line plots."""

from locomote.draw.camera import VIEWS
from locomote.draw.films import film
from locomote.draw.groups import film_together, frame_together
from locomote.draw.player import save_player
from locomote.draw.plots import Band, Series, plot
from locomote.draw.sheets import sheet
from locomote.draw.stills import frame, strobe

__all__ = [
    "VIEWS",
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
