"""Write the pictures of docs/bodies.md, cages.md, markers.md and video.md: capture_pictures.py [names]."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

import locomote as lm
from locomote import draw
from locomote.capture import camera_ring, markers, stage, video
from locomote.capture.cages import CageRig, Hulls, PosePrior, Settings, Tracker
from locomote.motion import Motion

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
QUALITY = 60  # of 100
WIDE = 1200  # px


def save(picture: Image.Image, name: str) -> None:
    """Write a picture for a page."""
    picture.convert("RGB").save(PICTURES / f"{name}.webp", quality=QUALITY, method=6)
    print(name)


def rows(motions: Sequence[Motion], poses: int, height: int, view: str = "side") -> Image.Image:
    """Rows of poses, one motion below the other."""
    page = Image.new("RGB", (WIDE, height * len(motions)), "white")
    for k, motion in enumerate(motions):
        page.paste(draw.strobe(motion, poses=poses, size=(WIDE, height), view=view), (0, k * height))
    return page


def beside(pictures: Sequence[Image.Image], titles: Sequence[str] = ()) -> Image.Image:
    """Pictures of one height in a row, with words above them."""
    page = Image.new("RGB", (sum(each.width for each in pictures), pictures[0].height), "white")
    pen, left = ImageDraw.Draw(page), 0
    for k, each in enumerate(pictures):
        page.paste(each.convert("RGB"), (left, 0))
        if titles:
            pen.text((left + 8, 6), titles[k], fill=(60, 60, 60), font_size=15)
        left += each.width
    return page


def bodies_fit() -> None:
    """A wolf, a horse, and the wolf fitted to the horse."""
    wolf = lm.creatures.Crowd("wolf", 1).record(seconds=0.1, fps=30)
    horse = lm.creatures.Crowd("horse", 1).record(seconds=0.1, fps=30)
    surface = stage.meshes(horse)
    fitted = lm.capture.bodies.fit(lm.capture.bodies.Template.of(wolf), (surface.vertices[0], surface.faces))
    shown = [draw.frame(each, 0, size=(420, 420), view="three-quarter") for each in (wolf, fitted.motion(), horse)]
    save(beside(shown, ("the template", "fitted", "the mesh")), "bodies-fit")


def cages() -> None:
    """One of four silhouettes; the body tracked, and the truth."""
    walk = lm.samples.performer(speed=1.3, seconds=1.2, fps=30).motion
    clip = walk[6:18]
    cameras = camera_ring(4, radius=3.5, target=tuple(clip.root_positions.mean(axis=0)), size=(240, 336))
    masks = [stage.silhouettes(clip, camera) for camera in cameras]
    rig = CageRig.of(walk)
    others = [lm.samples.performer(speed=v, seconds=1.2, fps=15).motion for v in (0.9, 1.7)]
    tracker = Tracker(rig, PosePrior.of(rig, others, dimensions=6), Settings(voxel=0.03, points=500))
    track = tracker.follow(Hulls(masks, cameras), fps=30, start=rig.quads_of(clip[:1]))
    seen = Image.fromarray((255 * masks[0][6]).astype(np.uint8))
    shown = [draw.frame(each, 6, size=(240, 336), contacts=False) for each in (track.motion, clip)]
    save(beside([seen, *shown], ("", "tracked", "the truth")), "cages")


def markers_rat() -> None:
    """A rat that trots, and what is found from its markers when skin slides by 5 mm."""
    rats = lm.creatures.Crowd("rat", 1, speed=0.35, gait="trot")
    rats.record(seconds=1.0, fps=120)
    rat = rats.record(seconds=0.5, fps=120)
    seen, attached = stage.markers(rat, slide=0.005)
    found = markers.solve(seen, markers.subject(rat), attached)
    save(rows([rat, found.motion], 4, 240), "markers-rat")


def markers_rodents() -> None:
    """The rat and the mouse, walking, trotting and bounding."""
    shown = []
    for kind, scale in (("rat", 1.0), ("mouse", 0.7)):
        for gait, speed in (("walk", 0.12), ("trot", 0.35), ("bound", 0.6)):
            crowd = lm.creatures.Crowd(kind, 1, speed=scale * speed, gait=gait)
            crowd.record(seconds=1.0, fps=120)
            shown.append(crowd.record(seconds=0.4, fps=120))
    save(rows(shown, 4, 190), "markers-rodents")


def markers_behaviours() -> None:
    """What a mouse does that a healthy one does not."""
    shown = []
    for behaviour in ("bound", "circle", "tilted head", "free fall", "weightless"):
        mice = lm.creatures.Behaving("mouse", 1)
        mice.behave(behaviour)
        mice.record(1.0, fps=120)
        shown.append(mice.record(0.6, fps=120))
    save(rows(shown, 6, 180), "markers-behaviours")


def video_trot() -> None:
    """A film with its subject told from the background, the rig in its poses, a horse in the same gait; the sheet."""
    crowd = lm.creatures.Crowd("wolf", speed=2.4, gait="trot")
    crowd.record(seconds=2, fps=60)
    wolf = crowd.record(seconds=1.6, fps=30)
    frames = stage.film(wolf, stage.cameras_beside(wolf, (320, 240)), stage.Look(noise=6.0, pan=(-2.0, 0.0)))
    masks = video.segment(frames, subject=(106, 94, 157, 120), background=(0, 0, 320, 60))
    rhythm = video.watch(masks, fps=30.0, symmetric=True)
    keys = video.choose_keys(rhythm)
    save(video.sheet(rhythm, keys), "video-sheet")
    filmed = []
    for frame in (0, 4, 8, 12):
        edge = masks[frame] & ~(np.roll(masks[frame], 1, 0) & np.roll(masks[frame], 1, 1) & masks[frame])
        picture = np.asarray(frames[frame]).copy()
        picture[edge] = 255
        filmed.append(Image.fromarray(picture.astype(np.uint8)).crop((10, 60, 310, 200)))
    gait = video.VideoGait.of(rhythm, wolf.sampled(keys), keys)
    horse = gait.crowd("horse", count=1).record(seconds=0.8, fps=60)
    page = Image.new("RGB", (WIDE, 140 + 2 * 190), "white")
    page.paste(beside(filmed), (0, 0))
    page.paste(rows([wolf, horse], 7, 190), (0, 140))
    save(page, "video-trot")


ALL: tuple[Callable[[], None], ...] = (
    bodies_fit,
    cages,
    markers_rat,
    markers_rodents,
    markers_behaviours,
    video_trot,
)

if __name__ == "__main__":
    for make in ALL:
        if len(sys.argv) < 2 or make.__name__ in sys.argv[1:]:
            make()
