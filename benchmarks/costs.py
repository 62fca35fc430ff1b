"""Measure the cost of actions in a large event: statements and CPU of each way to enter a result, and of the most frequent actions of directors.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/costs.py [--divisions N] [--entries N] [--times N] [--tables N] [--sql WAY] [--pages]

Needs an empty database, which it migrates (without DATABASE_URL: a SQLite file in a temporary folder). Each action is a request through
Django's test client, as a phone, a browser or a program sends it, in an event of N divisions with N entries each. The time is the CPU time
of this process (which includes the database on SQLite). ``service`` is the service alone. ``--sql`` prints the statements of one way;
``--pages`` measures the first rendering of the event's pages.
"""

import argparse
import cProfile
import os
import pstats
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
FOLDER = tempfile.TemporaryDirectory(prefix="crawford-bench-")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("DATABASE_URL", f"sqlite:///{FOLDER.name}/bench.sqlite3")
os.environ.setdefault("CRAWFORD_VAR", FOLDER.name)
os.environ.setdefault("LOG_LEVEL", "ERROR")
os.environ.setdefault("QUOTA_ENTRIES", "100000")
os.environ.setdefault("QUOTA_PLAYERS", "100000")

import django

django.setup()

from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from people.actors import Actor
from people.models import Club, User
from tournaments.checks.simulation import people_names
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.types import Claim
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.divisions import DivisionDetails
from tournaments.events.services.events import EventDetails, create_event
from tournaments.events.services.stages import StageDetails
from tournaments.matches.services.reports import confirm_report, submit_report
from tournaments.models import Event, Match, Stage
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.selectors.access.links import entry_token
from tournaments.site.services.clubs import create_club_with_list

BEGIN = ("BEGIN", "SAVEPOINT", "RELEASE", "COMMIT", "SET TRANSACTION")


class Costly:
    """One event, and matches of it that wait to be played."""

    def __init__(self, divisions: int, entries: int, tables: int) -> None:
        self.user = User.objects.create_user("director@example.org", "a-long-password", name="Director")
        self.director = Actor.of(self.user)
        club = create_club_with_list(actor=self.director, name="Benchmark")
        self.event = self._event(club, divisions, tables)
        names = iter(people_names(divisions * entries, random.Random(7)))
        arguments = {"actor": self.director, "event_id": self.event.pk}
        for division in self.event.divisions.all():
            add_entries(
                **arguments,
                division_id=division.pk,
                entries=[NewEntry(name=next(names)) for _ in range(entries)],
            )
        for stage in Stage.objects.filter(division__event=self.event):
            if stage.system == "swiss":
                publish_round(
                    **arguments,
                    stage_id=stage.pk,
                    seen=pair_next_round(**arguments, stage_id=stage.pk, seed=1).version,
                )
            else:
                draw_stage(**arguments, stage_id=stage.pk)
                publish_draw(**arguments, stage_id=stage.pk)
        self.waiting = self._waiting()
        self.client, self.phone = Client(), Client()
        self.client.force_login(self.user)

    def _event(self, club: Club, divisions: int, tables: int) -> Event:
        today = date(2026, 11, 21)
        stages = [
            StageDetails(system="swiss" if number == 2 else "single_elimination", lengths=[5, 7])
            for number in range(1, divisions + 1)
        ]
        return create_event(
            actor=self.director,
            club_id=club.pk,
            details=EventDetails(name="Large open", starts_on=today, ends_on=today, tables=tables),
            divisions=[
                DivisionDetails(name=f"Division {number}", stages=[stage])
                for number, stage in enumerate(stages, start=1)
            ],
        )

    def _waiting(self) -> Iterator[Match]:
        rows = Match.objects.filter(stage__division__event=self.event, status="ready")
        rows = rows.filter(stage__system="single_elimination").select_related("stage__division")
        yield from list(rows.order_by("-table", "stage_id", "number").prefetch_related("slots__entry")[:400])

    def next(self) -> Match:
        return next(self.waiting)

    def called(self) -> Match:
        """One that has a table."""
        rows = Match.objects.filter(stage__division__event=self.event, status="ready", table__isnull=False)
        return rows.order_by("stage_id", "number")[0]


def _entry(match: Match, side: str) -> Any:
    return next(slot.entry for slot in match.slots.all() if slot.side == side)


def _key(match: Match, prefix: str) -> str:
    return f"{prefix}-{match.pk}-{time.monotonic_ns()}"


def service_report(setup: Costly) -> Any:
    match = setup.next()
    entry = _entry(match, "a")
    claim = Claim(match.length, 2)
    actor = Actor.with_label("link")
    return lambda: submit_report(
        actor=actor, match_id=match.pk, entry=entry, claim=claim, submission_key=_key(match, "r")
    )


def _reported(setup: Costly) -> Match:
    match = setup.next()
    claim = Claim(match.length, 2)
    submit_report(
        actor=Actor.with_label("link"),
        match_id=match.pk,
        entry=_entry(match, "a"),
        claim=claim,
        submission_key=_key(match, "r"),
    )
    return match


def service_agree(setup: Costly) -> Any:
    match = _reported(setup)
    return lambda: confirm_report(
        actor=Actor.with_label("link"),
        match_id=match.pk,
        entry=_entry(match, "b"),
        version=1,
        submission_key=_key(match, "a"),
    )


def service_director(setup: Costly) -> Any:
    match = setup.next()
    claim = Claim(match.length, 2)
    return lambda: submit_report(
        actor=setup.director, match_id=match.pk, entry=None, claim=claim, submission_key=_key(match, "d")
    )


def phone_report(setup: Costly) -> Any:
    match = setup.next()
    path = f"/my/{entry_token(_entry(match, 'a'))}/report/{match.public_id}/"
    fields = {
        "mine": match.length,
        "theirs": 2,
        "submission_key": _key(match, "p"),
        "kind": "played",
        "note": "",
    }
    return lambda: setup.phone.post(path, fields)


def phone_agree(setup: Costly) -> Any:
    match = _reported(setup)
    path = f"/my/{entry_token(_entry(match, 'b'))}/agree/{match.public_id}/"
    return lambda: setup.phone.post(path, {"version": 1, "submission_key": _key(match, "p")})


def api_report(setup: Costly) -> Any:
    match = setup.next()
    path = f"/api/v1/matches/{match.public_id}/report/"
    body = {"score_a": match.length, "score_b": 2, "submission_key": _key(match, "i")}
    return lambda: setup.client.post(path, body, content_type="application/json")


def desk_line(setup: Costly) -> Any:
    match = setup.next()
    path = f"/direct/events/{setup.event.public_id}/line/"
    text = f"{_entry(match, 'a').name} {match.length}-2 {_entry(match, 'b').name}"
    preview = setup.client.post(path, {"line": text}, HTTP_X_REQUESTED_WITH="desk").json()
    token = preview["meanings"][0]["mark"]
    fields = {"line": text, "mark": token, "submission_key": _key(match, "l")}
    return lambda: setup.client.post(path, fields, HTTP_X_REQUESTED_WITH="desk")


def director_result(setup: Costly) -> Any:
    match = setup.next()
    path = f"/direct/events/{setup.event.public_id}/matches/{match.public_id}/result/"
    fields = {"score_a": match.length, "score_b": 2, "kind": "played", "submission_key": _key(match, "w")}
    return lambda: setup.client.post(path, fields)


def _act(action: str) -> Any:
    def way(setup: Costly) -> Any:
        match = setup.called()
        path = f"/direct/events/{setup.event.public_id}/matches/{match.public_id}/act/{action}/"
        return lambda: setup.client.post(path, {"seen": match.version}, HTTP_X_REQUESTED_WITH="live")

    return way


def call_next(at: Costly) -> Any:
    path = f"/direct/events/{at.event.public_id}/matches/call/"
    return lambda: at.client.post(path, {}, HTTP_X_REQUESTED_WITH="live")


def board(setup: Costly) -> Any:
    return lambda: setup.client.get(f"/direct/events/{setup.event.public_id}/matches/")


def public_event(setup: Costly) -> Any:
    cache.clear()
    return lambda: setup.phone.get(f"/e/{setup.event.public_id}/")


def public_bracket(setup: Costly) -> Any:
    cache.clear()
    return lambda: setup.phone.get(f"/e/{setup.event.public_id}/bracket/")


def public_match(setup: Costly) -> Any:
    match = setup.called()
    return lambda: setup.phone.get(f"/m/{match.public_id}/")


def players_page(setup: Costly) -> Any:
    path = f"/my/{entry_token(_entry(setup.next(), 'a'))}/"
    return lambda: setup.phone.get(path)


def _page(path: str, *, directs: bool = False) -> Any:
    """A page of the event, its first drawing: nothing of it is in the cache."""

    def way(setup: Costly) -> Any:
        match = setup.called()
        stage = match.stage_id
        url = path.format(event=setup.event.public_id, match=match.public_id, stage=stage)
        cache.clear()
        return lambda: (setup.client if directs else setup.phone).get(url)

    return way


PUBLIC = ("/e/{event}/", "/e/{event}/bracket/", "/e/{event}/bracket/?division=2", "/e/{event}/entries/")
PUBLIC += (
    "/e/{event}/draws/",
    "/e/{event}/hall/",
    "/e/{event}/hall/?division=1",
    "/e/{event}/editions/",
    "/m/{match}/",
)
DESK = (
    "",
    "matches/",
    "entries/",
    "draw/",
    "divisions/",
    "settings/",
    "links/",
    "prizes/",
    "screens/",
    "announcements/",
)
DESK += (
    "hold-ups/",
    "matches/{match}/",
    "stages/{stage}/",
    "conduct/{stage}/",
    "entries/seeds/",
    "agreements/",
)
PAGES = {path: _page(path) for path in PUBLIC}
PAGES |= {path: _page(path, directs=True) for path in (f"/direct/events/{{event}}/{tab}" for tab in DESK)}

WAYS: dict[str, Callable[[Costly], Callable[[], Any]]] = {
    "report, service": service_report,
    "agreement, service": service_agree,
    "director's result, service": service_director,
    "report by phone": phone_report,
    "agreement by phone": phone_agree,
    "result by API": api_report,
    "result in the command bar": desk_line,
    "result on the match page": director_result,
    "call": _act("call"),
    "start": _act("start"),
    "call next": call_next,
    "board": board,
    "event page": public_event,
    "bracket": public_bracket,
    "match page": public_match,
    "player's page": players_page,
}


def statements_of(call: Callable[[], Any]) -> tuple[list[str], Any]:
    with CaptureQueriesContext(connection) as captured:
        answer = call()
    statements = [query["sql"] for query in captured.captured_queries]
    return [sql for sql in statements if not sql.startswith(BEGIN)], answer


def profile(warm_up: Callable[[], Any], call: Callable[[], Any]) -> None:
    warm_up()
    cache.clear()
    profiler = cProfile.Profile()
    profiler.runcall(call)
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(90)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--divisions", type=int, default=20)
    parser.add_argument("--entries", type=int, default=200)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("--sql", default="", choices=["", *WAYS])
    parser.add_argument(
        "--pages", action="store_true", help="measure the first rendering of all pages of the event instead"
    )
    parser.add_argument("--profile", default="", help="profile one page (its address, as printed by --pages)")
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    settings.ALLOWED_HOSTS = ["*"]
    setup = Costly(options.divisions, options.entries, options.tables)
    print(f"{connection.vendor}, {options.divisions} divisions of {options.entries}, {options.tables} tables")
    if options.profile:
        profile(PAGES[options.profile](setup), PAGES[options.profile](setup))
        return
    for name, make_call in (PAGES if options.pages else WAYS).items():
        if options.sql and name != options.sql:
            continue
        times = []
        make_call(setup)()  # imports, templates and plans are there from now on
        for _ in range(options.times):
            call = make_call(setup)
            start = time.process_time()
            call()
            times.append(1000 * (time.process_time() - start))
        statements, answer = statements_of(make_call(setup))
        status = getattr(answer, "status_code", "")
        size = f" {len(answer.content) / 1000:6.1f} kB" if options.pages else ""
        print(
            f"{name:44} {len(statements):3} statements, {statistics.median(times):6.1f} ms CPU {status}{size}",
            flush=True,
        )
        if options.sql:
            print(*statements, sep="\n")


if __name__ == "__main__":
    main()
