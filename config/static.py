"""Names and compression of static files in production."""

from collections.abc import Iterator
from typing import Any, Final

import brotli
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

BEST_QUALITY: Final = 11  # of Brotli
QUICK_QUALITY: Final = 5
LARGE_BYTES: Final = 100_000  # bytes: the API description has 9 MB of scripts, which take 15 s at best quality and 0.3 s quickly
OWN_FOLDERS: Final = ("css/", "js/")
Paths = dict[str, tuple[Any, str]]


class Packer(Compressor):  # type: ignore[misc]
    """Compressor with the best quality for small files and fast compression for large ones."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        """Return ``data`` compressed by Brotli."""
        return bytes(
            brotli.compress(data, quality=BEST_QUALITY if len(data) < LARGE_BYTES else QUICK_QUALITY)
        )


class HashedStaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Storage with a hash in every file name, so that browsers may cache the files forever.

    Also in imports of ES modules.
    """

    support_js_module_import_aggregation = True

    def post_process(self, paths: Paths, dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Name collected files by their hash, and minify the site's own scripts and styles."""
        # A Go library that starts threads: imported by collectstatic only, not by each process that needs file names.
        from config.shortened import MinifiedFiles  # noqa: PLC0415

        minified_paths = {
            name: (MinifiedFiles(storage) if name.startswith(OWN_FOLDERS) else storage, path)
            for name, (storage, path) in paths.items()
        }
        yield from super().post_process(minified_paths, dry_run, **options)

    def create_compressor(self, **kwargs: Any) -> Packer:
        """Return the compressor for static files."""
        return Packer(**kwargs)
