"""A director's notes as code: clubs, events and results made through the services, as a person would make them.

``night = an_event(entries=8)`` · ``night.publish()`` · ``night.beats("Ann", "Bob", 7, 3)`` · ``night.play_out()``
"""

import itertools
import random
from dataclasses import dataclass, field
from datetime import timedelta

from django.utils import timezone

from people.actors import Actor
from people.models import Club, Membership, Player, Role, User
from tests.support.stock import in_stock, next_in_stock
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.events import EventDetails, create_event
from tournaments.events.services.stages import StageDetails
from tournaments.matches.services.reports import ReportOutcome, submit_report
from tournaments.models import Division, Entry, Event, Match, MatchSlot, Stage
from tournaments.site.services.clubs import create_club_with_list

_numbers = itertools.count(1)
FIRST = [
    "Ann",
    "Bob",
    "Cleo",
    "Dan",
    "Eva",
    "Finn",
    "Gil",
    "Hana",
    "Ivo",
    "Jan",
    "Kim",
    "Lea",
    "Mo",
    "Nia",
    "Oz",
    "Pia",
]


def a_user(name: str = "", **extra: object) -> User:
    """Somebody with an account."""
    number = next(_numbers)
    return User.objects.create_user(
        f"user{number}@example.org", "a-long-password", name=name or f"User {number}", **extra
    )


def a_club(owner: User | None = None, name: str = "") -> Club:
    """A club with an owner."""
    owner = owner or a_user("Olga Owner")
    return create_club_with_list(actor=Actor.of(owner), name=name or f"Club {next(_numbers)}")


def a_director(club: Club, name: str = "Dora Director") -> User:
    """A user who is a director of ``club``."""
    user = a_user(name)
    Membership.objects.create(user=user, club=club, role=Role.DIRECTOR)
    return user


def names(count: int) -> list[str]:
    """``count`` different names."""
    return [
        FIRST[i] if i < len(FIRST) else f"{FIRST[i % len(FIRST)]} {i // len(FIRST) + 1}" for i in range(count)
    ]


@dataclass
class Tournament:
    """An event under test, with the words of somebody who runs it."""

    event: Event
    director: User
    rng: random.Random = field(default_factory=lambda: random.Random(7))
    _keys: "itertools.count[int]" = field(default_factory=itertools.count)

    @property
    def actor(self) -> Actor:
        return Actor.of(self.director)

    @property
    def club(self) -> Club:
        return self.event.club

    @property
    def division(self) -> Division:
        return Division.objects.get(event=self.event)

    @property
    def stage(self) -> Stage:
        return Stage.objects.get(division__event=self.event)

    def fresh(self) -> Event:
        self.event.refresh_from_db()
        return self.event

    def draw(self, seed: int | None = 1) -> "Tournament":
        next_in_stock(("draw", seed), lambda: self._draw(seed))
        return self

    def _draw(self, seed: int | None) -> None:
        draw_stage(actor=self.actor, event_id=self.event.pk, stage_id=self.stage.pk, seed=seed)

    def publish(self, seed: int | None = 1) -> "Tournament":
        next_in_stock(("publish", seed), lambda: self._publish(seed))
        self.fresh()
        return self

    def _publish(self, seed: int | None) -> None:
        if self.stage.status == "setup":
            self._draw(seed)
        publish_draw(actor=self.actor, event_id=self.event.pk, stage_id=self.stage.pk)

    def with_public_pages(self) -> "Tournament":
        """As if everybody in it had agreed to a public page, which they get with the first public draw else."""
        new = Player.objects.filter(entries__division__event=self.event, listed_with_draw=True)
        new.update(listed=True, listed_with_draw=False)
        return self

    def entry(self, name: str) -> Entry:
        return Entry.objects.get(division__event=self.event, name=name)

    def entry_at(self, match: Match, side: Side | str) -> Entry:
        entry = MatchSlot.objects.get(match=match, side=side).entry
        assert entry is not None
        return entry

    def match(self, name: str, other: str) -> Match:
        """The match between two entries."""
        return (
            Match.objects.filter(slots__entry=self.entry(name))
            .filter(slots__entry=self.entry(other))
            .order_by("-number")
            .first()
        )

    def playable(self) -> list[Match]:
        """Matches that have both sides and no result."""
        return list(
            Match.objects.filter(stage__division__event=self.event)
            .exclude(status__in=[MatchStatus.WAITING, MatchStatus.CONFIRMED, MatchStatus.VOID])
            .order_by("number")
        )

    def key(self) -> str:
        return f"key-{next(self._keys)}"

    def says(
        self, match: Match, side: Side | str | None, score_a: int, score_b: int, **claim: object
    ) -> ReportOutcome:
        """One side (or, with None, the director) reports; the score is side a's, then side b's."""
        kind = ResultKind(claim.pop("kind", "played"))
        winner = claim.pop("winner", None)
        return submit_report(
            actor=self.actor if side is None else Actor.with_label(f"side {side}"),
            match_id=match.pk,
            entry=None if side is None else self.entry_at(match, side),
            claim=Claim(score_a, score_b, kind, Side(winner) if winner else None),
            submission_key=claim.pop("key", None) or self.key(),
            **claim,
        )

    def settle(
        self, match: Match, winner: Side | str, loser_score: int = 0, **claim: object
    ) -> ReportOutcome:
        """The director records a result."""
        score = {Side(winner): match.length, Side(winner).other: loser_score}
        return self.says(match, None, score[Side.A], score[Side.B], **claim)

    def beats(self, winner: str, loser: str, score: int, other: int) -> ReportOutcome:
        """``winner`` beat ``loser`` by ``score``–``other``, says the director."""
        match = self.match(winner, loser)
        side = MatchSlot.objects.get(match=match, entry__name=winner).side
        points = (score, other) if side == Side.A else (other, score)
        return self.says(match, None, *points)

    def play_out(self) -> "Tournament":
        """Everything that is left, by chance, recorded by the director."""
        while matches := self.playable():
            for match in matches:
                side = self.rng.choice([Side.A, Side.B])
                self.settle(match, side, self.rng.randrange(match.length))
        self.fresh()
        return self


def an_event(
    entries: int = 0, club: Club | None = None, director: User | None = None, **changes: object
) -> Tournament:
    """An event with so many entries (Ann, Bob, Cleo …), not drawn yet, from today on.

    ``changes`` go to event or stage details. The first event of a test comes from stock.
    """
    if club is None and director is None:
        return Tournament(
            *in_stock((entries, repr(changes)), lambda: _an_event(entries, None, None, changes))
        )
    return Tournament(*_an_event(entries, club, director, changes))


def _an_event(
    entries: int, club: Club | None, director: User | None, changes: dict[str, object]
) -> tuple[Event, User]:
    changes = dict(changes)
    if club is None:
        director = director or a_user("Dora Director")
        club = a_club(director)
    director = director or Membership.objects.filter(club=club).first().user
    stage_fields = {
        k: changes.pop(k) for k in list(changes) if k in StageDetails.__dataclass_fields__ and k != "name"
    }
    today = timezone.now().date()
    details = {
        "name": "Club night",
        "starts_on": today,
        "ends_on": today + timedelta(days=1),
        **changes,
    }
    event = create_event(
        actor=Actor.of(director),
        club_id=club.pk,
        details=EventDetails(**details),
        stage=StageDetails(**{"lengths": [5, 5, 7, 9], **stage_fields}),
    )
    tournament = Tournament(event, director)
    if entries:
        add_entries(
            actor=tournament.actor,
            event_id=event.pk,
            division_id=tournament.division.pk,
            entries=[NewEntry(name=name) for name in names(entries)],
        )
    return event, director
