"""A rating keeper's notes as code: `book = a_book()` · `book.beats("Ann", "Bob", 7)` · `book.rating("Ann")`.

Clubs and players are made bare, without events: the ledger knows nothing of them. Tasks run as a worker would run them,
by `book.apply()`; what was queued on commit is not needed for that, the database tells what is pending.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from people.actors import Actor
from people.models import Affiliation, Club, Player, PlayerClub
from rating import services
from rating.models import Change, Fact, RatingList, Standing
from rating.services.check import Difference
from rating.services.lists import ListSettings

_numbers = itertools.count(1)
DAY_ONE = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def a_bare_club(name: str = "", parent: Club | None = None) -> Club:
    club = Club.objects.create(name=name or f"Rating club {next(_numbers)}", parent=parent)
    if parent is not None:
        Affiliation.objects.create(club=club, federation=parent)
    return club


@dataclass
class Book:
    """A club, its list, and players by name."""

    club: Club
    list: RatingList
    players: dict[str, Player] = field(default_factory=dict)
    clock: datetime = DAY_ONE

    def player(self, name: str) -> Player:
        if name not in self.players:
            self.players[name] = Player.objects.create(name=name, home_club=self.club)
            PlayerClub.objects.create(player=self.players[name], club=self.club)
        return self.players[name]

    def beats(
        self,
        winner: str,
        loser: str,
        length: int = 7,
        *,
        key: str = "",
        at: datetime | None = None,
        kind: str = "played",
        club: Club | None = None,
        **more: object,
    ) -> Fact | None:
        """One result; without ``at`` an hour after the last one."""
        if at is None:
            self.clock += timedelta(hours=1)
        return services.record_result(
            source_key=key or f"test:{next(_numbers)}",
            club_id=(club or self.club).pk,
            winner_id=self.player(winner).pk,
            loser_id=self.player(loser).pk,
            length=length,
            winner_score=length,
            loser_score=length // 2,
            kind=kind,
            played_at=at or self.clock,
            **more,
        )

    def void(self, fact: Fact, reason: str = "") -> Fact:
        return services.void_result(source_key=fact.source_key, reason=reason)

    def replace(self, fact: Fact, winner: str, loser: str, *, length: int = 0, key: str = "") -> Fact:
        length = length or fact.length
        return services.replace_result(
            source_key=key or f"test:{next(_numbers)}",
            replaces=fact.source_key,
            winner_id=self.player(winner).pk,
            loser_id=self.player(loser).pk,
            length=length,
            winner_score=length,
            loser_score=length // 2,
        )

    def apply(self) -> services.apply.ApplyResult:
        applied = services.update_list_ratings(self.list.pk)
        self.list.refresh_from_db()
        return applied

    def differences(self) -> Sequence[Difference]:
        return services.check_list(list_id=self.list.pk)

    def standing(self, name: str) -> Standing | None:
        self.list.refresh_from_db()
        return Standing.objects.filter(generation=self.list.generation, player=self.player(name)).first()

    def rating(self, name: str) -> float:
        standing = self.standing(name)
        assert standing is not None, f"{name} has no rating"
        return standing.rating

    def history(self, name: str) -> Sequence[Change]:
        self.list.refresh_from_db()
        assert self.list.generation is not None
        return list(Change.objects.of(self.list.generation).filter(player=self.player(name)).in_order())

    def all_ratings(self) -> dict[str, float]:
        return {name: s.rating for name in self.players if (s := self.standing(name))}


def a_book(*, parent: Club | None = None) -> Book:
    """A club with its FIBS list."""
    club = a_bare_club(parent=parent)
    return Book(club, services.ensure_club_list(club_id=club.pk))


def visit(name: str, book: Book, *args: object, **query: object) -> HttpResponse:
    """A public page of the book's list, as anybody sees it."""
    return Client().get(reverse(f"rating:{name}", args=[book.list.public_id, *args]), query)


def a_list(book: Book, **settings: object) -> Book:
    """A further list of the same club and players, as a book of its own."""
    made = services.create_list(
        actor=Actor.program(),
        club_id=book.club.pk,
        settings=ListSettings(name=f"List {next(_numbers)}", **settings),
    )
    return Book(book.club, made, book.players, book.clock)
