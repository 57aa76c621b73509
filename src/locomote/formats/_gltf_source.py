"""The original file behind a body as one buffer, ready for other animations."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator
from typing import Any

from locomote.errors import LocomoteError
from locomote.formats._gltf_build import Builder
from locomote.formats._gltf_document import Document, Json, read_uri

_IMAGE_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}


def copied(document: Document, dropped: Collection[int]) -> Builder:
    """A copy of a document as one buffer, without some of its animations and what only they used."""
    tree: Json = copy.deepcopy(document.tree)
    builder = Builder(tree)
    leaving = [one for a, one in enumerate(tree.get("animations", [])) if a in dropped]
    if leaving:
        _compact(tree, "animations", set(dropped))
        gone = {
            sampler.get(key) for one in leaving for sampler in one.get("samplers", []) for key in ("input", "output")
        }
        gone -= {holder[key] for holder, key in _accessor_uses(tree)}
        moved = _compact(tree, "accessors", gone)
        for holder, key in _accessor_uses(tree):
            holder[key] = moved[holder[key]]
    used = {holder[key] for holder, key in _view_uses(tree)}
    unused = {v for v in range(len(document.items("bufferViews"))) if v not in used}
    kept = [v for v in range(len(document.items("bufferViews"))) if v in used]
    moved = _compact(tree, "bufferViews", unused)
    for holder, key in _view_uses(tree):
        holder[key] = moved[holder[key]]
    for v, view in zip(kept, tree.get("bufferViews", []), strict=True):
        view.update(builder.place(document.view(v)[0]))
        view.pop("extensions", None)  # a compressed twin of the data points into the old buffers
    tree.pop("buffers", None)
    _embed_images(document, builder)
    return builder


def _compact(tree: Json, kind: str, gone: set[Any]) -> dict[int, int]:
    """Take some objects out of a list; returns the new index of every old one that stays."""
    items = tree.get(kind, [])
    stay = [i for i in range(len(items)) if i not in gone]
    if stay:
        tree[kind] = [items[i] for i in stay]
    else:
        tree.pop(kind, None)
    return {old: new for new, old in enumerate(stay)}


def _accessor_uses(tree: Json) -> Iterator[tuple[Json, str]]:
    """Every place that holds the index of an accessor."""
    for animation in tree.get("animations", []):
        for sampler in animation.get("samplers", []):
            for key in ("input", "output"):
                yield sampler, key
    for mesh in tree.get("meshes", []):
        for primitive in mesh.get("primitives", []):
            if "indices" in primitive:
                yield primitive, "indices"
            for attributes in [primitive.get("attributes", {}), *primitive.get("targets", [])]:
                for key in attributes:
                    yield attributes, key
    for skin in tree.get("skins", []):
        if "inverseBindMatrices" in skin:
            yield skin, "inverseBindMatrices"
    for node in tree.get("nodes", []):
        instances = node.get("extensions", {}).get("EXT_mesh_gpu_instancing", {}).get("attributes", {})
        for key in instances:
            yield instances, key


def _view_uses(tree: Json) -> Iterator[tuple[Json, str]]:
    """Every place that holds the index of a buffer view, those of extensions included."""
    waiting: list[Any] = [tree]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            if isinstance(item.get("bufferView"), int):
                yield item, "bufferView"
            waiting.extend(value for key, value in item.items() if key != "extras")
        elif isinstance(item, list):
            waiting.extend(item)


def _embed_images(document: Document, builder: Builder) -> None:
    """Pictures beside the original file would be lost with a new file elsewhere: take them in."""
    for i, image in enumerate(builder.tree.get("images", [])):
        uri = image.get("uri", "data:")
        if not isinstance(uri, str) or uri[:5].lower() == "data:":
            continue
        kind = _IMAGE_TYPES.get("." + uri.lower().rpartition(".")[2])
        if kind is None:
            continue
        try:
            data = read_uri(document, uri, f"images[{i}]")
        except LocomoteError:
            continue  # the reference stays as it was
        del image["uri"]
        image.update(bufferView=builder.append("bufferViews", builder.place(data)), mimeType=kind)
