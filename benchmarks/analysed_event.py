"""Measure an event with 500 analyses, decision by decision: every page that shows them, and what a director does with its positions.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/analysed_event.py [--people N] [--refuse]

Needs an empty database, which it migrates (without DATABASE_URL: a SQLite file in a temporary folder). The event is a knockout; each match
has its own record, with the decisions of the demo's analysed match and random losses. With `--refuse`, no player agrees to analyses or
positions, so the most work is done in vain.
"""

import argparse
import gzip
import hashlib
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from events import call_command, connection, settings, timed
from play import played

from games.models import AnalysedDecision, AnalysedSide, RecordAnalysis, StoredRecord
from games.records.performance import ERROR_LIMITS
from games.records.summing import summarize_match
from games.services.analyses import decision_rows, load_record
from games.services.sums import side_rows
from people.models import Membership, Player, Role, User
from tournaments.models import Entry, EntryDetail, EntryPlayer, Event, Match, QuizPosition, Report

ROOT = Path(__file__).resolve().parent.parent
RUNS = 3
LIMIT = 500  # milliseconds of a page
KEPT = [
    field.attname
    for field in AnalysedDecision._meta.concrete_fields
    if field.attname not in {"id", "analysis_id", "lost"}
]


def analysed(event: Event, rng: random.Random, reply: str) -> int:
    """Each match has a record and its analysis; how many."""
    content = gzip.decompress((ROOT / "tournaments/checks/data/demo_match.sgf.gz").read_bytes())
    found = load_record(StoredRecord(content=content, filename="m.sgf"))
    sums, model = (
        summarize_match(found.own, found.replay),
        decision_rows(RecordAnalysis(pk=0), found.own, found.replay),
    )
    about = {"engine": "gnubg", "version": "1", "level": "2-ply", "rates": True, "state": "done"}
    length = found.replay.form.length or 0
    reports = list(Report.objects.filter(match__stage__division__event=event, state=Report.State.CONFIRMED))
    for report in reports:
        data = content.replace(b"PW[white]", f"PW[white {report.pk}]".encode())
        name = hashlib.sha256(data).hexdigest()
        stored = StoredRecord.objects.create(
            sha256=name, content=data, size=len(data), filename="m.sgf", format="sgf"
        )
        Report.objects.filter(pk=report.pk).update(record=stored, record_left="a")
        row = RecordAnalysis.objects.create(record=stored, length=length, swing=sums.swing, **about)
        AnalysedSide.objects.bulk_create(side_rows(row, sums))
        AnalysedDecision.objects.bulk_create(
            [
                AnalysedDecision(
                    analysis=row,
                    lost=None if one.lost is None else one.lost * rng.uniform(0.5, 1.5),
                    **{field: getattr(one, field) for field in KEPT},
                )
                for one in model
            ],
            batch_size=500,
        )
    EntryDetail.objects.bulk_create(
        [
            EntryDetail(entry_id=entry, player_id=player, record=reply, analysis=reply)
            for entry, player in EntryPlayer.objects.filter(division__event=event).values_list(
                "entry_id", "player_id"
            )
        ],
        ignore_conflicts=True,
    )
    return len(reports)


def shown(words: str, ask: Callable[[], Any], *, fits: tuple[int, ...] = (200,), runs: int = RUNS) -> None:
    """Print the clock and processor time of the quickest of some runs, and the statements of one."""
    cache.clear()
    _took, statements, answer = timed(ask)
    assert answer.status_code in fits, (words, answer.status_code)
    spent = []
    for _ in range(runs):
        cache.clear()
        began, by_clock = time.process_time(), time.perf_counter()
        ask()
        spent.append((1000 * (time.process_time() - began), 1000 * (time.perf_counter() - by_clock)))
    processor, clock = min(spent, default=(_took, _took))
    over = "  OVER" if processor > LIMIT else ""
    size = len(answer.content) if not answer.streaming else 0
    took = f"{processor:6.0f} ms {clock:6.0f} ms by the clock {statements:4} statements {size:>9,} bytes"
    print(f"{took}  {words}{over}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--people", type=int, default=502)
    parser.add_argument("--refuse", action="store_true")
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    settings.ALLOWED_HOSTS = ["*"]
    (event,) = played(options.people, 1)
    event.refresh_from_db()
    count = analysed(event, random.Random(8), "no" if options.refuse else "yes")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    blunders = AnalysedDecision.objects.filter(counts=True, lost__gte=ERROR_LIMITS[0][0]).count()
    decisions = AnalysedDecision.objects.count()
    print(f"database: {connection.vendor}; {count} analyses, {decisions:,} decisions, {blunders:,} blunders")
    print(f"event {event.status}; limit {LIMIT} ms of the processor", flush=True)
    user = User.objects.create_user("bench@example.org", name="Bench")
    Membership.objects.create(user=user, club=event.club, role=Role.DIRECTOR)
    director, anybody = Client(), Client()
    director.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[-1])
    final = Match.objects.filter(stage__division__event=event).latest("number")
    winner = Entry.objects.get(slots__match=final, slots__side=final.winner_side)
    player = Player.objects.get(entries=winner)
    Player.objects.filter(pk=player.pk).update(user=user)
    of_event = [event.public_id]

    def got(name: str, *where: str, client: Client = anybody) -> Callable[[], Any]:
        return lambda: client.get(reverse(name, args=where))

    shown("the event's list of analysed play", got("public:analyses", *of_event))
    shown("the same by the API", got("api:event-analyses", *of_event))
    shown("the club's list", got("public:club-analyses", event.club.public_id))
    shown("the player who won", got("public:player", player.public_id))
    shown("their own page", got("player:own-analyses", client=director))
    shown("a match", got("public:match", final.public_id))
    shown("the event's page", got("public:event", *of_event))
    shown("a director's page of analyses", got("director:analyses", *of_event, client=director))
    shown(
        "a director's page of the match", got("director:match", *of_event, final.public_id, client=director)
    )
    shown(
        "all matches as a file, for directors only",
        got("director:games-file", *of_event, client=director),
        runs=1,
    )
    quiz = reverse("director:quiz", args=of_event)
    fits = (302, 409)
    shown(
        "positions of the event are chosen and shown",
        lambda: director.post(quiz, {"do": "show"}),
        fits=fits,
        runs=1,
    )
    shown("a director's page of positions", lambda: director.get(quiz))
    if QuizPosition.objects.exists():
        position = QuizPosition.objects.earliest("pk")
        shown("the positions, for everybody", got("public:quiz", *of_event))
        shown("one position", got("public:quiz-position", position.public_id))
        address = reverse("public:quiz-position", args=[position.public_id])
        shown("an answer to it", lambda: anybody.post(address, {"choice": "1"}), fits=(302,))
        out = {"do": "out", "position": position.public_id}
        shown("it is left out, another comes in", lambda: director.post(quiz, out), fits=fits, runs=0)


if __name__ == "__main__":
    main()
