"""Objects that `compare_pages.py` requests pages for.

Database rows by the names of URL arguments, and visitors.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from types import ModuleType
from typing import Any

Visitor = tuple[str, int, str]  # name, user id (0: not signed in), language
FORMATS = ("mat", "sgf", "txt", "json")
FORMS_OF = ("director", "player", "people", "rating_director")
NO_FORMS = ("director:audit",)  # the same forms are on the page of the repair


def links() -> ModuleType:
    """Return the module that creates personal links; earlier releases have it in another place."""
    for name in ("tournaments.selectors.access.links", "tournaments.links"):
        if find_spec(name) is not None:
            return import_module(name)
    raise LookupError("no personal links in this code")


@dataclass(frozen=True)
class Subject:
    """One address of a page with its arguments, and the visitors that request it.

    ``senders``: the visitors that also submit the forms of the page.
    """

    path: str
    visitors: tuple[Visitor, ...]
    senders: tuple[str, ...] = ()


class Subjects:
    """The objects of the database that fit the arguments of each URL. ``max_events``: 0 for all events."""

    def __init__(self, max_events: int = 0) -> None:
        from django.apps import apps

        self.model: Callable[[str], Any] = lambda label: apps.get_model(label).objects
        events = list(self.model("tournaments.Event").select_related("club").order_by("pk"))
        self.events = events[:: max(1, len(events) // max_events)] if max_events else events
        self.clubs = list(self.model("people.Club").order_by("pk"))
        self.lists = list(self.model("rating.RatingList").order_by("pk"))
        self.only_by_form: set[str] = set()
        self.staff = self.model("people.User").filter(is_superuser=True).values_list("pk", flat=True).first()
        members = set(self.model("people.Membership").values_list("user_id", flat=True))
        non_members = self.model("people.User").filter(is_superuser=False).exclude(pk__in=members)
        self.stranger = non_members.order_by("pk").values_list("pk", flat=True).first()
        self.director, self.owner = (
            {club.pk: self._member(club, role) for club in self.clubs} for role in ("director", "owner")
        )
        self.sample = self._sample()
        self.spoken_for: dict[str, list[dict[str, Any]]] = {}

    def _member(self, club: Any, role: str) -> int:
        rows = self.model("people.Membership").filter(club=club).order_by("pk")
        membership = rows.filter(role=role).first() or rows.first()
        return int(membership.user_id) if membership else 0

    def _sample(self) -> set[int]:
        """Return the ids of events whose pages all visitors request.

        One event of each combination of club, visibility, status and system of the first stage.
        """
        kinds: dict[tuple[Any, ...], int] = {}
        systems = dict(
            self.model("tournaments.Stage").order_by("-pk").values_list("division__event_id", "system")
        )
        for event in self.events:
            kinds.setdefault((event.club_id, event.visibility, event.status, systems.get(event.pk)), event.pk)
        return set(kinds.values())

    def of(self, area: str, name: str, names: tuple[str, ...]) -> Iterator[Subject]:
        """Yield the address with the arguments of every object that fits.

        ``area``: the URL namespace; ``name``: the URL name; ``names``: the names of its arguments.
        """
        from django.urls import NoReverseMatch, reverse

        for arguments, club, for_all in self._filled(area, name, names):
            try:
                path = reverse(name, kwargs=arguments)
            except NoReverseMatch:
                continue
            if name in self.only_by_form and not for_all:
                continue
            has_forms = area in FORMS_OF and name not in NO_FORMS
            yield Subject(
                path,
                tuple(self._visitors(area, club, for_all=for_all)),
                (("nobody",) if area == "player" else ("director",)) if has_forms else (),
            )

    def _visitors(self, area: str, club: Any, *, for_all: bool) -> Iterator[Visitor]:
        director = self.director.get(club, 0) if club else next(iter(self.director.values()))
        if area == "admin":
            yield "staff", self.staff, "en"
            if not for_all:
                return
        needs_sign_in = area in {"director", "people", "rating_director", "admin"}
        if for_all or not needs_sign_in:
            yield "nobody", 0, "en"
        if area not in {"player", "admin"}:
            yield "director", director, "en"
        if not for_all:
            return
        yield "nobody-de", 0, "de"
        yield "stranger", self.stranger, "en"
        yield "director-de", director, "de"
        other_director = next((user for pk, user in self.director.items() if pk != club and user), 0)
        yield "other", other_director, "en"
        yield "owner", self.owner.get(club, 0) if club else next(iter(self.owner.values())), "en"

    def _filled(
        self, area: str, name: str, names: tuple[str, ...]
    ) -> Iterator[tuple[dict[str, Any], Any, bool]]:
        """Yield the arguments, the id of their club (or None), and whether all visitors make the request."""
        argument_names = frozenset(names)
        if not argument_names:
            yield {}, None, True
        elif area == "admin":
            yield from self._admin(name, argument_names)
        elif "list_id" in argument_names:
            yield from self._of_lists(argument_names)
        elif argument_names == {"token"}:
            yield from self._tokens(name)
        elif argument_names <= {"match", "token", "version", "code"} and "match" in argument_names:
            yield from self._of_matches(argument_names)
        elif "event" in argument_names:
            yield from self._of_events(argument_names - {"event"})
        elif "club" in argument_names:
            yield from self._of_clubs(argument_names)
        elif argument_names == {"player"}:
            for number, player in enumerate(self.model("people.Player").order_by("pk")):
                if number % 8 == 0 or not player.listed or player.merged_into_id:
                    yield (
                        {"player": player.public_id},
                        player.home_club_id,
                        number % 64 == 0 or not player.listed,
                    )
        else:
            yield from self._records(argument_names)

    def _of_events(self, remaining_names: frozenset[str]) -> Iterator[tuple[dict[str, Any], Any, bool]]:
        for event in self.events:
            for_all = event.pk in self.sample
            for extra_arguments, is_first in self._inside(event, remaining_names):
                yield {"event": event.public_id, **extra_arguments}, event.club_id, for_all and is_first

    def _inside(self, event: Any, remaining_names: frozenset[str]) -> Iterator[tuple[dict[str, Any], bool]]:
        if not remaining_names:
            yield {}, True
        elif remaining_names == {"stage"}:
            rows = self.model("tournaments.Stage").filter(division__event=event).order_by("pk")
            yield from (({"stage": stage.pk}, not number) for number, stage in enumerate(rows))
        elif remaining_names == {"division"}:
            rows = self.model("tournaments.Division").filter(event=event).order_by("pk")
            yield from (({"division": row.pk}, not number) for number, row in enumerate(rows))
        elif remaining_names == {"entry"}:
            for number, entry in enumerate(self._entries(event)):
                yield {"entry": entry.public_id}, not number
        elif remaining_names == {"match"}:
            matches = self._matches(event)
            for number, match in enumerate(matches if event.pk in self.sample else matches[:3]):
                yield {"match": match.public_id}, not number
        elif remaining_names == {"repair"}:
            rows = self.model("people.AuditEntry").filter(scope=f"event:{event.pk}", data__has_key="undo")
            yield from (
                ({"repair": pk}, False) for pk in rows.order_by("-pk").values_list("pk", flat=True)[:1]
            )

    def _entries(self, event: Any) -> list[Any]:
        """Return one entry of each combination of division, status, re-entry, drawn or not, seeded or not."""
        kinds: dict[tuple[Any, ...], Any] = {}
        for entry in self.model("tournaments.Entry").filter(division__event=event).order_by("pk"):
            is_drawn = entry.slots.exists()
            kinds.setdefault(
                (entry.division_id, entry.status, entry.again_of_id is None, is_drawn, entry.seed is None),
                entry,
            )
        return list(kinds.values())

    def _matches(self, event: Any) -> list[Any]:
        """Return one match of each combination of stage, section, status and result."""
        kinds: dict[tuple[Any, ...], Any] = {}
        rows = self.model("tournaments.Match").filter(stage__division__event=event).select_related("round")
        for match in rows.order_by("pk"):
            kind = (
                match.stage_id,
                match.round.section,
                match.status,
                match.result_kind,
                bool(match.awards),
                bool(match.adjourned),
            )
            kinds.setdefault(kind, match)
        return list(kinds.values())

    def _of_matches(self, argument_names: frozenset[str]) -> Iterator[tuple[dict[str, Any], Any, bool]]:
        entry_token = links().entry_token

        for event in self.events:
            for number, match in enumerate(self._matches(event)):
                arguments: dict[str, Any] = {"match": match.public_id}
                for_all = event.pk in self.sample and not number
                if "token" in argument_names:
                    slot = match.slots.exclude(entry=None).select_related("entry").first()
                    if slot is not None:
                        yield {**arguments, "token": entry_token(slot.entry)}, event.club_id, for_all
                elif "version" in argument_names:
                    for report in match.reports.exclude(record=None).order_by("pk"):
                        for code in FORMATS if "code" in argument_names else ("",):
                            extra_arguments = {"version": report.version, **({"code": code} if code else {})}
                            yield {**arguments, **extra_arguments}, event.club_id, True
                else:
                    yield arguments, event.club_id, for_all

    def _tokens(self, name: str) -> Iterator[tuple[dict[str, Any], Any, bool]]:
        entry_token, join_token = links().entry_token, links().join_token

        for event in self.events:
            for_all = event.pk in self.sample
            if name.endswith("join"):
                yield {"token": join_token(event)}, event.club_id, for_all
                continue
            for number, entry in enumerate(self._entries(event)):
                yield {"token": entry_token(entry)}, event.club_id, for_all and not number

    def _of_clubs(self, argument_names: frozenset[str]) -> Iterator[tuple[dict[str, Any], Any, bool]]:
        for club in self.clubs:
            if "player" not in argument_names:
                yield {"club": club.public_id}, club.pk, True
                continue
            rows = self.model("people.Player").filter(home_club=club).order_by("pk")[::20]
            for number, player in enumerate(rows):
                yield {"club": club.public_id, "player": player.public_id}, club.pk, not number

    def _of_lists(self, argument_names: frozenset[str]) -> Iterator[tuple[dict[str, Any], Any, bool]]:
        for rating_list in self.lists:
            base_arguments = {"list_id": rating_list.public_id}
            standings = self.model("rating.Standing").filter(generation=rating_list.generation).order_by("pk")
            players = [row.player for row in standings.select_related("player")[::20]]
            if "other_id" in argument_names:
                for first, second in pairwise(players):
                    yield (
                        {**base_arguments, "player_id": first.public_id, "other_id": second.public_id},
                        rating_list.club_id,
                        False,
                    )
            elif "player_id" in argument_names:
                for number, player in enumerate(players):
                    yield {**base_arguments, "player_id": player.public_id}, rating_list.club_id, not number
            elif "number" in argument_names:
                facts_by_kind = defaultdict(list)
                for fact in self.model("rating.Fact").filter(club=rating_list.club).order_by("pk"):
                    facts_by_kind[fact.kind, fact.result_kind].append(fact.pk)
                for facts in facts_by_kind.values():
                    for number, pk in enumerate(facts[:: max(1, len(facts) // 3)]):
                        yield {**base_arguments, "number": pk}, rating_list.club_id, not number
            else:
                yield base_arguments, rating_list.club_id, True

    def _records(self, argument_names: frozenset[str]) -> Iterator[tuple[dict[str, Any], Any, bool]]:
        if argument_names == {"key"}:
            for held_record in self.model("games.HeldRecord").order_by("pk"):
                yield {"key": held_record.key}, None, True
        elif "batch" in argument_names:
            for batch in self.model("games.RecordImport").order_by("pk"):
                extra_arguments = {"position": 1} if "position" in argument_names else {}
                yield {"batch": batch.public_id, **extra_arguments}, batch.club_id, True
        elif argument_names == {"position_id"}:
            yield {"position_id": "4HPwATDgc_ABMA"}, None, True
        elif argument_names == {"xgid"}:
            yield {"xgid": "-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:7:10"}, None, True

    def _admin(self, name: str, argument_names: frozenset[str]) -> Iterator[tuple[dict[str, Any], Any, bool]]:
        label = name.removeprefix("admin:").rsplit("_", 1)[0].replace("_", ".", 1)
        if argument_names == {"object_id"} and label.count(".") == 1:
            row = self.model(label).order_by("pk").first()
            if row is not None:
                yield {"object_id": row.pk}, None, False
