"""Meshes of scans: turned outwards, welded, holes told; against trimesh, which wrote them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh

import locomote as lm
from locomote.capture._meshes import checked_mesh, read_mesh


def volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


def two_balls() -> trimesh.Trimesh:
    other = trimesh.creation.icosphere(2, 0.5)
    other.apply_translation((3.0, 0.0, 0.0))
    return trimesh.util.concatenate([trimesh.creation.icosphere(3, 1.0), other])


def test_triangles_that_face_inwards_are_turned_piece_by_piece() -> None:
    balls = two_balls()
    faces = np.array(balls.faces)
    random = np.random.default_rng(0)
    some = random.random(len(faces)) < 0.4
    faces[some] = faces[some][:, ::-1]
    mesh = checked_mesh(balls.vertices, faces)
    assert volume(mesh.vertices, mesh.faces) == pytest.approx(balls.volume, rel=1e-9)
    assert trimesh.Trimesh(mesh.vertices, mesh.faces, process=False).is_winding_consistent
    assert f"{some.sum()} of {len(faces)}" in mesh.notes[0]
    out = mesh.vertices - np.where(mesh.vertices[:, :1] > 1.7, [[3.0, 0.0, 0.0]], 0.0)
    assert np.all(np.sum(out * mesh.normals, axis=1) > 0.0)


def test_holes_and_crowded_edges_are_told_and_vertices_welded() -> None:
    ball = trimesh.creation.icosphere(2, 1.0)
    loose = ball.vertices[ball.faces].reshape(-1, 3)  # every triangle with corners of its own
    whole = checked_mesh(loose, np.arange(len(loose)).reshape(-1, 3))
    assert len(whole.vertices) == len(ball.vertices)
    assert whole.notes == ()
    holed = checked_mesh(ball.vertices, ball.faces[1:])
    assert holed.notes == ("3 open edges: it has holes",)
    fin = np.concatenate([ball.faces, [[*ball.faces[0][:2], len(ball.vertices)]]])
    crowded = checked_mesh(np.concatenate([ball.vertices, [[2.0, 2.0, 2.0]]]), fin)
    assert any("1 edges of more than two" in note for note in crowded.notes)
    flat = checked_mesh(ball.vertices, np.concatenate([ball.faces, [[0, 0, 1]]]))
    assert flat.notes == ("1 triangles without area: left out",)


@pytest.mark.parametrize("suffix", [".obj", ".ply", ".stl", ".off", ".glb"])
def test_files_of_meshes_are_read(tmp_path: Path, suffix: str) -> None:
    balls = two_balls()
    balls.export(tmp_path / f"balls{suffix}")
    mesh = read_mesh(tmp_path / f"balls{suffix}")
    assert volume(mesh.vertices, mesh.faces) == pytest.approx(balls.volume, rel=1e-4)
    assert mesh.notes == ()


@pytest.mark.parametrize(
    ("vertices", "faces", "words"),
    [
        (np.zeros((0, 3)), np.zeros((0, 3)), "has no triangles"),
        (np.zeros((3, 2)), [[0, 1, 2]], "expected vertices"),
        (np.eye(3), [[0, 1, 3]], "names vertex 3"),
        ([[0, 0, 0], [1, 0, np.nan], [0, 1, 0]], [[0, 1, 2]], "vertex 1 is not finite"),
        (np.ones((3, 3)), [[0, 1, 2]], "has an area"),
    ],
)
def test_what_is_no_mesh_is_refused(vertices: object, faces: object, words: str) -> None:
    with pytest.raises(lm.LocomoteError, match=words):
        checked_mesh(vertices, faces)  # type: ignore[arg-type]


def test_files_that_are_no_meshes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(lm.FormatError, match="no such file"):
        read_mesh(tmp_path / "none.obj")
    for name in ("text.obj", "text.ply", "text.glb"):
        (tmp_path / name).write_text("this is no mesh")
        with pytest.raises(lm.LocomoteError, match=name):
            read_mesh(tmp_path / name)
