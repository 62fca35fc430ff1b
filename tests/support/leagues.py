"""A league and its seasons as a director runs them: divisions of round robins, rounds one by one, points of money play."""

from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from people.actors import Actor
from people.models import Club, User
from tests.factories import a_club, a_user, an_event
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.statuses import StageStatus
from tournaments.engine.types import Claim, Side
from tournaments.entries.services.entries import NewEntry, add_entries
from tournaments.events.services.divisions import DivisionDetails
from tournaments.events.services.events import EventDetails, create_event
from tournaments.events.services.stages import StageDetails
from tournaments.leagues.services.seasons import set_promotion_counts
from tournaments.matches.services.reports import submit_report
from tournaments.models import Division, Entry, Event, Match, MatchSlot, Stage
from tournaments.money_play.services.sessions import SessionDetails, open_points_league, record_session
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.selectors.draws import load_draw
from tournaments.selectors.rounds.next import next_round, rounds_left


@dataclass
class League:
    """A season under test."""

    event: Event
    director: User

    @property
    def actor(self) -> Actor:
        return Actor.of(self.director)

    def fresh(self) -> Event:
        self.event.refresh_from_db()
        return self.event

    def division(self, name: str) -> Division:
        return Division.objects.get(event=self.event, name=name)

    def stages(self) -> list[Stage]:
        return list(Stage.objects.filter(division__event=self.event).order_by("division__position"))

    def entry(self, name: str) -> Entry:
        return Entry.objects.get(division__event=self.event, name=name)

    def entered_first(self) -> Entry:
        return Entry.objects.filter(division__event=self.event).earliest("pk")

    def names(self) -> dict[str, list[str]]:
        """Who is entered where, in the order of entering."""
        return {
            division.name: list(division.entries.order_by("pk").values_list("name", flat=True))
            for division in self.event.divisions.all()
        }

    def next_rounds(self) -> bool:
        """Publish the next round of every division that has one; whether there was any."""
        any_round = False
        for stage in self.stages():
            draw = load_draw(stage)
            if stage.status == StageStatus.FINISHED or (draw.rounds and not rounds_left(stage, draw)):
                continue
            given = {"actor": self.actor, "event_id": self.event.pk, "stage_id": stage.pk}
            if not draw.rounds:
                pair_next_round(**given, seed=1)
                stage.refresh_from_db()
            publish_round(**given, seen=next_round(stage, draw).version)
            any_round = True
        return any_round

    def unplayed(self) -> list[Match]:
        return list(
            Match.objects.filter(stage__division__event=self.event)
            .exclude(status__in=["confirmed", "void"])
            .order_by("stage__division__position", "number")
        )

    def settle(self, match: Match, winner: Side | str, loser_score: int = 0) -> None:
        """The director records a result."""
        score = {Side(winner): match.length, Side(winner).other: loser_score}
        submit_report(
            actor=self.actor,
            match_id=match.pk,
            entry=None,
            claim=Claim(score[Side.A], score[Side.B]),
            submission_key=f"key-{match.pk}",
        )

    def settle_by_name(self, match: Match) -> None:
        """Whoever comes first in the alphabet wins."""
        sides = {slot.side: slot.entry.name for slot in MatchSlot.objects.filter(match=match)}
        self.settle(match, min(sides, key=sides.get), 1)

    def play_out(self) -> "League":
        """Every round; in each match the first in the alphabet wins."""
        while self.next_rounds():
            for match in self.unplayed():
                self.settle_by_name(match)
        self.fresh()
        return self


def a_league(
    *divisions: str, moving: int = 1, club: Club | None = None, director: User | None = None, **stage
) -> League:
    """A league of divisions given by the first letters of their players: ``a_league("abc", "def")``."""
    director = director or a_user("Lena League")
    club = club or a_club(director)
    details = StageDetails(**{"lengths": [5], "system": "round_robin", **stage})
    event = create_event(
        actor=Actor.of(director),
        club_id=club.pk,
        details=EventDetails(name="League 2026", starts_on=DAY, ends_on=DAY + timedelta(days=90)),
        divisions=[
            DivisionDetails(name=f"Division {number}", stages=[details])
            for number in range(1, len(divisions) + 1)
        ],
    )
    league = League(event, director)
    for number, letters in enumerate(divisions, start=1):
        add_entries(
            actor=league.actor,
            event_id=event.pk,
            division_id=league.division(f"Division {number}").pk,
            entries=[NewEntry(name=f"{letter.upper()}{letter} Player") for letter in letters],
        )
    if moving:
        set_promotion_counts(actor=league.actor, event_id=event.pk, moving=[moving] * (len(divisions) - 1))
    league.fresh()
    return league


DAY = timezone.localdate() - timedelta(days=30)


def with_tie_breaks(*codes: str) -> SwissSettings:
    """Settings of a round robin with these tie-breaks after the points."""
    return SwissSettings(tie_breaks=codes)


@dataclass
class Points:
    """A points league of money play under test."""

    event: Event
    director: User

    @property
    def actor(self) -> Actor:
        return Actor.of(self.director)

    @property
    def stage(self) -> Stage:
        return Stage.objects.get(division__event=self.event)

    @property
    def where(self) -> dict:
        return {"actor": self.actor, "event_id": self.event.pk, "stage_id": self.stage.pk}

    def fresh(self) -> Event:
        self.event.refresh_from_db()
        return self.event

    def entry(self, name: str) -> Entry:
        return Entry.objects.get(division__event=self.event, name=name)

    def session(self, key: str = "", *, day=None, outsider: bool = False, note: str = "", **points: int):
        """``league.session(Ann=8, Bob=-8)``."""
        extra = {"corrects": points.pop("corrects", None), "seen": points.pop("seen", None)}
        scores = {self.entry(name).pk: score for name, score in points.items()}
        key = key or f"session-{self.stage.sessions.count()}"
        details = SessionDetails(played_on=day or DAY, scores=scores, note=note, outsider=outsider)
        return record_session(**self.where, details=details, submission_key=key, **extra)


def a_points_league(entries: int = 4, *, is_open: bool = True, **changes: object) -> Points:
    """Ann, Bob, Cleo, Dan … play for points."""
    fields = {
        "name": "Chouette League",
        "starts_on": DAY,
        "ends_on": DAY + timedelta(days=90),
        "system": "money",
        "format_preset": "money_options",
        "lengths": [],
        **changes,
    }
    tournament = an_event(entries=entries, **fields)
    league = Points(tournament.event, tournament.director)
    if is_open:
        open_points_league(**league.where)
        league.fresh()
    return league
