"""Grey pictures as heights."""

from __future__ import annotations

from os import PathLike

import numpy as np

from locomote.errors import FormatError, LocomoteError
from locomote.rotations import FloatArray

_WHITE = {"1": 1.0, "L": 255.0, "I;16": 65535.0, "I;16B": 65535.0, "I": 65535.0}  # by the mode of Pillow


def read_grey(path: str | PathLike[str]) -> FloatArray:
    """The pixels of a picture of 1, 8 or 16 bits, 0 for black to 1 for white, the uppermost row first.

    Colours are taken at their brightness.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as picture:
            grey = picture if picture.mode in _WHITE else picture.convert("L")
            out: FloatArray = np.asarray(grey, dtype=np.float64) / _WHITE[grey.mode]
    except FileNotFoundError:
        raise LocomoteError(f"{path}: no such file") from None
    except UnidentifiedImageError:
        raise FormatError(path, "not a picture that can be read; expected a grey PNG") from None
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise FormatError(path, f"cannot be read: {error}") from None
    return out
