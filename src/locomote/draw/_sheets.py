"""Contact sheets: one motion, or two side by side, on one page that a person can judge at a glance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from os import PathLike

import numpy as np
from PIL import Image

from locomote.contacts import Contacts
from locomote.contacts.feet import velocities
from locomote.contacts.footing import GroundOrTimes, ObstaclesOrTimes
from locomote.draw import _palette as palette
from locomote.draw._camera import camera
from locomote.draw._canvas import Box, Canvas, shortened, text_width
from locomote.draw._follow import Follower, check_closeup
from locomote.draw._footprints import Prints, draw_prints, find_prints, print_scale
from locomote.draw._panels import panels
from locomote.draw._plots import AXIS_ROOM, Band, Series, draw_plot
from locomote.draw._saving import PICTURES, check_extension, save_picture
from locomote.draw._scene import render
from locomote.draw._shapes import extent
from locomote.draw._stage import ContactsOrNot, StagedMotion, prepare
from locomote.draw._stills import needed_spacing, plain_floor, pose_frames, spread
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray

_MARGIN = 40  # px around the page and between two columns
_LEAST_BODY = 130.0  # px; fewer poses are shown rather than bodies less tall than this
_LEAST_SHARE = 360  # px; but bodies wider than tall stand this far apart even if they are less tall
_HEADER, _LABEL, _PRINTS, _STRIP, _PLOT = 84, 26, 200, 18, 236  # px; heights of the parts of a page
_TICKS, _WIDE_TICKS = 34.0, 72.0  # px for the tick texts of the plots; wide below the names of legs
_LEAST_FRAME, _LEAST_CLOSEUP = 150, 300  # px; widths of a picture of one pose below which a row is broken
_AROUND = 46  # px above and below what a picture of one pose must show
_UPHILL = 0.1  # of the body's size; a clip that ends higher than this above its start is not seen from ahead
_UNDER = 26  # px below the floor line of a row of poses, at least
_EDGE = 8  # px above and below a row of poses


@dataclass(frozen=True, eq=False)
class _Feet:
    """What the plots of a page show."""

    contacts: Contacts
    times: FloatArray  # (F,) s
    heights: FloatArray  # (F, L, 3) cm
    speeds: FloatArray  # (F, L) m/s of the balls along the floor

    @property
    def few(self) -> bool:
        """Whether the legs are so few that left and right tell them apart."""
        return len(self.contacts.legs) <= 2

    def label(self, leg: int) -> str:
        """The name of a leg among the others: "left", "right hind", "left 3"."""
        legs = self.contacts.legs
        rows = 1 + max(each.row for each in legs)
        row = legs[leg].row
        where = "" if rows == 1 else ("front", "hind")[row] if rows == 2 else str(row + 1)
        return f"{legs[leg].side} {where}".strip() or "leg"

    def colour(self, leg: int) -> palette.Colour:
        """The colour of the lines of a leg."""
        return palette.side_colour(self.contacts.legs[leg].side) if self.few else palette.SERIES[leg % 8]


@dataclass(frozen=True, eq=False)
class _Page:
    """One clip and what was measured of it."""

    clip: StagedMotion
    frames: list[int]
    spacing: float  # metres between poses
    top: float  # metres that the highest pose reaches over the line on which all stand, as it is seen
    under: float  # metres that the lowest one reaches below it
    prints: Prints
    feet: _Feet | None
    closeup: bool

    @property
    def views(self) -> tuple[str, str]:
        """From where the poses are shown; ground that leads upwards would hide the legs from ahead."""
        rise = float(self.clip.path[-1, 1] - self.clip.path[0, 1])
        uphill = self.clip.footing is not None and rise > _UPHILL * self.clip.figure.size
        return ("side", "back" if uphill else "front")

    @property
    def framed(self) -> bool:
        """Whether every pose has a picture of its own, with its ground, instead of a place in one row."""
        return self.closeup or self.clip.in_place


@dataclass(frozen=True)
class _Scales:
    """What two clips on one sheet have in common."""

    metres_per_pixel: float
    row: int  # px, height of a row of poses, or of all rows of poses that have pictures of their own
    under: int  # px below the line on which a row of poses stands
    rows: int
    pixels_per_metre: float  # of the footprints
    seconds: float
    height_range: tuple[float, float]  # cm
    speed_range: tuple[float, float]  # m/s


def sheet(
    motion: Motion,
    path: str | PathLike[str] | None = None,
    *,
    contacts: ContactsOrNot = None,
    against: Motion | None = None,
    poses: int = 10,
    width: int = 1600,
    title: str = "",
    ground: GroundOrTimes = None,
    obstacles: ObstaclesOrTimes = None,
    closeup: str | None = None,
    skin: bool = True,
) -> Image.Image:
    """A page with poses from side and front, footprints, and heights and speeds of the feet over time.

    Parameters
    ----------
    motion : what is shown, with its skin if it has one
    path : of a picture to write
    contacts : found unless given; False leaves them out, and with them the plots
    against : a second clip, drawn beside the first one at the same scales
    poses : the most that a row shows
    width : pixels
    title : the name of the motion unless given
    ground, obstacles : what it goes over and what stands there, as they are or as functions of the time in seconds
    closeup : "feet" shows only what is below the knees
    skin : without it all are drawn around their bones
    """
    if path is not None:
        check_extension(path, PICTURES, "picture")
    if width < 600:
        raise LocomoteError(f"width: a sheet needs at least 600 pixels, got {width}")
    motions = [motion] if against is None else [motion, against]
    column = (width - _MARGIN * (len(motions) + 1)) // len(motions)
    near = check_closeup(closeup)
    clips = [prepare(motion, contacts, ground, near, obstacles, skin)]
    if against is not None:
        clips.append(prepare(against, False if contacts is False else None, ground, near, obstacles, skin))
    pages = [_page(clip, poses, column, near) for clip in clips]
    scales = _common(pages, column)
    height = _HEADER + 2 * (_LABEL + scales.row) + 18 + _LABEL + _PRINTS + 24
    height += max(_strips_height(page.feet) + 2 * _PLOT if page.feet else 0 for page in pages)
    canvas = Canvas(width, height + _MARGIN // 2)
    titles = [title or clips[0].motion.name or "motion"] + [clip.motion.name or "against" for clip in clips[1:]]
    for i, (page, name) in enumerate(zip(pages, titles, strict=True)):
        left = _MARGIN + i * (column + _MARGIN)
        if i:
            canvas.line([(left - _MARGIN / 2, 24), (left - _MARGIN / 2, height)], palette.RULE, 1.0)
        _draw_page(canvas, page, scales, name, left, column)
    return save_picture(canvas.finish(), path)


def _page(clip: StagedMotion, poses: int, column: int, closeup: bool) -> _Page:
    frames = pose_frames(len(clip.motion), poses)
    if closeup or clip.in_place:
        return _Page(clip, frames, 0.0, 0.0, 0.0, find_prints(clip), _feet(clip), closeup)
    spacing, top, under = _room(clip, frames)
    most = max(1, int(column * top / (_LEAST_BODY * spacing)), column // _LEAST_SHARE)
    if most < len(frames):
        frames = pose_frames(len(clip.motion), most)
        spacing, top, under = _room(clip, frames)
    return _Page(clip, frames, spacing, top, under, find_prints(clip), _feet(clip), closeup)


def _feet(clip: StagedMotion) -> _Feet | None:
    contacts, motion = clip.contacts, clip.motion
    if contacts is None or len(motion) < 2:
        return None
    moving = velocities(contacts.points[:, :, 1], motion.fps)
    speeds = np.hypot(moving[..., 0], moving[..., 2])
    return _Feet(contacts, motion.times, 100.0 * contacts.heights, speeds)


def _room(clip: StagedMotion, frames: list[int]) -> tuple[float, float, float]:
    """The metres that poses need from one another in both rows, and above and below the line they stand on."""
    bodies = [clip.centred(f) for f in frames]
    spacing = max(needed_spacing(clip, bodies, view) for view in ("side", "front"))
    ups = [-camera(view, (0, 0, 0), 0.0, (2, 2), 1.0).axes[1] for view in ("side", "front")]
    reach = np.array([extent(b, up) for b in bodies for up in ups])
    return spacing, max(float(reach[:, 1].max()), 0.1 * clip.figure.size), -float(reach[:, 0].min())


def _common(pages: list[_Page], column: int) -> _Scales:
    if pages[0].framed:
        metres_per_pixel, row, rows = _frames_that_fit(pages, column)
        under = _UNDER
    else:
        metres_per_pixel = max(page.spacing * len(page.frames) / column for page in pages)
        under = max(_UNDER, int(max(page.under for page in pages) / metres_per_pixel) + _EDGE)
        row, rows = int(max(page.top for page in pages) / metres_per_pixel) + under + _EDGE, 1
    feet = [page.feet for page in pages if page.feet is not None]
    heights = [each.heights[..., [0, 2]] for each in feet]
    low = min((float(h.min()) for h in heights), default=0.0)
    high = max((float(h.max()) for h in heights), default=1.0)
    fastest = max((float(each.speeds.max()) for each in feet), default=1.0)
    span = max(high - low, 0.1)
    return _Scales(
        metres_per_pixel=metres_per_pixel,
        row=row,
        under=under,
        rows=rows,
        pixels_per_metre=min(print_scale(page.prints, column - 40, _PRINTS - 54) for page in pages),
        seconds=max(max(page.clip.motion.duration for page in pages), 1e-3),
        height_range=(low - 0.04 * span, high + 0.06 * span),
        speed_range=(0.0, 1.06 * max(fastest, 0.1)),
    )


def _frames_that_fit(pages: list[_Page], column: int) -> tuple[float, int, int]:
    """Metres a pixel, height in all and number of the rows of poses that have pictures of their own."""
    least = _LEAST_CLOSEUP if pages[0].closeup else _LEAST_FRAME
    count = max(len(page.frames) for page in pages)
    rows = -(-count // max(1, column // least))
    width = column // -(-count // rows)
    shots = [Follower(page.clip, view, page.closeup, page.frames) for page in pages for view in page.views]
    across = max(2.0 * float(shot.across.max()) for shot in shots)
    up = max(float(np.ptp(shot.up)) for shot in shots)
    # The camera is as near as a picture is low: very low ones would show much of it out of shape.
    height = max(int(up * 0.92 * width / across) + _AROUND, width // 2)
    scale = max(shot.scale_within((width, height), (0.04 * width, 0.25 * _AROUND)) for shot in shots)
    return scale, rows * height, rows


def _draw_page(canvas: Canvas, page: _Page, scales: _Scales, name: str, left: int, column: int) -> None:
    _header(canvas, page, name, left, column)
    y = _HEADER
    for view in page.views:
        canvas.text(left, y, view.capitalize() + (", feet" if page.closeup else ""), 14, palette.MUTED)
        y += _LABEL
        canvas.picture(_row(page, view, scales, column), left, y)
        y += scales.row
        if view == "side":
            if not page.framed:
                _times(canvas, page, scales, left, column, y)
            y += 18
    note = "Footprints from above" + (
        "; black: how the ball of the foot moves while planted" if page.clip.contacts else ""
    )
    canvas.text(left, y, shortened(note, 14, column), 14, palette.MUTED)
    y += _LABEL
    box = (left, y, left + column, y + _PRINTS)
    canvas.box(box, palette.PANEL, 1.0, 8)
    inner = (left + 20, y + 16, left + column - 20, y + _PRINTS - 18)
    draw_prints(canvas, inner, page.prints, scales.pixels_per_metre)
    y += _PRINTS + 24
    if page.feet is not None:
        _strips(canvas, page.feet, scales, left, column, y)
        y += _strips_height(page.feet)
        _plots(canvas, page.feet, scales, (left, y, left + column - 10, y + 2 * _PLOT))


def _header(canvas: Canvas, page: _Page, name: str, left: int, column: int) -> None:
    motion = page.clip.motion
    canvas.text(left, 22, shortened(name, 25, column - 260), 25)
    way = float(np.sum(np.linalg.norm(np.diff(page.clip.path, axis=0), axis=1)))
    speed = way / motion.duration if motion.duration > 0.0 else 0.0
    frames = f"{len(motion)} frames at {motion.fps:g} fps"
    facts = f"{motion.duration:.2f} s  ·  {frames}  ·  {way:.2f} m  ·  {speed:.2f} m/s"
    canvas.text(left, 56, shortened(facts, 14.5, column), 14.5, palette.MUTED)
    x = float(left + column)
    marks = [("right", palette.RIGHT), ("left", palette.LEFT)]
    for text, colour in [*([("planted", palette.PLANTED)] if page.clip.contacts else []), *marks]:
        x -= text_width(text, 14)
        canvas.text(x, 38, text, 14, palette.INK, "lm")
        canvas.disc(x - 11, 38, 5, colour)
        x -= 34


def _row(page: _Page, view: str, scales: _Scales, column: int) -> Image.Image:
    """The poses of a page from one side, each in the middle of its share of the column."""
    scale = scales.metres_per_pixel
    if page.framed:
        size = (column, scales.row)
        return panels(page.clip, page.frames, view, size, page.closeup, rows=scales.rows, scale=scale)
    spacing = column / len(page.frames) * scale
    shapes, middles = spread(page.clip, page.frames, view, spacing)
    up = -camera(view, (0, 0, 0), 0.0, (2, 2), 1.0).axes[1]
    centre = 0.5 * (middles[0] + middles[-1]) + (0.5 * scales.row - scales.under) * scale * up
    eye = camera(view, centre, 0.0, (column, scales.row), scale)
    return render(shapes, plain_floor(middles, page.clip), eye, page.clip.figure.size)


def _times(canvas: Canvas, page: _Page, scales: _Scales, left: int, column: int, y: float) -> None:
    share = column / len(page.frames)
    for k, frame in enumerate(page.frames):
        text = f"{frame / page.clip.motion.fps:.2f} s"
        canvas.text(left + (k + 0.5) * share, y - 2, text, 13, palette.MUTED, "ma")


def _strips_height(feet: _Feet) -> int:
    """The height of the bars of contact: only bodies with more than two legs need them."""
    return 0 if feet.few else _LABEL + _STRIP * len(feet.contacts.legs) + 20


def _strips(canvas: Canvas, feet: _Feet, scales: _Scales, left: int, column: int, y: float) -> None:
    """When each foot is on the ground, one bar a leg, over the time axis of the plots."""
    if feet.few:
        return
    canvas.text(left, y, "Feet on the ground", 14, palette.MUTED)
    start, end = left + AXIS_ROOM + _WIDE_TICKS, left + column - 10.0
    each = (end - start) / scales.seconds / feet.contacts.fps
    for i, leg in enumerate(feet.contacts.legs):
        top = y + _LABEL + i * _STRIP
        bar = (top + 3, top + _STRIP - 2)
        canvas.text(start - 8, top + _STRIP / 2, feet.label(i), 13, palette.MUTED, "rm")
        canvas.box((start, bar[0], end, bar[1]), palette.FAINT, 1.0, 2)
        for first, last in feet.contacts.intervals(i):
            stop = start + min(last, len(feet.times) - 1) * each
            colour = palette.side_colour(leg.side)
            canvas.box((start + first * each, bar[0], stop, bar[1]), colour, 0.85, 2)


def _plots(canvas: Canvas, feet: _Feet, scales: _Scales, box: Box) -> None:
    """Heights and speeds of the feet over time."""
    heights, speeds, bands = [], [], []
    for i in range(len(feet.contacts.legs)):
        label, colour = feet.label(i), feet.colour(i)
        if feet.few:
            heights.append(Series(feet.times, feet.heights[:, i, 0], f"{label} heel", colour))
            for start, stop in feet.contacts.intervals(i):
                bands.append(Band(feet.times[start], feet.times[stop - 1], colour, f"{label} on the ground"))
        heights.append(Series(feet.times, feet.heights[:, i, 2], f"{label} toe", colour, dashed=feet.few))
        speeds.append(Series(feet.times, feet.speeds[:, i], f"{label} foot", colour))
    tick_width = _TICKS if feet.few else _WIDE_TICKS
    span = (0.0, scales.seconds)
    middle = box[1] + _PLOT
    draw_plot(
        canvas,
        (box[0], box[1], box[2], middle - 14),
        heights,
        bands=bands,
        y_label="height (cm)",
        x_range=span,
        y_range=scales.height_range,
        tick_width=tick_width,
    )
    draw_plot(
        canvas,
        (box[0], middle, box[2], box[3]),
        speeds,
        bands=[replace(band, label="") for band in bands],
        x_label="time (s)",
        y_label="speed (m/s)",
        x_range=span,
        y_range=scales.speed_range,
        tick_width=tick_width,
    )
