"""How static files are named and packed in production."""

from collections.abc import Iterator
from typing import Any, Final

import brotli
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

BEST_QUALITY: Final = 11  # of Brotli
QUICK_QUALITY: Final = 5
LARGE_BYTES: Final = 100_000  # bytes: the pages that describe the API bring 9 MB of scripts, which take 15 s at best and 0.3 s quickly
OWN_FOLDERS: Final = ("css/", "js/")
Paths = dict[str, tuple[Any, str]]


class Packer(Compressor):  # type: ignore[misc]
    """Our own files as small as they get, large ones quickly."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        """``data`` by Brotli."""
        return bytes(
            brotli.compress(data, quality=BEST_QUALITY if len(data) < LARGE_BYTES else QUICK_QUALITY)
        )


class HashedStaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """A hash in every name, also in the names that our ES modules import, so that all of them may be cached for ever."""

    support_js_module_import_aggregation = True

    def post_process(self, paths: Paths, dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """What is collected, named after what it holds: of our own scripts and styles without comments, blanks and long names."""
        # A library in Go, which starts threads of its own: for whoever collects, not for each process that asks for a file's name.
        from config.shortened import MinifiedFiles  # noqa: PLC0415

        short = {
            name: (MinifiedFiles(where) if name.startswith(OWN_FOLDERS) else where, path)
            for name, (where, path) in paths.items()
        }
        yield from super().post_process(short, dry_run, **options)

    def create_compressor(self, **kwargs: Any) -> Packer:
        """What packs each file."""
        return Packer(**kwargs)
