"""BGBlitz and OGXM: what we make of a record is read back as that record, and what is broken or hostile is refused."""

import gzip
import json
from dataclasses import replace
from random import Random

import pytest

from games.records.analysis import DecisionKind
from games.records.bgf import MAX_UNPACKED
from games.records.canonical import canonical
from games.records.checking import check_record
from games.records.errors import UnreadableRecord
from games.records.model import Roll
from games.records.registry import detect_format, read_record
from games.records.smile import read_smile
from games.records.validation import VerdictDecision
from games.rules.formats import MatchFormat
from tests.support.analyses import random_analysis
from tests.support.other_formats import bgf_file, ogxm_file, smile
from tests.support.random_matches import random_match

HEAD = b'{"version":"0.1","compression":"gzip","encoding":"smile"}\n'


def plain(record):
    """What both formats hold: games with their actions, values of the cube worked out, dice in one order."""
    games = [
        (
            game.score_before,
            [in_order(action) for action in game.actions],
            game.result.winner,
            game.result.resigned,
        )
        for game in canonical(record).games
    ]
    return record.players, record.length, games


def in_order(action):
    return replace(action, dice=tuple(sorted(action.dice))) if isinstance(action, Roll) else action


@pytest.mark.parametrize("make", [bgf_file, ogxm_file])
@pytest.mark.parametrize(
    ("form", "seed"), [(MatchFormat(length=5), 1), (MatchFormat(length=3), 2), (MatchFormat(), 3)]
)
def test_matches_by_chance_when_made_then_read_back_and_in_order(make, form, seed):
    record = random_match(Random(seed), form, games=3, quick=0.05)
    data = make(record)

    assert detect_format(data) == make.__name__.removesuffix("_file")
    assert plain(read_record(data).record) == plain(record)
    assert check_record(data).verdict.decision in (VerdictDecision.ACCEPT, VerdictDecision.ACCEPT_WITH_NOTES)


def test_bgf_when_analysed_then_all_of_it_is_read():
    rng = Random(4)
    record = random_match(rng, MatchFormat(), games=2, quick=0)
    analysis = random_analysis(rng, record, "BGBlitz", "2-ply")

    read = read_record(bgf_file(record, analysis)).analysis

    assert read.engine == "BGBlitz"
    assert [each for each in read.decisions if each.kind is DecisionKind.CHECKER] == [
        each for each in analysis.decisions if each.kind is DecisionKind.CHECKER
    ]
    ours, theirs = (
        {(each.game, each.turn, each.kind): (each.lost, each.cube) for each in known.decisions}
        for known in (read, analysis)
    )
    assert ours == theirs


def test_bgf_when_its_body_is_json_then_read_too():
    record = random_match(Random(5), MatchFormat(length=1))

    assert plain(read_record(bgf_file(record, encoding="json")).record) == plain(record)


@pytest.mark.parametrize(
    "value",
    [{}, [], None, True, False, 0, -16, 15, 16, -17, 10**9, -(2**40), 0.0, 4.2, -999.0, 1e-300, "", "a", "x" * 32, "x" * 33, "x" * 64, "x" * 65, "Schön",
     {f"n{index}": {"same": index} for index in range(90)}, [[[{"a": [1, {"a": "b"}]}]]]],
)  # fmt: skip
def test_smile_when_written_then_read_back(value):
    assert read_smile(smile({"value": value})) == {"value": value}


def test_smile_when_texts_are_shared_then_meant_again():
    assert read_smile(b":)\n\x03\xf8\x41ab\x01\xf9") == ["ab", "ab"]
    assert read_smile(b":)\n\x00\xf8\x28\x04\x04\x19\x4c\x66\xf9") == [pytest.approx(4.2)]


@pytest.mark.parametrize(
    "data",
    [b"", b":)\n", b":)\n\x00", b":)\n\x00\xfa", b":)\n\x00\x24" + b"\x01" * 11, b":)\n\x00\x41a", b":)\n\x01\xfa\x40\xc0\xfb", b":)\n\x00\xe0abc", b":)\n\x00\x00",
     b":)\n\x00" + b"\xf8" * 5_000, b":)\n\x00\xfa\x80a\xf9\xfb", b":)\n\x00\x01"],
)  # fmt: skip
def test_smile_when_broken_or_nested_without_end_then_refused(data):
    with pytest.raises(ValueError):
        read_smile(data)


PLAIN = b'{"compression":"none","encoding":"json"}\n'


def in_json(*, final=0, **game):
    return {
        "matchlen": 5,
        "games": [{"scoreGreen": 0, "scoreRed": 0, "moves": []} | game],
        "finalGreen": final,
        "finalRed": 0,
    }


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (gzip.compress(b"\0" * (MAX_UNPACKED + 1), mtime=0), "file.unpacks_too_big"),
        (b"no gzip", "bgf.broken"),
        (gzip.compress(b":)\n\x00" + b"\xf8" * 100_000, mtime=0), "bgf.broken"),
        (gzip.compress(b":)\n\x00\x24" + b"\x01" * 1_000_000, mtime=0), "bgf.broken"),
        (gzip.compress(smile({"matchlen": 5, "games": []}), mtime=0), "record.no_games"),
        (gzip.compress(smile({"matchlen": 5, "games": [{"moves": 3}]}), mtime=0), "bgf.broken"),
        (gzip.compress(smile({"matchlen": 5, "games": [1]}), mtime=0), "bgf.broken"),
        (gzip.compress(smile([1]), mtime=0), "bgf.broken"),
        (gzip.compress(smile({"matchlen": 5, "games": [{"scoreGreen": 0, "scoreRed": 0, "moves": [{"player": 1, "from": [30], "to": [1], "red": 1, "green": 2}]}]}), mtime=0), "bgf.broken"),
    ],
)  # fmt: skip
def test_bgf_when_broken_or_a_bomb_then_refused(body, code):
    with pytest.raises(UnreadableRecord) as refused:
        read_record(HEAD + body)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "data",
    [
        b'{"compression":"none","encoding":"json","x":' + b"[" * 1_900 + b"\n{}",
        PLAIN + b'{"a":' * 100_000,
        PLAIN + json.dumps(in_json(scoreGreen=-5)).encode(),
        PLAIN + json.dumps(in_json(scoreGreen=10**4_000)).encode(),
        PLAIN + json.dumps(in_json(wonPoints=10**4_000, final=3)).encode(),
    ],
    ids=["head without end", "body without end", "score below nothing", "score", "points"],
)
def test_bgf_in_json_when_nothing_of_ours_can_hold_it_then_refused(data):
    with pytest.raises(UnreadableRecord, match=r"bgf\.broken"):
        read_record(data)


def test_bgf_in_json_when_a_name_has_half_a_character_then_it_can_be_shown():
    read = read_record(
        PLAIN + json.dumps(in_json() | {"nameGreen": "A\ud800da", "nameRed": "Bo\0b"}).encode()
    )

    assert read.record.players == ("A\ufffdda", "Bob")


def test_ogxm_when_cut_or_changed_then_refused_or_another_record():
    data = ogxm_file(random_match(Random(6), MatchFormat(length=1)))
    rng = Random(6)
    for _ in range(60):
        broken = bytearray(data[: rng.randint(5, len(data))])
        broken[rng.randrange(4, len(broken))] = rng.randrange(256)
        assert check_record(bytes(broken)).verdict is not None


def test_formats_when_named_by_their_first_bytes_then_whatever_the_file_is_called():
    record = replace(random_match(Random(8), MatchFormat(length=1)), tags=())

    assert detect_format(bgf_file(record), "match.mat") == "bgf"
    assert detect_format(b"OGXM", "match.txt") == "ogxm"
    assert json.loads(bgf_file(record).split(b"\n")[0])["encoding"] == "smile"
