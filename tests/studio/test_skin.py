"""How bodies look on the page: nobody near the camera is torn, and stiff pieces bend as a skin does."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from locomote import rotations as rot
from locomote.body import vertex_normals
from locomote.draw._camera import Camera
from locomote.draw._casting import cast
from locomote.draw._shapes import Mesh, Shapes, joined, skinned
from locomote.human._model import HumanModel
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.studio import Studio
from locomote.studio._people import StudioPeople
from locomote.studio._pieces import Look
from tests.studio.conftest import PATIENCE, Visitor

SIZE = {"width": 900, "height": 480}
MISSED = np.float32(1e29)
EYE, AIM = np.array([1.5, 1.5, 2.2]), np.array([-0.3, 0.85, 0.0])  # 2.8 m from the one in the middle
TONE = 12  # of 255, by which a pixel differs where there is a body


def camera_at(eye: FloatArray, aim: FloatArray, view: float, width: int, height: int) -> Camera:
    """The camera of a page: an opening from the lower to the upper edge."""
    ahead = (aim - eye) / np.linalg.norm(aim - eye)
    right = np.cross(ahead, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    up = np.cross(right, ahead)
    pixel = 2.0 * math.tan(0.5 * view) / height
    corner = ahead - 0.5 * pixel * (width * right - height * up)
    return Camera(eye, np.array([pixel * right, -pixel * up, corner]), True, width, height)


def shape_of(vertices: FloatArray, triangles: IntArray) -> Shapes:
    faces = np.ascontiguousarray(triangles, dtype=np.int64)
    return skinned(Mesh(vertices, faces, vertex_normals(vertices, faces), faces, np.ones((len(faces), 3))))


def as_skin(look: Look, places: FloatArray, turns: FloatArray, size: float) -> Shapes:
    root = places[0]
    vertices = look.body.posed((places - root) / size + root, turns)
    return shape_of((vertices - root) * size + root, look.body.triangles)


def as_pieces(look: Look, places: FloatArray, turns: FloatArray, size: float) -> Shapes:
    return joined(
        [shape_of(places[p.joint] + rot.rotate(turns[p.joint], size * p.vertices), p.triangles) for p in look.pieces]
    )


def test_stiff_pieces_have_the_outline_of_the_skin() -> None:
    people = StudioPeople(HumanModel.default(), 8, seed=1)
    people.everyone = True
    people.crowd.command(speed=np.linspace(0.5, 5.0, 8))
    for _ in range(200):
        people.advance(1.0 / 60.0)
    people.look_at_feet()
    frame, beyond, whole = people.frame, 0, 0
    for n in range(len(people)):
        body = people.look, frame.positions[n], frame.turns[n], float(frame.scales[n])
        for around in (0.3, 1.6, 4.4):
            hips = frame.positions[n, 0]
            eye = hips + 2.6 * np.array([math.sin(around), 0.15, math.cos(around)])
            camera = camera_at(eye, hips, math.radians(40.0), 260, 300)
            skin, pieces = (cast(each(*body), camera, 1).depth < MISSED for each in (as_skin, as_pieces))
            beyond += int(np.sum(skin ^ pieces))
            whole += int(np.sum(skin))
    assert beyond / whole < 0.015  # 0.021 when pieces end as they are cut


@pytest.fixture
def crowded() -> Iterator[Studio]:
    made = Studio(port=0, people=100, shadows=False, fps=4.0)
    people = made.panels[0].people
    made.panels[0].trail.value = False
    people.everyone = True  # they run: knees and elbows bend
    people.crowd.command(speed=np.linspace(2.6, 3.4, 100))
    for _ in range(150):
        made.tick()
    made.playing.value = made.following.value = False
    made.start()
    yield made
    made.stop()


def pixels_of(picture: bytes) -> npt.NDArray[np.int64]:
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")).astype(np.int64)


def near(mask: npt.NDArray[np.bool_], pixels: int) -> npt.NDArray[np.bool_]:
    from scipy.ndimage import binary_dilation

    out: npt.NDArray[np.bool_] = binary_dilation(mask, iterations=pixels)
    return out


def test_a_hundred_people_near_the_camera_have_the_outlines_that_draw_gives_them(crowded: Studio, browser) -> None:
    page = browser.new_page(viewport=SIZE)
    page.set_default_timeout(1000.0 * PATIENCE)
    page.goto(crowded.address)
    page.wait_for_selector("text=speed m/s")
    page.add_style_tag(content="[class*=Notification] { display: none; }")
    someone, panel = Visitor(page, crowded), crowded.panels[0]
    from_afar = someone.picture()
    (client,) = crowded.server.get_clients().values()
    client.camera.position, client.camera.look_at = EYE, AIM
    sent = crowded.frames
    someone.wait(lambda: crowded.frames > sent + 2, "frames with the people near the camera")
    assert len(panel._near()) > 1
    seen = someone.picture(from_afar)
    with crowded.lock:
        panel.crowd_view.remove()
        panel.crowd_view = None
        crowded.stage._marks.batched_positions = np.full((len(crowded.stage._marks.batched_positions), 3), -50.0)
    bodies = np.abs(pixels_of(seen) - pixels_of(someone.picture(seen))).max(axis=2) > TONE
    page.close()
    people, frame = panel.people, panel.people.frame
    places = np.asarray(crowded.stage.seen(frame.positions), dtype=np.float64)
    camera = camera_at(EYE, AIM, float(client.camera.fov), SIZE["width"], SIZE["height"])
    shapes = [as_skin(people.look, places[n], frame.turns[n], float(frame.scales[n])) for n in range(len(people))]
    ahead = AIM - EYE
    shapes = [each for n, each in enumerate(shapes) if (places[n, 0] - EYE) @ ahead > 0.3]
    drawn = (cast(joined(shapes), camera, 1).depth < MISSED)[:, : bodies.shape[1]]
    # Far away they fade into the paper.
    close = cast(joined(shapes), camera, 1).depth[:, : bodies.shape[1]] < 14.0
    assert drawn.mean() > 0.15
    assert (bodies & ~near(drawn, 2)).sum() / drawn.sum() < 0.002  # nothing sticks out; 0.004 of pieces as they are cut
    assert (close & ~near(bodies, 2)).sum() / drawn.sum() < 0.002  # no gaps
