"""Files that nobody wrote: records of our own with something broken, and bytes that never were a record.

Everything comes from a seed, so a crash can be had again.
"""

from __future__ import annotations

import contextlib
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random

from games.records.bgf import looks_like_bgf
from games.records.canonical import canonical
from games.records.checking import check_record
from games.records.decoding import decode_text
from games.records.errors import UnreadableRecord
from games.records.positions import read_position
from games.records.registry import WRITABLE, write_record
from games.rules.formats import MatchFormat
from tests.support.analyses import random_analysis
from tests.support.other_formats import bgf_file, ogxm_file
from tests.support.random_matches import random_match
from tests.support.xg_files import xg_file

GOLDEN = Path(__file__).parents[1] / "golden" / "records"
_WORDS = (
    b" 7 point match\n", b" Game 2\n", b" Doubles => 2", b" Takes", b" Drops", b" Beavers => 4", b" Wins 2 points and the match",
    b" Losses 3 point", b"????", b"66:", b"31: 8/5 6/5", b"bar/", b"/off", b"25/", b"/0", b"*", b"(4)", b"Cannot Move", b"; [",
    b'"]', b" Ada : 0          Bo : 0\n", b"(;GM[6]", b";W[31hefe]", b";B[double]", b"[", b"]", b"(", b")", b"\\", b"MI[length:",
    b"99999999999999999999", b"-1", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n", b"\n", b"\t", b" " * 40, b"Illegal play (",
    b"; Set Pos=", b";" * 40, b"{", b'"steps": [[25, 0]]', b"AE[a:y]AW[z]", b"CV[64]", b"PL[B]DI[53]", b"\xc3\xa9", b"Pass",
)  # fmt: skip


POSITIONS = (
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10\n\nX:Ada   O:Bo\n",
    " Position-ID: b9sBCIC5bYDQAA    Match-ID: QYnoAGAAGAAE\n",
    "OGID=17ccccghhhjjjjj:66666888dddddoo:N0N:46:W:R:0:0:3:1",
)


def originals(seed: int = 0) -> list[bytes]:
    """The golden records, and a match made by chance in every format."""
    files = [
        file.read_bytes()
        for file in sorted(GOLDEN.iterdir())
        if file.suffix in {".mat", ".txt", ".sgf", ".match"}
    ]
    rng = Random(seed)
    for form in (MatchFormat(length=3), MatchFormat(beavers=True)):
        record = random_match(rng, form, games=1, quick=0.1)
        files += [write_record(record, code).data for code in WRITABLE]
        files += [xg_file(record), ogxm_file(record), bgf_file(record, random_analysis(rng, record))]
    files += [data.encode() for data in POSITIONS]
    return files


def mutated(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """The file with one to eight things broken; in an XG file, what is packed inside."""
    if data.startswith(b"RGMH") and rng.random() < 0.8:
        cut = data.index(b"\xff\xd9") + 2
        return data[:cut] + zlib.compress(_broken(rng, zlib.decompress(data[cut:]), others), 1)
    if looks_like_bgf(data) and rng.random() < 0.8:
        head, _, body = data.partition(b"\n")
        return head + b"\n" + gzip.compress(_broken(rng, gzip.decompress(body), others), 1)
    return _broken(rng, data, others)


def _broken(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    body = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(body) + 1)
        kind = rng.randrange(8)
        if kind == 0:
            body[at : at + 1] = bytes([rng.randrange(256)])
        elif kind == 1:
            del body[at : at + rng.randint(1, 30)]
        elif kind == 2:
            body[at:at] = rng.choice(_WORDS)
        elif kind == 3:
            body[at : at + rng.randint(0, 12)] = rng.choice(_WORDS)
        elif kind == 4:
            piece = body[at : at + rng.randint(1, 200)]
            body[at:at] = piece * rng.randint(1, 3)
        elif kind == 5:
            other = rng.choice(others)[:4_000]
            start = rng.randrange(len(other) + 1)
            body[at:at] = other[start : start + rng.randint(1, 300)]
        elif kind == 6:
            body[at : at + 1] = str(rng.randrange(100)).encode()
        else:
            lines = bytes(body).split(b"\n")
            first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[first], lines[second] = lines[second], lines[first]
            body = bytearray(b"\n".join(lines))
    return bytes(body)


def inputs(seed: int, count: int) -> Iterator[bytes]:
    rng = Random(seed)
    files = originals(seed)
    for _ in range(count):
        if rng.random() < 0.05:
            yield rng.randbytes(rng.randint(0, 400))
        else:
            yield mutated(rng, rng.choice(files), files)


def exercise(data: bytes) -> str:
    """Everything a file goes through: read, replayed, judged; what is readable also written and judged again."""
    checked = check_record(data)
    with contextlib.suppress(UnreadableRecord):
        read_position(decode_text(data))
    if checked.record is not None and len(data) % 4 == 0:
        plain = canonical(checked.record)
        for code in WRITABLE:
            check_record(write_record(plain, code).data)
    return checked.verdict.decision
