"""Makes an editor's picture small and plain: no camera data, no foreign format, one name per content."""

from __future__ import annotations

import hashlib
import io
import warnings
from typing import Final

from PIL import Image, ImageOps, UnidentifiedImageError

LARGEST_FILE: Final = 5 * 2**20
_FORMATS: Final = ("JPEG", "PNG", "WEBP")
_MOST_PIXELS: Final = 40_000_000
_SIZE: Final = (640, 640)


class PictureError(Exception):
    """A file that is no picture of ours; the message says why, for the log."""


def small_picture(data: bytes) -> tuple[str, bytes]:
    """Return name and bytes of a WebP of at most 640 by 640 pixels. Raises PictureError.

    The name is made of the content alone: letters and digits, then ".webp".
    """
    if len(data) > LARGEST_FILE:
        raise PictureError("too large")
    try:
        with warnings.catch_warnings():
            # Pillow only warns of a picture that unfolds beyond measure.
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=_FORMATS) as opened:
                if opened.width * opened.height > _MOST_PIXELS:
                    raise PictureError("too many pixels")
                picture = ImageOps.exif_transpose(opened)
                picture.thumbnail(_SIZE)
                # Colours and transparency only; a profile or an animation goes.
                plain = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    except PictureError:
        raise
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Warning, Image.DecompressionBombError) as error:
        raise PictureError(type(error).__name__) from error
    packed = io.BytesIO()
    plain.save(packed, "WEBP", quality=80)
    content = packed.getvalue()
    return f"{hashlib.sha256(content).hexdigest()[:32]}.webp", content
