"""`benchmarks/fill.py`: what it stamps out is what the services would have left; the whole of it in the full lane."""

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from tests.support.lanes import in_full
from tournaments.engine.trail import chain

ROOT = Path(__file__).resolve().parents[2]
SALTS = ["a" * 64, "b" * 64]
TRAIL = "id at actor_id actor_label action subject_type subject_id data link seal".split()


@pytest.fixture
def stencil(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks" / "filling"))
    import stencil

    return stencil


@pytest.fixture
def ids(stencil):
    """The first number of each table: a new one in between moves those behind it."""
    labels = {
        "club": "people.club",
        "player": "people.player",
        "user": "people.user",
        "row": "people.auditentry",
        "event": "tournaments.event",
    }
    places = stencil.kept_tables()
    return {
        word: stencil.FIRST_ID + places.index(label) * stencil.IDS_EACH + 1 for word, label in labels.items()
    }


def rows(ids, public_id):
    """Two rows of a trail as a service chains them."""
    before, found = chain.initial_hash(public_id), []
    for number, data in enumerate(
        (
            {"v": 1, "name": "Qzevent Zqname"},
            {"v": 1, "entries": [[7, "Qz0000 Zq0000"]], "by": "director"},
        )
    ):
        row = chain.ChainRow(
            at=f"2026-11-22T20:16:03.00000{number}+00:00",
            action="event.create",
            subject_type="tournaments.event",
            subject_id=ids["event"],
            actor=ids["user"],
            label="Dora",
            data=data,
        )
        seal = chain.seal_row(row, before, SALTS[number])
        link = chain.chain_hash(row, seal)
        at = row.at.replace("T", " ").removesuffix("+00:00")
        found.append(
            [
                *(ids["row"] + number, at, ids["user"], "Dora", row.action, row.subject_type),
                *(row.subject_id, json.dumps(data), link, json.dumps(seal.data())),
            ]
        )
        before = link
    return found


def test_stamped_trail_is_a_chain_of_its_own_ids_names_and_days(stencil, ids):
    trail = rows(ids, "skp55qwx6ycw")
    event = ["id", "public_id", "name", "starts_on", "trail_head"]
    parts = {
        "entries": 1,
        "club": ids["club"],
        "director": ids["user"],
        "event": ids["event"],
        "players": {"Qz0000 Zq0000": ids["player"]},
        "patterns": {
            "over": {
                "people.auditentry": {"columns": TRAIL, "rows": trail},
                "rating.fact": {"columns": ["id"], "rows": []},
                "tournaments.lot": {"columns": ["listed", "list_hash"], "rows": []},
                "tournaments.event": {
                    "columns": event,
                    "rows": [[ids["event"], "skp55qwx6ycw", "Qzevent Zqname", "2026-11-22", trail[-1][8]]],
                },
            }
        },
    }
    found = stencil.Stencil(parts, "over")
    place = stencil.Place(
        club=5, director=77, players=[(31, "Åse Øst")], name="Cup", place="Hall", days=-3, seed=1
    )
    texts = dict(found.stamp(place, dict.fromkeys(found.counts, 10_000_000)))

    pk, public_id, name, starts_on, head = texts["tournaments.event"].strip().split("\t")
    assert (pk, name, starts_on) == ("10000000", "Cup", str(date(2026, 11, 19)))
    assert public_id != "skp55qwx6ycw"
    before = chain.initial_hash(public_id)
    stamped = [
        dict(zip(TRAIL, line.split("\t"), strict=True)) for line in texts["people.auditentry"].splitlines()
    ]
    for row in stamped:
        seal = chain.RowSeal.of(json.loads(row["seal"]))
        facts = chain.ChainRow(
            at=f"{row['at'].replace(' ', 'T')}+00:00",
            action=row["action"],
            subject_type=row["subject_type"],
            subject_id=int(row["subject_id"]),
            actor=int(row["actor_id"]),
            label=row["actor_label"],
            data=json.loads(row["data"]),
        )
        assert (facts.actor, facts.subject_id, facts.at[:10]) == (77, 10_000_000, "2026-11-19")
        assert seal.before == before
        assert chain.is_same_actor(facts, seal)
        assert chain.chain_hash(facts, seal) == row["link"]
        before = row["link"]
    assert before == head
    assert json.loads(stamped[1]["data"])["entries"][0][1] == "Åse Øst"


@pytest.mark.skipif(not in_full(), reason="three events are played for it: .ci/long")
def test_small_site_is_sound(tmp_path):
    env = {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/site.sqlite3", "CRAWFORD_VAR": str(tmp_path)}
    env.pop("DJANGO_SETTINGS_MODULE", None)
    small = "--clubs 3 --players 60 --events 12 --results 300".split()
    filled = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "fill.py", *small],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "300 results" in filled.stdout, filled.stderr
    checked = subprocess.run(
        [sys.executable, ROOT / "manage.py", "check_events"],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.stdout == "Events checked: 12, all consistent.\n", checked.stderr
