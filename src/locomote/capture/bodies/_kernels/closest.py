"""Closest points of triangles, by a tree of boxes over them."""

from __future__ import annotations

from locomote.math._compile import inline, kernel
from locomote.math.vector import Floats, Ints, Vector, add, dot, scale, subtract, vector

LEAF = 6  # triangles in a leaf
DEEP = 64  # boxes that wait at most


@kernel
def build_tree(centres: Floats, low: Floats, high: Floats, order: Ints, spans: Ints, boxes: Floats) -> int:
    """Sort triangles into a tree of boxes; the number of its nodes.

    ``centres``, ``low``, ``high (T, 3)``: of the triangles. Filled: ``order (T,)``, the triangles leaf by leaf;
    ``spans (N, 3)``: first and last place in `order` and the first of two children (0 for a leaf); ``boxes (N, 6)``.
    """
    count = order.shape[0]
    for i in range(count):
        order[i] = i
    spans[0, 0], spans[0, 1] = 0, count
    nodes, node = 1, 0
    while node < nodes:
        first, last = spans[node, 0], spans[node, 1]
        spread, axis = -1.0, 0
        for k in range(3):
            lowest, highest, least, most = 1e300, -1e300, 1e300, -1e300
            for i in range(first, last):
                j = order[i]
                lowest, highest = min(lowest, low[j, k]), max(highest, high[j, k])
                least, most = min(least, centres[j, k]), max(most, centres[j, k])
            boxes[node, k], boxes[node, 3 + k] = lowest, highest
            if most - least > spread:
                spread, axis = most - least, k
        spans[node, 2] = 0
        if last - first > LEAF and spread > 0.0:
            middle = (first + last) // 2
            _select(centres, axis, order, first, last - 1, middle)
            spans[node, 2] = nodes
            spans[nodes, 0], spans[nodes, 1] = first, middle
            spans[nodes + 1, 0], spans[nodes + 1, 1] = middle, last
            nodes += 2
        node += 1
    return nodes


@inline
def _select(centres: Floats, axis: int, order: Ints, left: int, right: int, wanted: int) -> None:
    """Put into place ``wanted`` of ``order`` what belongs there, and what is less before it (Hoare)."""
    while left < right:
        pivot = centres[order[(left + right) // 2], axis]
        i, j = left, right
        while i <= j:
            while centres[order[i], axis] < pivot:
                i += 1
            while centres[order[j], axis] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if wanted <= j:
            right = j
        elif wanted >= i:
            left = i
        else:
            return


@inline
def _box_distance(p: Vector, boxes: Floats, node: int) -> float:
    """Squared distance from a point to a box."""
    x = max(boxes[node, 0] - p[0], 0.0, p[0] - boxes[node, 3])
    y = max(boxes[node, 1] - p[1], 0.0, p[1] - boxes[node, 4])
    z = max(boxes[node, 2] - p[2], 0.0, p[2] - boxes[node, 5])
    return float(x * x + y * y + z * z)


@inline
def closest_weights(p: Vector, a: Vector, b: Vector, c: Vector) -> Vector:
    """Barycentric weights of the point of a triangle that is closest to ``p`` (Ericson 2005)."""
    ab, ac, ap = subtract(b, a), subtract(c, a), subtract(p, a)
    d1, d2 = dot(ab, ap), dot(ac, ap)
    if d1 <= 0.0 and d2 <= 0.0:
        return 1.0, 0.0, 0.0
    bp = subtract(p, b)
    d3, d4 = dot(ab, bp), dot(ac, bp)
    if d3 >= 0.0 and d4 <= d3:
        return 0.0, 1.0, 0.0
    cp = subtract(p, c)
    d5, d6 = dot(ab, cp), dot(ac, cp)
    if d6 >= 0.0 and d5 <= d6:
        return 0.0, 0.0, 1.0
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        v = d1 / (d1 - d3)
        return 1.0 - v, v, 0.0
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        w = d2 / (d2 - d6)
        return 1.0 - w, 0.0, w
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return 0.0, 1.0 - w, w
    over = 1.0 / (va + vb + vc)
    return (va * over, vb * over, vc * over)


@kernel
def closest_points(
    points: Floats,
    vertices: Floats,
    faces: Ints,
    order: Ints,
    spans: Ints,
    boxes: Floats,
    waiting: Ints,
    nearest: Ints,
    weights: Floats,
) -> None:
    """Fill ``nearest (P,)``, the triangle nearest to each of ``points (P, 3)``, and ``weights (P, 3)`` within it.

    The tree is that of `build_tree`; ``waiting (DEEP,)`` is memory.
    """
    last = 0
    for n in range(points.shape[0]):
        p = vector(points[n])
        best, found = 1e300, -1
        at = (1.0, 0.0, 0.0)
        if n > 0:  # neighbours in the list are often neighbours in space
            best, at = _to_triangle(p, vertices, faces, last)
            found = last
        waiting[0], top = 0, 1
        while top > 0:
            top -= 1
            node = waiting[top]
            if _box_distance(p, boxes, node) >= best:
                continue
            child = spans[node, 2]
            if child == 0:
                for i in range(spans[node, 0], spans[node, 1]):
                    here, share = _to_triangle(p, vertices, faces, order[i])
                    if here < best:
                        best, found, at = here, order[i], share
                continue
            one, other = _box_distance(p, boxes, child), _box_distance(p, boxes, child + 1)
            if one < other:
                waiting[top], waiting[top + 1] = child + 1, child
            else:
                waiting[top], waiting[top + 1] = child, child + 1
            top += 2
        last = found
        nearest[n] = found
        weights[n, 0], weights[n, 1], weights[n, 2] = at


@inline
def _to_triangle(p: Vector, vertices: Floats, faces: Ints, t: int) -> tuple[float, Vector]:
    a, b, c = vector(vertices[faces[t, 0]]), vector(vertices[faces[t, 1]]), vector(vertices[faces[t, 2]])
    share = closest_weights(p, a, b, c)
    off = subtract(p, add(add(scale(a, share[0]), scale(b, share[1])), scale(c, share[2])))
    return dot(off, off), share
