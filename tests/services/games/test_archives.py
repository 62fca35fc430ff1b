"""Archives from strangers: bounded before anything is unpacked."""

import resource
import struct
import zipfile
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from faults import Invalid
from games.records.decoding import MAX_BYTES
from games.services.archives import MAX_ARCHIVE_BYTES, MAX_FILES, OpenArchive, list_members


def packed(files, how=zipfile.ZIP_DEFLATED):
    out = BytesIO()
    with zipfile.ZipFile(out, "w", how) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def refusals(archive):
    return {member.name: member.refused for member in list_members(archive)}


def test_files_are_listed_and_litter_is_left_out():
    archive = packed(
        {
            "a.mat": b"one",
            "season/b.mat": b"two",
            "__MACOSX/a.mat": b"x",
            "season/.DS_Store": b"x",
            "empty/": b"",
        }
    )
    assert refusals(archive) == {"a.mat": "", "season/b.mat": ""}
    opened = OpenArchive(archive)
    assert [opened.read(member.position) for member in list_members(archive)] == [b"one", b"two"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../../etc/passwd", "packed.name_odd"),
        ("/etc/passwd", "packed.name_odd"),
        ("..\\..\\boot.ini", "packed.name_odd"),
        ("C:\\boot.ini", "packed.name_odd"),
        ("inner.zip", "packed.archive"),
        ("inner.TAR.GZ", "packed.archive"),
    ],
)
def test_odd_names_are_refused_one_by_one(name, why):
    assert refusals(packed({name: b"x", "good.mat": b"x"}))["good.mat"] == ""
    assert why in refusals(packed({name: b"x"})).values()


def test_bomb_is_refused_by_its_table():
    assert refusals(packed({"a.mat": b"0" * (MAX_BYTES - 1)})) == {"a.mat": "packed.squeezed"}
    assert refusals(packed({"a.mat": b"0" * (MAX_BYTES + 1)})) == {"a.mat": "packed.too_big"}


def test_file_that_is_more_than_its_table_says_cannot_be_unpacked():
    archive = bytearray(packed({"a.mat": Random(1).randbytes(5000)}))
    at = archive.rfind(b"PK\x01\x02")
    struct.pack_into("<I", archive, at + 24, 10)  # the size that it claims to unpack to
    assert refusals(bytes(archive)) == {"a.mat": ""}
    assert OpenArchive(bytes(archive)).read(0) is None


@pytest.mark.parametrize(
    "content", [b"", b"PK\x05\x06", b"no archive", b"PK\x03\x04" + b"\0" * 100, b"PK\x05\x06" + b"\xff" * 18]
)
def test_what_is_no_archive_is_refused(content):
    with pytest.raises(Invalid):
        list_members(content)


def test_cut_or_spoilt_archives_never_do_more_than_refuse():
    rng = Random(3)
    honest = packed({f"{n}.mat": rng.randbytes(200) for n in range(5)})
    for _ in range(300):
        spoilt = bytearray(honest)
        for _ in range(rng.randrange(1, 6)):
            spoilt[rng.randrange(len(spoilt))] = rng.randrange(256)
        spoilt = bytes(spoilt[: rng.randrange(len(spoilt)) if rng.random() < 0.2 else len(spoilt)])
        try:
            found = list_members(spoilt)
        except Invalid:
            continue
        opened = OpenArchive(spoilt)
        for member in found:
            content = opened.read(member.position)
            assert content is None or len(content) <= MAX_BYTES


def test_too_much_of_anything_is_refused():
    with pytest.raises(Invalid) as refused:
        list_members(b"x" * (MAX_ARCHIVE_BYTES + 1))
    assert refused.value.code == "archive.too_big"
    with pytest.raises(Invalid) as refused:
        list_members(packed({f"{n}.mat": b"" for n in range(MAX_FILES + 1)}, zipfile.ZIP_STORED))
    assert refused.value.code == "archive.too_many"
    with pytest.raises(Invalid) as refused:
        list_members(packed({"__MACOSX/x": b""}))
    assert refused.value.code == "archive.empty"


def test_second_table_cannot_be_hidden_in_a_64_bit_one():
    archive = packed({"a.mat": b"x"})
    end = archive.rfind(b"PK\x05\x06")
    locator = b"PK\x06\x07" + b"\0" * 16
    with pytest.raises(Invalid):
        list_members(archive[:end] + locator + archive[end:])


def test_locked_file_is_said_to_be_locked():
    archive = bytearray(packed({"a.mat": b"x"}))
    at = archive.rfind(b"PK\x01\x02")
    struct.pack_into("<H", archive, at + 8, 1)
    assert refusals(bytes(archive)) == {"a.mat": "packed.locked"}


@pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="needs Linux to know how much memory is taken"
)
def test_read_when_a_file_asks_for_more_memory_than_there_is_then_damaged_and_no_crash():
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.mat", b"hello " * 100)
    content = bytearray(made.getvalue())
    dictionary = 30 + len("a.mat") + 5  # behind the file's header: version, size and one byte of LZMA's own
    content[dictionary : dictionary + 4] = b"\xff" * 4
    opened = OpenArchive(bytes(content))
    before = resource.getrlimit(resource.RLIMIT_AS)
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + 500_000_000, before[1]))
    try:
        assert opened.read(0) is None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
