"""Bodies that bring a skin are drawn with it: whole, coloured by limbs, on the floor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from locomote.body import Body, capsule_body
from locomote.contacts import Contacts
from locomote.draw import _palette as palette
from locomote.draw import film, frame, frame_together, sheet, strobe
from locomote.draw._skin import skin_of
from locomote.draw._stage import prepare
from locomote.formats import load
from locomote.motion import Motion
from locomote.skeleton import Skeleton

UP = np.array([0.0, 1.0, 0.0])
SIZE = (240, 200)
LONELY = Skeleton(("root",), np.array([-1]), np.zeros((1, 3)))


@pytest.fixture(scope="module")
def skinned(walk: Motion) -> Motion:
    return replace(walk, body=capsule_body(walk.skeleton))


def of_colour(picture: Image.Image, colour: palette.Colour) -> np.ndarray:
    """Where a picture shows a colour, in whatever light."""
    pixels = np.asarray(picture.convert("RGB"), dtype=float)
    wanted = np.array(colour) / np.linalg.norm(colour)
    return (pixels @ wanted > 0.995 * np.linalg.norm(pixels, axis=2)) & (pixels.sum(axis=2) > 100)


def assert_whole(picture: Image.Image) -> None:
    """Limbs are coloured, floor and paper are not: no colour touches the border."""
    pixels = np.asarray(picture.convert("RGB")).astype(int)
    coloured = np.ptp(pixels, axis=2) > 60
    assert coloured.sum() > 50
    assert coloured[3:-3, 3:-3].sum() == coloured.sum()


def test_the_skin_takes_the_place_of_the_bones(walk: Motion, skinned: Motion, planted: Contacts) -> None:
    shapes = prepare(skinned, planted).shapes(3)
    assert len(shapes.mesh.triangles) == len(skinned.body.triangles)
    assert len(shapes.ends) == 1  # the disc under the foot that stands
    bare = frame(walk, 3, contacts=planted, size=SIZE)
    assert np.array_equal(frame(skinned, 3, contacts=planted, size=SIZE, skin=False), bare)
    assert not np.array_equal(frame(skinned, 3, contacts=planted, size=SIZE), bare)


def test_limbs_have_the_colours_of_their_sides(skinned: Motion, planted: Contacts) -> None:
    skin = skin_of(skinned.skeleton, skinned.body)
    positions, turns = skinned.world()
    mesh = skin.posed(positions[0], turns[0], np.array([True, False]))
    roles = skinned.skeleton.roles
    moved_by = skinned.body.joints[skinned.body.triangles[:, 0], 0]
    colours = np.round(mesh.colours * 255)
    for joint, colour in (
        (roles.root, palette.BODY),
        (roles.leg("left").knee, palette.LEFT_LIMB),
        (roles.leg("right").knee, palette.RIGHT_LIMB),
        (roles.leg("right").ball, palette.RIGHT),
        (roles.leg("left").ball, palette.PLANTED),
    ):
        of_joint = colours[moved_by == joint]
        assert len(of_joint)
        assert np.all(of_joint == colour)


def test_planted_feet_stand_on_the_floor(skinned: Motion, planted: Contacts) -> None:
    clip = prepare(skinned, planted)
    lowest = [float(clip.centred(f).mesh.vertices[:, 1].min()) for f in range(0, len(skinned), 4)]
    assert abs(float(np.median(lowest))) < 0.02 * clip.figure.size


def test_a_skin_far_larger_than_its_bones_is_not_cut_off(walk: Motion, planted: Contacts, tmp_path) -> None:
    """The same body with long spikes to all sides of its feet, in the colours of the legs."""
    body = capsule_body(walk.skeleton)
    leg = walk.skeleton.roles.leg("left")
    ankle = body.bind_positions[leg.ball]
    spikes = ankle + np.array([[1.2, 0.1, 0], [-1.2, 0.2, 0], [0, 0.1, 1.2], [0, 0.2, -1.2], [0, 1.6, 0]])
    count = len(body.vertices)
    joints = np.zeros((len(spikes), 4), dtype=np.int64)
    joints[:, 0] = leg.ball
    large = Body(
        vertices=np.concatenate([body.vertices, spikes]),
        triangles=np.concatenate([body.triangles, count + np.array([[0, 1, 2], [0, 1, 3], [2, 3, 4]])]),
        joints=np.concatenate([body.joints, joints]),
        weights=np.concatenate([body.weights, np.tile([1.0, 0, 0, 0], (len(spikes), 1))]),
        bind_positions=body.bind_positions,
        bind_rotations=body.bind_rotations,
    )
    motion = replace(walk, body=large)
    for view in ("side", "front", "three-quarter", "top"):
        assert_whole(frame(motion, 10, contacts=planted, size=SIZE, view=view))
    assert_whole(strobe(motion, contacts=planted, poses=3, size=(480, 200)))
    assert_whole(frame_together([motion, motion.moved(offset=(3.0, 0.0, 1.0))], 0.3, size=SIZE))
    film(motion, tmp_path / "f.gif", contacts=planted, size=(160, 120), fps=5.0, view="three-quarter")
    with Image.open(tmp_path / "f.gif") as picture:
        for k in range(picture.n_frames):
            picture.seek(k)
            assert_whole(picture)


def test_edges_stay_sharp_and_curves_smooth() -> None:
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    faces = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
    triangles = np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])
    skin = skin_of(LONELY, rigid(corners, triangles))
    assert skin.shading.max() + 1 == 24  # four corners of six faces
    mesh = skin.posed(np.zeros((1, 3)), np.array([[1.0, 0, 0, 0]]), np.zeros(0, dtype=bool))
    assert np.allclose(np.sort(np.abs(mesh.normals), axis=1), [0.0, 0.0, 1.0])
    # A prism of 24 sides whose vertices are stored once for every triangle: its sides go over into one another.
    turn = np.linspace(0.0, 2.0 * np.pi, 25)[:-1]
    low = np.stack([np.cos(turn), 0 * turn, np.sin(turn)], axis=1)
    k = np.arange(24)
    after = (k + 1) % 24
    sides = np.concatenate([np.stack([k, k + 24, after], 1), np.stack([after, k + 24, after + 24], 1)])
    split = np.concatenate([low, low + UP])[sides].reshape(-1, 3)
    tube = skin_of(LONELY, rigid(split, np.arange(len(split)).reshape(-1, 3)))
    assert tube.shading.max() + 1 == 48


def rigid(vertices: np.ndarray, triangles: np.ndarray) -> Body:
    count = len(vertices)
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    joints = np.zeros((count, 4), dtype=np.int64)
    return Body(vertices, triangles, joints, weights, np.zeros((1, 3)), np.array([[1.0, 0, 0, 0]]))


@pytest.mark.data
@pytest.mark.parametrize("name", ["quaternius_Wolf.glb", "quaternius_Spider.glb", "luanti_spider_animated.gltf"])
def test_a_rig_has_a_sheet_of_its_skin(data, name: str) -> None:
    motion = load(data / "rigs" / name)
    clip = prepare(motion)
    assert clip.skin is not None
    picture = sheet(motion, width=900, poses=4)
    bones = sheet(motion, width=900, poses=4, skin=False)
    for each in (picture, bones):
        for colour in (palette.LEFT_LIMB, palette.RIGHT_LIMB):
            assert of_colour(each, colour)[90:].sum() > 300
    assert picture.size != bones.size or not np.array_equal(picture, bones)
