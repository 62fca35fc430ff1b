"""The file format of backups and bundles: a ZIP that `unzip` opens as well.

First comes ``crawford.json``, which identifies even an incomplete file, then ``tables/NAME.jsonl`` (one row
per line) and ``files/NAME`` (stored files), and last ``manifest.json`` with the SHA-256 of everything before
it.
"""

import hashlib
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from tournaments.backups.services.unfinished import unfinished_file

FORMAT_VERSION: Final = 1
MARK_NAME: Final = "crawford.json"
MANIFEST_NAME: Final = "manifest.json"
SIGNATURE_NAME: Final = "signature.json"
_HEADER_BYTES: Final = 30  # bytes of ZIP before the name of the first member
_CHUNK_BYTES: Final = 1 << 20
_MAX_MANIFEST_BYTES: Final = 64 << 20  # limit on what is read before it is verified
_MAX_SIGNATURE_BYTES: Final = 1 << 16  # likewise


class ArchiveKind(StrEnum):
    """Kind of an archive.

    A backup of a whole site, or a signed bundle of an event or club for another site.
    """

    BACKUP = "backup"
    BUNDLE = "bundle"


class BackupRefused(Exception):
    """A backup or bundle cannot be made or accepted; the message is a sentence for the operator."""


class StoredTable(msgspec.Struct, frozen=True):
    """The manifest's entry for a table: columns with their kinds, number of rows, hash of the member.

    ``last``: the last id that the table assigned (0: none).
    """

    name: str
    columns: list[tuple[str, str]]
    rows: int
    last: int
    sha256: str


class StoredFile(msgspec.Struct, frozen=True):
    """The manifest's entry for a stored file; ``name``: its name in the storage."""

    name: str
    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """The list of what an archive contains.

    ``key``: fingerprint of the site's secret key; of a bundle its public key. For bundles only: ``subject``:
    public id of the event or the club (``of`` says which); ``heads``: last hashes of the audit logs, keyed by
    event; ``standings``: digests of ratings, keyed by list.
    """

    format: int
    release: str
    made_at: str
    database: str
    key: str
    migrations: list[tuple[str, str]]
    tables: list[StoredTable]
    files: list[StoredFile]
    of: str = ""
    subject: str = ""
    name: str = ""
    site: str = ""
    heads: dict[str, str] = {}
    standings: dict[str, str] = {}


class MemberWriter:
    """A member of the archive that is being written; its hash is computed at the same time."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._hash, self.size = file, hashlib.sha256(), 0

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self._hash.update(data)
        self.size += len(data)

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()


class ArchiveWriter:
    """An archive that is being written."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    @contextmanager
    def member(self, name: str) -> Iterator[MemberWriter]:
        with self._archive.open(name, "w", force_zip64=True) as file:
            yield MemberWriter(file)

    def close(self, manifest: Manifest, sign: Callable[[bytes], bytes] | None = None) -> None:
        """Write the manifest and, if ``sign`` is given, the signature that it returns for the manifest."""
        content = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
        self._archive.writestr(MANIFEST_NAME, content)
        if sign is not None:
            self._archive.writestr(SIGNATURE_NAME, sign(content))


@contextmanager
def create_archive(path: Path, kind: ArchiveKind = ArchiveKind.BACKUP) -> Iterator[ArchiveWriter]:
    """Create an archive at ``path``, readable only by its owner, complete at the end or not at all.

    Raises ``BackupRefused`` if a file exists there.
    """
    if path.exists():
        raise BackupRefused(f"{path} already exists. Choose another file name.")
    with ExitStack() as stack:
        try:
            file, temporary_path = stack.enter_context(unfinished_file(path.parent))
        except OSError as error:
            raise BackupRefused(f"{path} cannot be written: {error.strerror}.") from None
        with write_archive_to(file, kind) as writer:
            yield writer
        file.flush()
        os.fsync(file.fileno())
        temporary_path.rename(path)
        _sync_folder(path.parent)


@contextmanager
def write_archive_to(file: IO[bytes], kind: ArchiveKind) -> Iterator[ArchiveWriter]:
    """Write an archive into a file that the caller has opened."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        mark = msgspec.json.encode({"crawford": kind, "format": FORMAT_VERSION})
        archive.writestr(zipfile.ZipInfo(MARK_NAME), mark)
        yield ArchiveWriter(archive)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class ArchiveReader:
    """An archive whose every byte was compared with the hashes in its manifest."""

    def __init__(self, archive: zipfile.ZipFile, manifest: Manifest) -> None:
        self._archive, self.manifest = archive, manifest

    def signed(self) -> tuple[bytes, bytes]:
        """Return the bytes of the manifest, which were signed, and the signature of a bundle."""
        return self._archive.read(MANIFEST_NAME), self._archive.read(SIGNATURE_NAME)

    def open(self, name: str) -> IO[bytes]:
        return self._archive.open(name)

    def rows(self, table: StoredTable) -> Iterator[list[Any]]:
        """Yield the rows of a table as lists of values.

        Raises ``BackupRefused`` for a row that does not fit the table.
        """
        decode = msgspec.json.Decoder(list[Any]).decode
        with self.open(member_name(table)) as file:
            for number, line in enumerate(file, 1):
                try:
                    row = decode(line)
                except msgspec.DecodeError:
                    row = []
                if len(row) != len(table.columns):
                    raise BackupRefused(
                        f"Row {number} of {table.name} is damaged. Use another copy of the file."
                    )
                yield row


def member_name(part: StoredTable | StoredFile) -> str:
    return f"tables/{part.name}.jsonl" if isinstance(part, StoredTable) else f"files/{part.name}"


@contextmanager
def open_archive(path: Path, kind: ArchiveKind = ArchiveKind.BACKUP) -> Iterator[ArchiveReader]:
    """Open a complete, unchanged archive of a known format. Raises ``BackupRefused`` for any other file."""
    try:
        has_mark = _has_mark(path, kind)
    except OSError as error:
        raise BackupRefused(f"{path} cannot be read: {error.strerror}.") from None
    if not has_mark:
        raise BackupRefused(f"{path} is not a Crawford {kind}.")
    damaged_error = BackupRefused(f"{path} is damaged or incomplete. Use another copy of the file.")
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        raise damaged_error from None
    with archive:
        try:
            manifest = _read_manifest(archive, path, kind)
            _check_hashes(archive, manifest)
        except (
            zipfile.BadZipFile, zlib.error, ValueError, KeyError, EOFError, NotImplementedError, RuntimeError, OSError,
        ):  # fmt: skip
            raise damaged_error from None
        yield ArchiveReader(archive, manifest)


def _has_mark(path: Path, kind: ArchiveKind) -> bool:
    expected_start = f'{MARK_NAME}{{"crawford":"{kind}"'.encode()
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES + len(expected_start))
    return header[:4] == b"PK\x03\x04" and header[_HEADER_BYTES:] == expected_start


def _read_manifest(archive: zipfile.ZipFile, path: Path, kind: ArchiveKind) -> Manifest:
    """Return the manifest.

    Raises ``ValueError`` if it cannot be parsed, ``BackupRefused`` for a newer format.
    """
    for name, max_bytes in {
        MANIFEST_NAME: _MAX_MANIFEST_BYTES,
        **({SIGNATURE_NAME: _MAX_SIGNATURE_BYTES} if kind is ArchiveKind.BUNDLE else {}),
    }.items():
        if archive.getinfo(name).file_size > max_bytes:
            raise ValueError(name)
    content = archive.read(MANIFEST_NAME)
    format_version = msgspec.json.decode(content, type=dict[str, Any])["format"]
    if not isinstance(format_version, int) or format_version > FORMAT_VERSION:
        raise BackupRefused(f"{path} was created by a newer release of Crawford. Update this site first.")
    manifest = msgspec.json.decode(content, type=Manifest)
    expected_names = {MARK_NAME, MANIFEST_NAME, *map(member_name, _parts(manifest))}
    if kind is ArchiveKind.BUNDLE:
        expected_names.add(SIGNATURE_NAME)
    if sorted(archive.namelist()) != sorted(expected_names):
        raise ValueError("other members than it lists")
    return manifest


def _parts(manifest: Manifest) -> list[StoredTable | StoredFile]:
    return [*manifest.tables, *manifest.files]


def _check_hashes(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    for part in _parts(manifest):
        digest = hashlib.sha256()
        with archive.open(member_name(part)) as file:
            while chunk := file.read(_CHUNK_BYTES):
                digest.update(chunk)
        if digest.hexdigest() != part.sha256:
            raise ValueError(part.name)


def checksum(path: Path) -> str:
    """Return the SHA-256 of the file, as `sha256sum` prints it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
