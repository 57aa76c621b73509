"""Pictures into files: entirely or not at all."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from PIL import Image

from locomote.errors import LocomoteError
from locomote.formats._files import atomic_path

PICTURES = (".png", ".jpg", ".jpeg", ".webp")


def save_picture(picture: Image.Image, path: str | PathLike[str] | None) -> Image.Image:
    """Write a picture if there is a path, by its extension; the picture itself is given back."""
    if path is None:
        return picture
    extension = check_extension(path, PICTURES, "picture")
    flat = picture.convert("RGB") if extension in (".jpg", ".jpeg") and picture.mode != "RGB" else picture
    with atomic_path(path) as temporary:
        flat.save(temporary)
    return picture


def check_extension(path: str | PathLike[str], known: tuple[str, ...], what: str) -> str:
    """The extension of a path in lower case, if it is one of the known ones."""
    extension = Path(path).suffix.lower()
    if extension not in known:
        raise LocomoteError(f"{path}: no {what} format {extension!r}; expected one of {', '.join(known)}")
    return extension
