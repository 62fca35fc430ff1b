"""How static files are named and packed in production."""

from typing import Any, Final

import brotli
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

BEST: Final = 11  # of Brotli
QUICK: Final = 5
LARGE: Final = 100_000  # bytes: the pages that describe the API bring 9 MB of scripts, which take 15 s at best and 0.3 s quickly


class Packer(Compressor):  # type: ignore[misc]
    """Our own files as small as they get, large ones quickly."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        """``data`` by Brotli."""
        return bytes(brotli.compress(data, quality=BEST if len(data) < LARGE else QUICK))


class HashedStaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """A hash in every name, also in the names that our ES modules import, so that all of them may be cached for ever."""

    support_js_module_import_aggregation = True

    def create_compressor(self, **kwargs: Any) -> Packer:
        """What packs each file."""
        return Packer(**kwargs)
