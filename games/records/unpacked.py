"""The size of a file after decompression: eight kilobytes may unpack to eight megabytes."""

from __future__ import annotations

import struct
import zlib
from typing import Final

from games.records.bgf import looks_like_bgf
from games.records.xg import MAGIC as XG_MAGIC

_SIZES: Final = struct.Struct("<4sIIqI")  # of an XG file: where its packed part begins
_CHUNK_BYTES: Final = 1 << 18
_SMILE_FACTOR: Final = 4  # reading a byte of it takes as long as this many bytes of text


def size_to_read(data: bytes, max_bytes: int) -> int:
    """Return how much there is to read in a file, in bytes of text; counting stops at ``max_bytes``.

    Compressed files count as unpacked; data that takes longer to read counts several times.

    >>> size_to_read(b" 5 point match", 1_000)
    14
    """
    if data.startswith(XG_MAGIC) and len(data) >= _SIZES.size:
        _magic, _version, size, _offset, thumbnail = _SIZES.unpack_from(data)
        return max(len(data), _unpacked_size(data[size + thumbnail :], max_bytes))
    if looks_like_bgf(data):
        body = data.partition(b"\n")[2]
        return _SMILE_FACTOR * max(len(body), _unpacked_size(body, max_bytes // _SMILE_FACTOR))
    return len(data)


def _unpacked_size(packed: bytes, max_bytes: int) -> int:
    """Return the decompressed size in bytes, or 0 for data that is neither gzip nor zlib."""
    stream, size = zlib.decompressobj(wbits=47), 0
    try:
        while packed and not stream.eof and size <= max_bytes:
            size += len(stream.decompress(packed, _CHUNK_BYTES))
            packed = stream.unconsumed_tail
    except zlib.error:
        pass
    return size
