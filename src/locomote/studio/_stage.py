"""The scene of the page: floor, things that stand on it, prints and marks of feet, seen from whoever is followed.

Everything that moves or stands goes through the same kind of update (instances), so that the browser shows bodies and
floor of one moment together: what stands still on the floor is seen to stand still, at any frame rate.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from locomote import rotations as rot
from locomote.draw import _palette as palette
from locomote.rotations import FloatArray
from locomote.studio import _shapes as shapes
from locomote.studio._crowd_view import UNTURNED, BoolArray, CrowdView, Floats32, linear
from locomote.studio._feet import FootprintTrail
from locomote.studio._pieces import Look
from locomote.world import Ground, Obstacles

if TYPE_CHECKING:
    from collections.abc import Callable

    import viser

    Drag = Callable[[int, tuple[float, float], Any], None]

ARROW_LEAST = 0.03  # m; shorter arrows are left out
MARK_RADIUS = 0.02  # m
ABOVE = 0.008  # m that flat things lie above the floor, so that they do not flicker
PRINT = (0.045, 0.13)  # m, half width and half length of a print of a person with legs of 0.9 m
STONE, STONE_HIGH = 0.16, 0.09  # m, radius and height of a stone to step on
BELOW = -50.0  # m; a mark that is not to be seen waits there
EYE = np.array([3.0, 1.7, 4.2])  # m, from where the camera looks, and at what
AIM = np.array([0.0, 0.85, 0.0])
VIEW = math.radians(45.0)  # from the lower to the upper edge of the picture
ASIDE = 0.14  # of the picture's height, by which what is shown stands to the left of its middle: right is the panel
LEAST_SEEN = 0.03  # m, radius of the smallest thing that the camera goes near to
FLOOR_REACH = 48  # m to all sides that lines are drawn on the floor
FOG = (16.0, 46.0)  # m from the eye, where things begin to fade and are gone

Place = tuple[float, float]  # x, z


class SceneView:
    """Places given to it are those of the world; `centre` is the one that is shown in the middle."""

    def __init__(self, server: viser.ViserServer, shadows: bool = True) -> None:
        self.server, self.scene, self.shadows = server, server.scene, shadows
        self.centre = np.zeros(3)
        self.scene.set_up_direction("+y")
        self.scene.world_axes.visible = False
        self.scene.configure_default_lights(enabled=True, cast_shadow=shadows)
        self.scene.configure_fog(*FOG, color=palette.PAPER)
        # The plane only catches shadows; it looks the same wherever one stands.
        self._shade = self.scene.add_grid(
            "/shadows",
            plane="xz",
            infinite_grid=True,
            cell_thickness=0.0,
            section_thickness=0.0,
            shadow_opacity=0.2,
        )
        server.initial_camera.position = EYE
        server.initial_camera.look_at = AIM
        server.initial_camera.fov = VIEW
        server.initial_camera.near, server.initial_camera.far = 0.1, 300.0
        self._sunk = 0.0  # m that the floor lies below the level of the feet
        self._floor = self._flat("floor", shapes.grid(FLOOR_REACH, 0.008), palette.GRID)
        self._things: dict[tuple[str, int], viser.BatchedMeshHandle] = {}
        self._prints: list[viser.BatchedMeshHandle] = []
        self._print_places: list[FloatArray] = []
        self._marks: viser.BatchedMeshHandle | None = None
        self._chosen: viser.BatchedMeshHandle | None = None
        self._path: viser.BatchedMeshHandle | None = None
        self._path_points = np.zeros((0, 3))
        self._stones: viser.BatchedMeshHandle | None = None
        self._labels: list[viser.LabelHandle] = []
        self._surface: list[viser.BatchedMeshHandle] = []
        self._dots: dict[str, viser.BatchedMeshHandle] = {}
        self._arrows: viser.ArrowsHandle | None = None

    def _flat(
        self,
        name: str,
        mesh: shapes.Mesh,
        colour: palette.Colour,
        count: int = 1,
        opacity: float | None = None,
    ) -> viser.BatchedMeshHandle:
        """So many copies of something that lies on the floor."""
        return self.scene.add_batched_meshes_simple(
            f"/{name}",
            *mesh,
            batched_wxyzs=np.tile(UNTURNED, (count, 1)),
            batched_positions=np.full((count, 3), BELOW, dtype=np.float32),
            batched_scales=np.ones(count, dtype=np.float32),
            batched_colors=linear(colour),
            opacity=opacity,
            lod="off",
            side="double",
            cast_shadow=False,
            receive_shadow=False,
        )

    def seen(self, places: FloatArray) -> Floats32:
        """Places of the world as the page has them."""
        out: Floats32 = (places - self.centre).astype(np.float32)
        return out

    def look_at(self, centre: FloatArray) -> None:
        """Bring a place of the world into the middle; it shows with the next frame."""
        self.centre = np.array([centre[0], centre[1], centre[2]], dtype=np.float64)

    def eyes(self) -> FloatArray:
        """Where everybody looks from ``(C, 3)``, as the page has it."""
        places = [client.camera.position for client in self.server.get_clients().values()]
        return np.array(places, dtype=np.float64).reshape(-1, 3)

    def frame(self, points: FloatArray, room: float) -> None:
        """Let all cameras, also those to come, see points ``(M, 3)`` of the world and ``room`` times their size."""
        seen = np.asarray(self.seen(points), dtype=np.float64).reshape(-1, 3)
        low, high = seen.min(axis=0), seen.max(axis=0)
        aim, radius = 0.5 * (low + high), 0.5 * float(np.linalg.norm(high - low))
        away = room * max(radius, LEAST_SEEN) / math.sin(0.5 * VIEW)
        back = (EYE - AIM) / np.linalg.norm(EYE - AIM)
        right = np.cross([0.0, 1.0, 0.0], back)
        aim = aim + 2.0 * ASIDE * away * math.tan(0.5 * VIEW) * right / np.linalg.norm(right)
        eye = aim + away * back
        self.server.initial_camera.position, self.server.initial_camera.look_at = eye, aim
        for client in self.server.get_clients().values():
            with client.atomic():
                client.camera.position = eye
                client.camera.look_at = aim

    def draw_floor(self) -> None:
        """Lines and prints where they are now; call it in every frame."""
        shift = -self.centre
        self._floor.batched_positions = np.array(
            [[math.fmod(shift[0], 1.0), shift[1] - self._sunk, math.fmod(shift[2], 1.0)]], dtype=np.float32
        )
        for k, node in enumerate(self._surface):
            node.batched_positions = self.seen(np.array([[0.0, 0.3 * k * ABOVE, 0.0]]))
        for node, places in zip(self._prints, self._print_places, strict=True):
            if len(places):
                node.batched_positions = self.seen(places)
        if self._path is not None:
            self._path.batched_positions = self.seen(np.array([[0.0, 1.5 * ABOVE, 0.0]]))

    def sink_floor(self, by: float) -> None:
        """Let the floor lie so many metres below the level of the feet, under what they stand on."""
        self._sunk = by
        self._shade.position = (0.0, -by, 0.0)

    def crowd_view(self, name: str, look: Look, count: int) -> CrowdView:
        """A group of characters."""
        return CrowdView(self.scene, f"/{name}", look, count, self.shadows)

    def on_floor(self, origin: FloatArray, direction: FloatArray, height: float = 0.0) -> Place | None:
        """Where a line of sight of the page meets a level of the world."""
        return on_floor(np.asarray(origin) + self.centre, np.asarray(direction), height)

    def mark_feet(self, points: FloatArray, standing: BoolArray) -> None:
        """Small green disks under the points ``(M, 3)`` that touch."""
        places = np.where(standing[:, None], self.seen(points + np.array([0.0, ABOVE, 0.0])), np.float32(BELOW))
        if self._marks is None or len(self._marks.batched_positions) != len(places):
            if self._marks is not None:
                self._marks.remove()
            mesh = shapes.disk(MARK_RADIUS, 12)
            self._marks = self._flat("marks", mesh, palette.PLANTED, len(places))
        self._marks.batched_positions = places

    def show_prints(self, prints: FootprintTrail, sides: tuple[str, ...], shoes: bool = True) -> None:
        """Footprints, as far as there are new ones: of shoes, or dots of a radius of 1 m times their size."""
        if not prints.changed and len(self._prints) == len(sides):
            return
        prints.changed = False
        if len(self._prints) != len(sides):
            for node in self._prints:
                node.remove()
            mesh = shapes.sole(*PRINT) if shoes else shapes.disk(1.0, 10)
            self._prints = [
                self._flat(f"prints/{k}", mesh, palette.side_colour(side), 1, 0.7) for k, side in enumerate(sides)
            ]
        self._print_places = [rows[:, :3] + np.array([0.0, 0.7 * ABOVE, 0.0]) for rows in prints.rows]
        for node, rows in zip(self._prints, prints.rows, strict=True):
            node.visible = len(rows) > 0
            if len(rows):
                node.batched_wxyzs = rot.from_yaw(rows[:, 3]).astype(np.float32)
                node.batched_scales = rows[:, 4].astype(np.float32)

    def choose(self, place: FloatArray | None) -> None:
        """A ring on the floor around the one who is spoken to."""
        if self._chosen is None:
            self._chosen = self._flat("chosen", shapes.ring(0.33, 0.37), palette.SHORE)
        if place is None:
            self._chosen.batched_positions = np.full((1, 3), BELOW, dtype=np.float32)
        else:
            self._chosen.batched_positions = self.seen(place + np.array([0.0, ABOVE, 0.0]))[None]

    def show_obstacles(
        self, obstacles: Obstacles, ground: Ground, drag: Drag | None = None, group: str = "things"
    ) -> None:
        """Puddles, boxes and walls as they stand now; with ``drag`` they can be taken hold of."""
        for key in [key for key in self._things if key[0] == group and key[1] not in obstacles]:
            self._things.pop(key).remove()
        for one in obstacles:
            key = group, one
            outline = obstacles.outline(one)
            middle = outline.mean(axis=0)
            if key not in self._things:
                self._things[key] = self._add_obstacle(f"/{group}/{one}", obstacles, one, outline - middle)
                if drag is not None:
                    self._listen(self._things[key], one, drag)
            height = float(ground.heights(middle)) + obstacles.lift(one)
            place = np.array([[middle[0], height, middle[1]]])
            self._things[key].batched_positions = self.seen(place)

    def _add_obstacle(self, name: str, obstacles: Obstacles, one: int, outline: FloatArray) -> viser.BatchedMeshHandle:
        height = obstacles.height(one)
        flat = height < 0.01
        colour = palette.WATER if flat else palette.BLOCK if height < 1.2 else palette.WALL
        return self.scene.add_batched_meshes_simple(
            name,
            *shapes.prism(outline, 0.4 * ABOVE if flat else height),
            batched_wxyzs=UNTURNED[None],
            batched_positions=np.zeros((1, 3), dtype=np.float32),
            batched_colors=linear(colour),
            lod="off",
            side="double" if flat else "front",
            flat_shading=True,
            cast_shadow=not flat and self.shadows,
            receive_shadow=False,
        )

    def _listen(self, node: viser.BatchedMeshHandle, one: int, drag: Drag) -> None:
        """Let a thing be dragged over the floor; what was taken hold of stays under the pointer."""
        held: dict[str, FloatArray] = {}

        @node.on_drag("left")
        async def _(event: Any) -> None:  # async: the phases of a drag stay in order
            eye = np.asarray(event.client.camera.position)
            level = event.start_position[1] + self.centre[1]
            place = self.on_floor(eye, np.asarray(event.end_position) - eye, level)
            if place is None:
                return
            which = one if event.instance_index is None or one >= 0 else int(event.instance_index)
            middle = node.batched_positions[max(event.instance_index or 0, 0)] + self.centre
            if event.phase == "start" or "off" not in held:
                held["off"] = middle[[0, 2]] - np.array(place)
            x, z = np.array(place) + held["off"]
            drag(which, (float(x), float(z)), event.client)
            if event.phase == "end":
                held.clear()

    def show_stones(self, places: FloatArray, colours: FloatArray, drag: Drag) -> None:
        """Stones whose tops are at places ``(S, 3)``; they can be taken hold of by their number."""
        if self._stones is None or len(self._stones.batched_positions) != len(places):
            if self._stones is not None:
                self._stones.remove()
            turn = np.arange(11) * math.tau / 11
            uneven = STONE * (1.0 + 0.06 * np.sin(3.0 * turn))
            outline = uneven[:, None] * np.column_stack([np.sin(turn), np.cos(turn)])
            vertices, triangles = shapes.prism(outline, STONE_HIGH)
            self._stones = self.scene.add_batched_meshes_simple(
                "/stones",
                vertices - np.array([0.0, STONE_HIGH, 0.0]),
                triangles,
                batched_wxyzs=np.tile(UNTURNED, (len(places), 1)),
                batched_positions=self.seen(places),
                batched_colors=np.tile(linear(palette.SECTION), (len(places), 1)),
                lod="off",
                flat_shading=True,
                cast_shadow=False,
                receive_shadow=False,
            )
            self._listen(self._stones, -1, drag)
        self._stones.batched_positions = self.seen(places)
        self._stones.batched_colors = colours.astype(np.uint8)

    def show_labels(self, texts: tuple[str, ...], places: FloatArray) -> None:
        """Short texts at places ``(M, 3)``."""
        if tuple(label.text for label in self._labels) != texts:
            for label in self._labels:
                label.remove()
            self._labels = [
                self.scene.add_label(f"/labels/{k}", text, font_screen_scale=0.8) for k, text in enumerate(texts)
            ]
        for label, place in zip(self._labels, self.seen(places), strict=True):
            label.position = place

    def show_surface(self, mesh: shapes.Mesh | None, lines: shapes.Mesh | None = None, floor: bool = False) -> None:
        """Another ground, with lines that show how it goes up and down; or none. The level ``floor`` may stay."""
        for node in self._surface:
            node.remove()
        self._surface = []
        self._floor.visible = mesh is None or floor
        for name, shape, colour in (("surface", mesh, palette.FLOOR), ("lines", lines, palette.MUTED)):
            if shape is None:
                continue
            self._surface.append(
                self.scene.add_batched_meshes_simple(
                    f"/ground/{name}",
                    *shape,
                    batched_wxyzs=UNTURNED[None],
                    batched_positions=self.seen(np.zeros((1, 3))),
                    batched_colors=linear(colour),
                    lod="off",
                    side="double",
                    cast_shadow=False,
                    receive_shadow=self.shadows and shape is mesh,
                )
            )

    def show_dots(self, name: str, points: FloatArray, colour: palette.Colour, radius: float = 0.02) -> None:
        """Small disks at points ``(M, 3)``, none without any."""
        node = self._dots.get(name)
        if node is not None and len(node.batched_positions) != len(points):
            self._dots.pop(name).remove()
            node = None
        if not len(points):
            return
        if node is None:
            node = self._dots[name] = self._flat(f"dots/{name}", shapes.disk(radius, 12), colour, len(points))
        node.batched_positions = self.seen(points + np.array([0.0, 1.5 * ABOVE, 0.0]))

    def show_arrows(self, places: FloatArray, vectors: FloatArray, warned: FloatArray) -> None:
        """Arrows that push at places ``(M, 3)`` from below, red as far as they warn ``(M,)``; none without any.

        Above the floor, where forces are usually drawn, legs would hide them.
        """
        long = np.linalg.norm(vectors, axis=1) > ARROW_LEAST
        ends = np.stack([places - vectors, places], axis=1)[long]
        if self._arrows is not None and len(self._arrows.points) != len(ends):
            self._arrows.remove()
            self._arrows = None
        if not len(ends):
            return
        share = warned[long, None]
        colours = ((1.0 - share) * np.array(palette.FORCE) + share * np.array(palette.ALARM)).astype(np.uint8)
        if self._arrows is None:
            self._arrows = self.scene.add_arrows(
                "/arrows", self.seen(ends), colours, shaft_radius=0.012, head_radius=0.035, head_length=0.1
            )
        self._arrows.points, self._arrows.colors = self.seen(ends), colours

    def show_path(self, points: FloatArray) -> None:
        """A way on the floor through points ``(P, 3)`` that is drawn; none without points."""
        if np.array_equal(points, self._path_points):
            return
        self._path_points = points.copy()
        if self._path is not None:
            self._path.remove()
            self._path = None
        if not len(points):
            return
        vertices, triangles = shapes.disk(0.09)
        vertices = vertices + points[0]
        if len(points) > 1:
            strip, faces = shapes.ribbon(points, 0.03)
            vertices, triangles = np.vstack([vertices, strip]), np.vstack([triangles, faces + len(vertices)])
        self._path = self._flat("path", (vertices, triangles), palette.SHORE)

    def clear(self) -> None:
        """Take off prints, marks, things and the ring; floor and camera stay."""
        for node in [*self._prints, *self._things.values(), *self._dots.values(), *self._labels]:
            node.remove()
        self._prints, self._print_places, self._things, self._dots, self._labels = [], [], {}, {}, []
        for single in (self._marks, self._stones, self._arrows):
            if single is not None:
                single.remove()
        self._marks = self._stones = self._arrows = None
        self.sink_floor(0.0)
        self.show_surface(None)
        self.show_path(np.zeros((0, 3)))
        self.choose(None)


def on_floor(origin: FloatArray, direction: FloatArray, height: float = 0.0) -> Place | None:
    """Where a ray meets the level ``height``, not farther away than 500 m."""
    if not (np.all(np.isfinite(origin)) and np.all(np.isfinite(direction))) or abs(direction[1]) < 1e-6:
        return None
    t = (height - origin[1]) / direction[1]
    length = t * float(np.linalg.norm(direction))
    if not 0.0 < length < 500.0:
        return None
    place = origin + t * direction
    return float(place[0]), float(place[2])
