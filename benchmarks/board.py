"""Measure the director's board of a full hall: time, statements and bytes, with the public bracket page for comparison.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/board.py [--entries N] [--tables N] [--keep]

Needs an empty database, which it migrates (without DATABASE_URL: a SQLite file in a temporary folder). A quarter of the matches at the
tables are called, most are being played, a few are reported or disputed, and the rest wait. ``--keep`` only fills the database and prints
how to sign in, for looking at it in a browser.
"""

import argparse
import random
import statistics
import time
from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from events import call_command, connection, timed

from people.actors import Actor
from people.models import User
from tournaments.checks.simulation import people_names
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind
from tournaments.engine.statuses import MatchAction
from tournaments.engine.types import Claim, Side
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.events import EventDetails, create_event
from tournaments.events.services.stages import StageDetails
from tournaments.hall.services.calling import call_next, move_match
from tournaments.matches.services.reports import submit_report
from tournaments.models import Event, Match, MatchSlot, Stage
from tournaments.site.services.clubs import create_club_with_list

EMAIL, PASSWORD = "director@example.org", "crawford-demo"
RUNS = 9


def full_hall(user: User, entries: int, tables: int, rng: random.Random) -> Event:
    """Two divisions, the first with a consolation, in the middle of their second round."""
    actor = Actor.of(user)
    club = create_club_with_list(actor=actor, name="Harbour Backgammon")
    today = timezone.now().date()
    names = [NewEntry(name=name) for name in people_names(entries, rng)]
    open_entries, other_entries = names[: entries * 3 // 4], names[entries * 3 // 4 :]
    event = create_event(
        actor=actor,
        club_id=club.pk,
        details=EventDetails(
            name="Autumn Masters", place="Old Harbour Hall", starts_on=today, ends_on=today, tables=tables
        ),
        stage=StageDetails(
            lengths=[7, 7, 9, 11], bracket=BracketSettings(flights=(Flight(FlightKind.PROGRESSIVE, (5,)),))
        ),
    )
    second_division = DivisionDetails(name="Intermediate", stages=(StageDetails(lengths=[5]),))
    add_division(actor=actor, event_id=event.pk, division=second_division, first_name="Open")
    for division, people in zip(
        event.divisions.order_by("position"), (open_entries, other_entries), strict=True
    ):
        add_entries(actor=actor, event_id=event.pk, division_id=division.pk, entries=people)
        stage = Stage.objects.get(division=division)
        draw_stage(actor=actor, event_id=event.pk, stage_id=stage.pk, seed=1)
        publish_draw(actor=actor, event_id=event.pk, stage_id=stage.pk)
    event.refresh_from_db()
    _play(event, actor, rng)
    return event


def _play(event: Event, actor: Actor, rng: random.Random) -> None:
    matches = Match.objects.filter(stage__division__event=event)
    for match in matches.filter(status="ready", table__isnull=False).order_by("number"):
        score = (match.length, rng.randrange(match.length))
        a, b = rng.choice((score, score[::-1]))
        submit_report(
            actor=actor, match_id=match.pk, entry=None, claim=Claim(a, b), submission_key=f"k{match.pk}"
        )
    call_next(actor=actor, event_id=event.pk, everything=True)
    now = timezone.now()
    called = list(matches.filter(status="called").order_by("table"))
    for index, match in enumerate(called):
        minutes = rng.randrange(2, 14)
        if index % 4:
            move_match(actor=actor, event_id=event.pk, match_id=match.pk, action=MatchAction.START)
            minutes = rng.randrange(5, 75)
        moment = now - timedelta(minutes=minutes)
        Match.objects.filter(pk=match.pk).update(called_at=moment, started_at=moment if index % 4 else None)
    for index, match in enumerate(called[5:40:9]):
        _say(match, Side.A, match.length, 4)
        if index % 2:
            _say(match, Side.B, 3, match.length)


def _say(match: Match, side: Side, a: int, b: int) -> None:
    entry = MatchSlot.objects.get(match=match, side=side).entry
    assert entry is not None
    submit_report(
        actor=Actor.with_label("Personal link"),
        match_id=match.pk,
        entry=entry,
        claim=Claim(a, b),
        submission_key=f"{side}{match.pk}",
    )


def page(client: Client, name: str, address: str) -> None:
    """Processor time of a page drawn anew (median), its statements and bytes, and what it costs unchanged."""
    client.get(address)
    times = []
    for _ in range(RUNS):
        cache.clear()
        start = time.process_time()
        client.get(address)
        times.append(1000 * (time.process_time() - start))
    cache.clear()
    _took, statements, answer = timed(lambda: client.get(address))
    assert answer.status_code == 200, answer.status_code
    headers = {"HTTP_IF_NONE_MATCH": answer["ETag"], "HTTP_X_REQUESTED_WITH": "live"}
    client.get(address, **headers)
    unchanged = [timed(lambda: client.get(address, **headers)) for _ in range(RUNS)]
    print(
        f"{name}: {statistics.median(times):.0f} ms, {statements} statements, "
        f"{len(answer.content):,} bytes; unchanged ({unchanged[-1][2].status_code}): "
        f"{statistics.median(t for t, _, _ in unchanged):.1f} ms, {unchanged[-1][1]} statements"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1024)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    user = User.objects.create_user(EMAIL, PASSWORD, name="Dora Director")
    event = full_hall(user, options.entries, options.tables, random.Random(7))
    board = f"/direct/events/{event.public_id}/matches/"
    if options.keep:
        print(f"{board} as {EMAIL}, password {PASSWORD}")
        return
    print(f"database: {connection.vendor}; {options.entries} entries, {options.tables} tables")
    settings.ALLOWED_HOSTS = ["*"]
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    page(client, "yardstick, public bracket", f"/e/{event.public_id}/bracket/")
    page(client, "board", board)
    page(client, "board, by state", f"{board}?sort=state")
    page(client, "board, one name", f"{board}?q=ann")
    page(client, "board, everything", f"{board}?all=1")


if __name__ == "__main__":
    main()
