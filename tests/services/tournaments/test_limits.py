"""Divisions for some ratings: who comes in, who waits for a director, who is let in with a reason, and what is proposed."""

from datetime import date

import pytest

from faults import Conflict, Invalid, NotAllowed
from people.actors import Actor
from people.models import AuditEntry, OutsideRating, Player
from rating.models import Fact
from rating.services import ensure_club_list
from tests.factories import Tournament, a_user, an_event
from tests.support.tournaments import lets_new_names_in
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.limits import OWN_LIST_PREFIX, LimitComparison, RatingLimit
from tournaments.engine.matrix import Cell, CellChange
from tournaments.engine.new_entry import EntryDetails, NewEntry
from tournaments.engine.statuses import EntryStatus
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.registration import approve_entries, register_self
from tournaments.entries.services.several import move_entries
from tournaments.events.services.divisions import (
    DivisionDetails,
    add_division,
    division_settings_version,
    set_limit,
)
from tournaments.events.services.stages import StageDetails
from tournaments.matrix.services.saving import save_players_table
from tournaments.models import Division, Entry
from tournaments.selectors.access.links import join_token
from tournaments.selectors.limits import rating_sources
from tournaments.selectors.matrix import load_players_table
from tournaments.selectors.matrix_limits import division_proposals, table_verdicts
from tournaments.series.services.copying import copy_event

pytestmark = pytest.mark.django_db
DAY = date(2026, 1, 1)


@pytest.fixture
def tournament(clock) -> Tournament:
    return an_event(4, lengths=[5])


@pytest.fixture
def novices(tournament) -> Division:
    details = DivisionDetails(name="Novices", stages=[StageDetails(lengths=[3])])
    made = add_division(**at(tournament), division=details, first_name="Open")
    return set_limit(**at(tournament), division_id=made.pk, limit=RatingLimit("usbgf", most=1500))


def at(tournament: Tournament) -> dict[str, object]:
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def rated(tournament: Tournament, name: str, value: float, day: date = DAY) -> Player:
    player, _made = Player.objects.get_or_create(name=name, defaults={"home_club": tournament.club})
    player.club_links.get_or_create(club=tournament.club)
    OutsideRating.objects.create(player=player, source="USBGF", value=value, on=day)
    return player


def enter(tournament: Tournament, division: Division, player: Player | str, overrule: str = "") -> Entry:
    known = {"player_id": player.pk} if isinstance(player, Player) else {"name": player}
    return add_entry(**at(tournament), division_id=division.pk, entry=NewEntry(**known, overrule=overrule))


def test_director_is_refused_without_a_reason_and_the_trail_tells_the_one_that_was_given(tournament, novices):
    strong = rated(tournament, "Sten Strong", 1650)
    with pytest.raises(Invalid) as refused:
        enter(tournament, novices, strong)
    fault = refused.value.faults[0]
    assert (fault.code, fault.params["rating"], fault.params["limit"]) == (
        "entry.above_limit",
        "1650",
        "1500",
    )
    made = enter(tournament, novices, strong, " the last\nplace ")
    row = AuditEntry.objects.get(action="entry.overrule_limit")
    assert (row.subject_id, row.data["reason"]) == (made.pk, "the last place")
    assert "1650" not in str(row.data)
    enter(tournament, novices, rated(tournament, "Nils Novice", 1500))
    enter(tournament, novices, "Nobody Knows")  # no rating: for the director to judge
    with pytest.raises(Invalid, match="reason_long"):
        enter(tournament, novices, rated(tournament, "Olaf Other", 1900), "x" * 201)
    assert Fact.objects.count() == 0  # ratings of others never come into the ledger
    assert not integrity_faults(tournament.fresh())


def test_whoever_enters_by_the_link_is_refused_waits_or_is_in(tournament, novices):
    lets_new_names_in(tournament)

    def register(name: str, player: Player | None = None):
        user = a_user(name)
        if player is not None:
            player.user = user
            player.save()
        entry = NewEntry(
            "" if player else name, player.pk if player else None, details=EntryDetails(hall=True)
        )
        token = join_token(tournament.fresh())
        made = register_self(actor=Actor.of(user), token=token, entry=entry, partners={novices.pk: ()})
        return made[0].status

    with pytest.raises(Invalid, match="above_limit"):
        register("Sten Strong", rated(tournament, "Sten Strong", 1650))
    assert register("Nils Novice", rated(tournament, "Nils Novice", 1400)) == EntryStatus.ACTIVE
    assert register("Nobody Knows") == EntryStatus.PENDING
    claimed = rated(tournament, "Olga Other", 1900)
    entry = NewEntry(player_id=claimed.pk, details=EntryDetails(hall=True))
    token = join_token(tournament.fresh())
    (made,) = register_self(
        actor=Actor.of(a_user("Somebody")), token=token, entry=entry, partners={novices.pk: ()}
    )
    assert made.status == EntryStatus.PENDING  # whoever says to be Olga learns nothing of her rating
    with pytest.raises(Invalid, match="outside_limit") as refused:
        approve_entries(**at(tournament), entry_ids=[made.pk])
    assert "rating" not in refused.value.params
    approve_entries(**at(tournament), entry_ids=[made.pk], overrule="came from far")
    assert AuditEntry.objects.get(action="entry.overrule_limit").subject_id == made.pk
    set_limit(
        **at(tournament),
        division_id=novices.pk,
        limit=RatingLimit("USBGF", most=1500, rejects_outsiders=False),
    )
    assert register("Olaf Other", rated(tournament, "Olaf Other", 1900)) == EntryStatus.PENDING
    assert register("Ulla Unrated") == EntryStatus.ACTIVE


def test_matrix_refuses_who_is_outside_and_proposes_where_everybody_belongs(tournament, novices):
    first = Division.objects.get(event=tournament.event, position=1)
    set_limit(**at(tournament), division_id=first.pk, limit=RatingLimit("USBGF", least=1500.5))
    for name, value, day in (("Ann", 1400, DAY), ("Bob", 1700, DAY), ("Cleo", 1450, date(2020, 1, 1))):
        rated(tournament, name, value, day)
    found = load_players_table(tournament.event)
    verdicts = table_verdicts(tournament.event, found, found.people)
    proposals = division_proposals(found, found.people, verdicts)
    people = {person.name: person for person in found.people}
    assert verdicts[novices.pk][people["Bob"].pk].fit is LimitComparison.ABOVE
    ann, cleo, dan = (proposals[people[name].public_id] for name in ("Ann", "Cleo", "Dan"))
    assert (ann.target_division, ann.left_divisions, ann.is_rating_old) == (novices.pk, (first.pk,), False)
    assert (cleo.target_division, cleo.is_rating_old) == (novices.pk, True)
    assert (dan.target_division, dan.is_rating_unknown) == (None, True)
    assert people["Bob"].public_id not in proposals
    assert Entry.objects.filter(division=novices).count() == 0  # nothing is done by itself

    def tick(name: str, **more: str):
        change = CellChange(Cell(people[name].public_id, str(novices.pk)), "out", "in")
        return save_players_table(**at(tournament), changes=[change], **more)

    with pytest.raises(Invalid) as refused:
        tick("Bob")
    assert (refused.value.code, refused.value.field) == ("entry.above_limit", "cells")
    tick("Bob", overrule="plays both")
    tick("Ann")
    assert AuditEntry.objects.filter(action="entry.overrule_limit").count() == 1
    with pytest.raises(Invalid, match="below_limit"):
        move_entries(
            **at(tournament),
            entry_ids=[enter(tournament, novices, rated(tournament, "Zoe", 1000)).pk],
            division_id=first.pk,
        )


def test_limit_is_kept_by_list_told_copied_and_refused_when_it_makes_no_sense(tournament, novices):
    row = AuditEntry.objects.get(action="division.limit")
    assert (row.data["source"], row.data["most"], row.subject_id) == ("usbgf", 1500, novices.pk)
    seen = division_settings_version(novices)
    own = ensure_club_list(club_id=tournament.club.pk)
    limit = RatingLimit(own.name.upper(), 1000)
    found = set_limit(**at(tournament), division_id=novices.pk, limit=limit)
    assert found.limit == RatingLimit(f"{OWN_LIST_PREFIX}{own.public_id}", 1000)
    assert rating_sources(tournament.club)[0] == own.name
    with pytest.raises(Conflict, match=r"settings\.changed") as stale:
        set_limit(**at(tournament), division_id=novices.pk, limit=None, seen=seen)
    assert stale.value.touched == novices
    for wrong in (RatingLimit("USBGF"), RatingLimit("", 5), RatingLimit(f"{OWN_LIST_PREFIX}nosuch", 5)):
        with pytest.raises(Invalid):
            set_limit(**at(tournament), division_id=novices.pk, limit=wrong)
    with pytest.raises(NotAllowed):
        set_limit(actor=Actor.of(a_user()), event_id=tournament.event.pk, division_id=novices.pk, limit=None)
    set_limit(**at(tournament), division_id=novices.pk, limit=RatingLimit("USBGF", most=1500))
    enter(tournament, novices, rated(tournament, "Sten Strong", 1650), "was there")
    later = copy_event(**at(tournament), starts_on=date(2027, 1, 5), people=True).event
    again = Division.objects.get(event=later, name="Novices")
    assert again.limit == RatingLimit("USBGF", most=1500)
    assert Entry.objects.get(division=again).status == EntryStatus.PENDING  # looked at when they come
