"""Plays one event through the services, in a database of its own, and writes down the rows that it leaves.

    DATABASE_URL=sqlite:///… python benchmarks/filling/patterns.py double 32 patterns.json

Kinds: ``double`` (double elimination), ``round_robin`` (one group), ``swiss`` (five rounds). The file holds four patterns: the
event as a draft, open for entries, half played, and over. Ids begin so high that each says of which table it is
(`id_of_table`), and names, public ids and days are noted, so that `stencil` finds them again wherever they stand.
"""

import json
import os
import random
import sqlite3
import sys
from contextlib import closing
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.apps import apps
from django.core.management import call_command
from django.db import connection

from people.actors import Actor
from people.models import Player, User
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.statuses import EventAction
from tournaments.engine.types import Claim
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.events import EventDetails, change_event_status, create_event
from tournaments.events.services.stages import StageDetails
from tournaments.matches.services.reports import submit_report
from tournaments.models import Match, Stage
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.site.services.clubs import create_club_with_list

FIRST_ID, IDS_EACH = 1_000_000_000, 1_000_000
NAME, PLACE = "Qzevent Zqname", "Qzplace Zqhall"
SHARED = {"people.club", "people.user", "people.player"}
ROWS = {"people.auditentry", "rating.fact"}
# Workers make them anew, and they name matches by number.
DERIVED = {"tournaments.eventforecast", "tournaments.eventsoundness", "tournaments.forecastmark"}
ROUNDS = 5


def kept_tables() -> list[str]:
    """Labels of the models whose rows belong to an event, and of those they speak of; the place of each is the range of its ids."""
    labels = {model._meta.label_lower for model in apps.get_app_config("tournaments").get_models()}
    return sorted(SHARED) + sorted((labels - DERIVED) | ROWS)


def raise_ids() -> None:
    for index, label in enumerate(kept_tables()):
        table = apps.get_model(label)._meta.db_table
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute(
                "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)",
                [table, FIRST_ID + index * IDS_EACH],
            )


class Played:
    """The event of a pattern, as far as it has come."""

    def __init__(self, kind: str, entries: int) -> None:
        self.kind, self.rng = kind, random.Random(entries)
        director = User.objects.create_user("director@example.org", "crawford-demo", name="Dora Director")
        self.actor = Actor.of(director)
        self.club = create_club_with_list(actor=self.actor, name="Pattern")
        system = {"double": "double_elimination", "round_robin": "round_robin", "swiss": "swiss"}[kind]
        swiss = SwissSettings(rounds=ROUNDS, all_at_once=kind == "round_robin")
        today = date.today()  # noqa: DTZ011
        self.event = create_event(
            actor=self.actor,
            club_id=self.club.pk,
            details=EventDetails(
                name=NAME, place=PLACE, starts_on=today, ends_on=today, tables=min(entries, 200)
            ),
            stage=StageDetails(
                system=system,
                lengths=[5, 7] if kind == "double" else [5],
                report_policy="single_report_settles",
                swiss=swiss,
            ),
        )
        self.stage = Stage.objects.get(division__event=self.event)
        add_entries(
            actor=self.actor,
            event_id=self.event.pk,
            division_id=self.stage.division_id,
            entries=[NewEntry(name=f"Qz{n:04} Zq{n:04}") for n in range(entries)],
        )
        self.patterns = {"draft": self.rows()}
        change_event_status(actor=self.actor, event_id=self.event.pk, action=EventAction.OPEN)
        self.patterns["open"] = self.rows()

    def play(self) -> None:
        arguments = {"actor": self.actor, "event_id": self.event.pk, "stage_id": self.stage.pk}
        matches = Match.objects.filter(stage=self.stage)
        if self.kind == "double":
            draw_stage(**arguments, seed=1)
            publish_draw(**arguments)
            match_count = matches.exclude(result_kind="bye").count()
            self.go_on(match_count // 2)
            self.patterns["running"] = self.rows()
            self.go_on()
        else:
            for number in range(1, ROUNDS + 1):
                if self.kind == "swiss" or number == 1:
                    publish_round(**arguments, seen=pair_next_round(**arguments, seed=number).version)
                is_halfway = self.kind == "round_robin" or number == 1 + ROUNDS // 2
                self.go_on(matches.exclude(result_kind="bye").exclude(status="confirmed").count() // 2)
                if is_halfway and "running" not in self.patterns:
                    self.patterns["running"] = self.rows()
                self.go_on()
                if self.kind == "round_robin":
                    break
        self.patterns["over"] = self.rows()

    def go_on(self, count: int = 10**9) -> None:
        """So many results, or all there are to come."""
        while count > 0:
            ready = list(
                Match.objects.filter(stage=self.stage, status__in=["ready", "called", "playing"]).order_by(
                    "number"
                )
            )
            if not ready:
                return
            for match in ready[:count]:
                score = (match.length, self.rng.randrange(match.length))
                a, b = self.rng.choice((score, score[::-1]))
                submit_report(
                    actor=self.actor,
                    match_id=match.pk,
                    entry=None,
                    claim=Claim(a, b),
                    submission_key=f"fill-{match.pk}",
                )
            count -= len(ready)

    def rows(self) -> dict[str, object]:
        """Every row of the event, as SQLite keeps it, and how many results that count are among them."""
        tables: dict[str, object] = {}
        for label in kept_tables():
            if label in SHARED:
                continue
            columns = self._columns(label)
            condition = f" WHERE scope = 'event:{self.event.pk}'" if label == "people.auditentry" else ""
            column_list = ", ".join(f'"{column}"' for column in columns)
            meta = apps.get_model(label)._meta
            # Past Django, which would make dates of what SQLite keeps as text.
            with closing(sqlite3.connect(connection.settings_dict["NAME"])) as database:
                rows = database.execute(
                    f"SELECT {column_list} FROM {meta.db_table}{condition} ORDER BY {meta.pk.column}"
                ).fetchall()
            tables[label] = {"columns": columns, "rows": rows}
        return tables

    @staticmethod
    def _columns(label: str) -> list[str]:
        return [field.column for field in apps.get_model(label)._meta.concrete_fields]


def main() -> None:
    kind, entries, path = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    call_command("migrate", verbosity=0)
    raise_ids()
    played = Played(kind, entries)
    played.play()
    parts = {
        "kind": kind,
        "entries": entries,
        "club": played.club.pk,
        "director": played.actor.user.pk,
        "players": dict(Player.objects.values_list("name", "pk")),
        "event": played.event.pk,
        "first_day": str(played.event.starts_on),
        "patterns": played.patterns,
    }
    path.write_text(json.dumps(parts))


if __name__ == "__main__":
    main()
