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
    loaded = load_record(StoredRecord(content=content, filename="m.sgf"))
    summary, decisions = (
        summarize_match(loaded.own, loaded.replay),
        decision_rows(RecordAnalysis(pk=0), loaded.own, loaded.replay),
    )
    analysis_values = {"engine": "gnubg", "version": "1", "level": "2-ply", "rates": True, "state": "done"}
    length = loaded.replay.form.length or 0
    reports = list(Report.objects.filter(match__stage__division__event=event, state=Report.State.CONFIRMED))
    for report in reports:
        data = content.replace(b"PW[white]", f"PW[white {report.pk}]".encode())
        name = hashlib.sha256(data).hexdigest()
        record = StoredRecord.objects.create(
            sha256=name, content=data, size=len(data), filename="m.sgf", format="sgf"
        )
        Report.objects.filter(pk=report.pk).update(record=record, record_left="a")
        row = RecordAnalysis.objects.create(
            record=record, length=length, swing=summary.swing, **analysis_values
        )
        AnalysedSide.objects.bulk_create(side_rows(row, summary))
        AnalysedDecision.objects.bulk_create(
            [
                AnalysedDecision(
                    analysis=row,
                    lost=None if decision.lost is None else decision.lost * rng.uniform(0.5, 1.5),
                    **{field: getattr(decision, field) for field in KEPT},
                )
                for decision in decisions
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


def shown(
    label: str, request: Callable[[], Any], *, expected_statuses: tuple[int, ...] = (200,), runs: int = RUNS
) -> None:
    """Print the clock and processor time of the quickest of some runs, and the statements of one."""
    cache.clear()
    _took, statements, answer = timed(request)
    assert answer.status_code in expected_statuses, (label, answer.status_code)
    times = []
    for _ in range(runs):
        cache.clear()
        cpu_start, clock_start = time.process_time(), time.perf_counter()
        request()
        times.append((1000 * (time.process_time() - cpu_start), 1000 * (time.perf_counter() - clock_start)))
    processor, clock = min(times, default=(_took, _took))
    warning = "  OVER" if processor > LIMIT else ""
    size = len(answer.content) if not answer.streaming else 0
    times_text = (
        f"{processor:6.0f} ms {clock:6.0f} ms by the clock {statements:4} statements {size:>9,} bytes"
    )
    print(f"{times_text}  {label}{warning}", flush=True)


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
    director, visitor = Client(), Client()
    director.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[-1])
    final = Match.objects.filter(stage__division__event=event).latest("number")
    winner = Entry.objects.get(slots__match=final, slots__side=final.winner_side)
    player = Player.objects.get(entries=winner)
    Player.objects.filter(pk=player.pk).update(user=user)
    event_arguments = [event.public_id]

    def got(name: str, *arguments: str, client: Client = visitor) -> Callable[[], Any]:
        return lambda: client.get(reverse(name, args=arguments))

    shown("the event's list of analysed play", got("public:analyses", *event_arguments))
    shown("the same by the API", got("api:event-analyses", *event_arguments))
    shown("the club's list", got("public:club-analyses", event.club.public_id))
    shown("the player who won", got("public:player", player.public_id))
    shown("their own page", got("player:own-analyses", client=director))
    shown("a match", got("public:match", final.public_id))
    shown("the event's page", got("public:event", *event_arguments))
    shown("a director's page of analyses", got("director:analyses", *event_arguments, client=director))
    shown(
        "a director's page of the match",
        got("director:match", *event_arguments, final.public_id, client=director),
    )
    shown(
        "all matches as a file, for directors only",
        got("director:games-file", *event_arguments, client=director),
        runs=1,
    )
    quiz = reverse("director:quiz", args=event_arguments)
    expected_statuses = (302, 409)
    shown(
        "positions of the event are chosen and shown",
        lambda: director.post(quiz, {"do": "show"}),
        expected_statuses=expected_statuses,
        runs=1,
    )
    shown("a director's page of positions", lambda: director.get(quiz))
    if QuizPosition.objects.exists():
        position = QuizPosition.objects.earliest("pk")
        shown("the positions, for everybody", got("public:quiz", *event_arguments))
        shown("one position", got("public:quiz-position", position.public_id))
        address = reverse("public:quiz-position", args=[position.public_id])
        shown("an answer to it", lambda: visitor.post(address, {"choice": "1"}), expected_statuses=(302,))
        removal = {"do": "out", "position": position.public_id}
        shown(
            "it is left out, another comes in",
            lambda: director.post(quiz, removal),
            expected_statuses=expected_statuses,
            runs=0,
        )


if __name__ == "__main__":
    main()
