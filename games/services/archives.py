"""Read zip archives from untrusted sources: list the files by the table of contents, and extract one.

Everything is limited first: the table's own size, the number of files, their unpacked size together and each.
Names are only displayed, never used as paths. An invalid archive is rejected; an invalid file gets its reason
and the others are read.
"""

import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from lzma import LZMAError

from faults import Invalid
from games.records.decoding import MAX_BYTES

MAX_ARCHIVE_BYTES = 40_000_000
MAX_FILES = 5_000
MAX_TABLE_BYTES = 2_000_000
MAX_UNPACKED_BYTES = 400_000_000
MAX_RATIO = 200
RATIO_CHECK_BYTES = 200_000  # small files may have any ratio
_END, _END_64 = b"PK\x05\x06", b"PK\x06\x07"
_END_SIZE = 22
_ARCHIVE_SUFFIXES = (".zip", ".7z", ".rar", ".gz", ".tgz", ".bz2", ".xz", ".tar")
_ENCRYPTED = 1


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """A file in an archive; ``refused`` is the code of the reason why it cannot be read, or ""."""

    position: int
    name: str
    refused: str


def list_members(archive: bytes) -> list[ArchiveMember]:
    """Return the files of the archive in its order, without folders and system files.

    Raises ``Invalid`` for a damaged, empty or too large archive.
    """
    if len(archive) > MAX_ARCHIVE_BYTES:
        raise Invalid("archive.too_big", field="file", limit=MAX_ARCHIVE_BYTES // 1_000_000)
    _check_table(archive)
    infos = _infos(archive)
    wanted_infos = [(index, info) for index, info in enumerate(infos) if not _is_litter(info)]
    if not wanted_infos:
        raise Invalid("archive.empty", field="file")
    if len(wanted_infos) > MAX_FILES:
        raise Invalid("archive.too_many", field="file", limit=MAX_FILES)
    if sum(info.file_size for _, info in wanted_infos) > MAX_UNPACKED_BYTES:
        raise Invalid("archive.unpacks_too_big", field="file", limit=MAX_UNPACKED_BYTES // 1_000_000)
    return [ArchiveMember(index, info.filename, _member_fault(info)) for index, info in wanted_infos]


class OpenArchive:
    """An archive checked by ``list_members``, opened once for many files."""

    def __init__(self, archive: bytes) -> None:
        self._zip = zipfile.ZipFile(BytesIO(archive))
        self._infos: Sequence[zipfile.ZipInfo] = self._zip.infolist()

    def read(self, position: int) -> bytes | None:
        """Return the bytes of the file at this position; None if it does not unpack as the table states."""
        try:
            with self._zip.open(self._infos[position]) as file:
                data = file.read(MAX_BYTES + 1)
        except (
            zipfile.BadZipFile,
            zlib.error,
            LZMAError,
            OSError,
            EOFError,
            RuntimeError,
            ValueError,
            IndexError,
            MemoryError,
        ):
            # MemoryError: LZMA allocates the memory that the file requests
            # RuntimeError: a password; NotImplementedError (a subclass): an unknown compression
            return None
        return data if len(data) <= MAX_BYTES else None


def _check_table(archive: bytes) -> None:
    """Raise ``Invalid`` if the table of contents, which is read as a whole, is too large or missing."""
    end = archive.rfind(_END, max(0, len(archive) - _END_SIZE - 0xFFFF))
    if end < 0 or len(archive) < end + _END_SIZE:
        raise Invalid("archive.broken", field="file")
    (size,) = struct.unpack_from("<I", archive, end + 12)
    # Nothing below 4 GB needs the 64-bit table, in which another size could be hidden.
    if archive[max(0, end - 20) : end].startswith(_END_64) or size > MAX_TABLE_BYTES:
        raise Invalid("archive.too_many", field="file", limit=MAX_FILES)


def _infos(archive: bytes) -> list[zipfile.ZipInfo]:
    try:
        with zipfile.ZipFile(BytesIO(archive)) as zip_file:
            return zip_file.infolist()
    except (
        zipfile.BadZipFile,
        OSError,
        ValueError,
        NotImplementedError,
        struct.error,
        UnicodeError,
    ) as error:
        raise Invalid("archive.broken", field="file") from error


def _is_litter(info: zipfile.ZipInfo) -> bool:
    parts = info.filename.replace("\\", "/").split("/")
    return info.is_dir() or "__MACOSX" in parts or parts[-1] in {".DS_Store", "Thumbs.db", "desktop.ini", ""}


def _member_fault(info: zipfile.ZipInfo) -> str:
    name = info.filename.replace("\\", "/")
    if name.startswith("/") or ".." in name.split("/") or name[1:2] == ":":
        return "packed.name_odd"
    if info.flag_bits & _ENCRYPTED:
        return "packed.locked"
    if name.lower().endswith(_ARCHIVE_SUFFIXES):
        return "packed.archive"
    if info.file_size > MAX_BYTES:
        return "packed.too_big"
    if info.file_size > RATIO_CHECK_BYTES and info.file_size > MAX_RATIO * max(info.compress_size, 1):
        return "packed.squeezed"
    return ""
