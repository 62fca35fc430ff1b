"""Who shows no name, or a short one, is named nowhere in public: every page, answer, feed, picture and file is visited, and no answer to
a write, accepted or refused, names a player to a visitor who may not read that name.

Every visitor sends the writes of the permission tables, and the forms of the pages they can open. `.ci/long` sends all of them, other
runs a seeded sample and the writes of a personal link.
"""

import random
import re
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from faults import Conflict
from people.actors import Actor
from people.api.problems import fault_detail
from people.audience import Audience, override_audience, short_name
from people.messages import describe
from people.models import Club, Player, PlayerClub
from people.services.claims import request_player
from people.services.players import update_player
from tests.factories import Tournament, a_club, a_director, a_user, an_event
from tests.permissions.public_rows import API, GAMES, PUBLIC, RATING, RATING_API
from tests.permissions.rows import Row
from tests.permissions.shared import kept, rolled_back
from tests.permissions.table import TABLE
from tests.permissions.test_every_url import address_of, ask, text_of
from tests.permissions.world import VISITORS, World, build_world
from tests.support.lanes import ON_ONE, in_full
from tests.support.writes import Write, of_forms, of_links, of_tables
from tournaments.entries.services.entries import NewEntry, add_entries
from tournaments.entries.services.teams import team_name
from tournaments.models import Entry, EntryPlayer, Match
from tournaments.selectors.access.links import entry_token

# Pages write no query.
pytestmark = [pytest.mark.django_db, *ON_ONE]

FAMILIES = {"A": "Quuxley", "B": "Wexcombe"}  # of the players of each club, and of nothing else
FAMILY = FAMILIES["A"]
PUBLIC_MARK = "Page"  # in the family name of who has a public page
# Addresses behind a role refuse the same two again and again: all of them in the full lane alone.
OPEN = (*PUBLIC, *RATING, *API, *RATING_API, *GAMES)
ROWS = [row for row in (TABLE if in_full() else OPEN) if row.method == "get"]
# Who may open the same: each address by one of them in turns, in the full lane by both.
OUTSIDE = ["nobody", "stranger"]
SAMPLE = 2  # writes of a visitor in a normal run
FORMS = 800  # writes by forms of a visitor in `.ci/long`


@dataclass(frozen=True)
class Hidden:
    """The world of the permission tables, in which no player shows a family name in public.

    ``desk``: what an address at which the assistant helps has in it. ``own_name``: of the player who has an account.
    """

    world: World
    desk: frozenset[str]
    own_name: str

    def from_visitor(self, visitor: str, write: Write) -> re.Pattern[str]:
        """The family names that this visitor may not read in the answer."""
        open_to = {"director": "A", "owner": "A", "other": "B"}.get(visitor)
        if visitor == "assistant" and any(one in write.address for one in self.desk):
            open_to = "A"
        if write.by_link or open_to is None:
            return re.compile("|".join(FAMILIES.values()))
        # Whoever enters players finds the public ones of all clubs.
        return re.compile("|".join(rf"{family}\d" for club, family in FAMILIES.items() if club != open_to))


def build() -> Hidden:
    world = build_world()
    paged = {pk for nook in (world.a, world.b) for pk in (nook.fact.winner_id, nook.fact.loser_id)}
    for number, player in enumerate(Player.objects.order_by("pk")):
        club = "B" if player.club_links.filter(club=world.b.club).exists() else "A"
        player.shown_as = "hidden" if number % 2 and player.pk not in paged else "short"
        public = player.listed and player.shown_as == "short"
        player.name = f"Zed{number} {FAMILIES[club]}{PUBLIC_MARK if public else ''}{number}"
        player.save()
    for entry in Entry.objects.prefetch_related("entry_players__player"):
        entry.name = team_name([row.player.name for row in entry.entry_players.all()])
        entry.save()
    running = world.a.running.event
    matches = Match.objects.filter(stage__division__event=running).values_list("public_id", flat=True)
    own = Player.objects.get(user__name="Petra Player")
    return Hidden(world, frozenset([running.public_id, *matches]), own.name)


@pytest.fixture(scope="module")
def hidden(django_db_setup: None, django_db_blocker: Any) -> Iterator[Hidden]:
    with kept(django_db_blocker, build) as made:
        yield made


@pytest.fixture(scope="module")
def world(hidden: Hidden) -> World:
    return hidden.world


def read(world: World, row: Row, visitor: str) -> str:
    with rolled_back():
        return text_of(ask(world.clients[visitor], address_of(row, world), row, world))


@pytest.mark.parametrize("visitor", OUTSIDE)
def test_nobody_is_named_in_public_who_does_not_want_to_be(world, visitor):
    turn = OUTSIDE.index(visitor)
    mine = [row for number, row in enumerate(ROWS) if in_full() or number % len(OUTSIDE) == turn]
    answers = {row.title: read(world, row, visitor).lower() for row in mine}
    told = {title for title, text in answers.items() if any(one.lower() in text for one in FAMILIES.values())}
    assert told == set()
    assert len(mine) > 50


def test_api_names_in_full_to_who_directs_or_helps_and_to_nobody_else(world):
    event, match, player = world.a.running.event, world.a.disputed, world.a.private
    about = {
        "entries": f"events/{event.public_id}/entries/",
        "bracket": f"events/{event.public_id}/bracket/",
        "matches": f"events/{event.public_id}/matches/",
        "match": f"matches/{match.public_id}/",
        "player": f"players/{player.public_id}/",
        "players": f"players/?club={world.a.club.public_id}",
    }
    named = {
        visitor: {
            what
            for what, where in about.items()
            if FAMILY in world.clients[visitor].get(f"/api/v1/{where}").content.decode()
        }
        for visitor in ("nobody", "stranger", "other", "reader", "assistant", "director", "owner")
    }
    of_event = {"entries", "bracket", "matches", "match"}
    nobody: set[str] = set()
    assert named == {
        "nobody": nobody,
        "stranger": nobody,
        "other": nobody,
        "reader": nobody,
        "assistant": of_event,
        "director": set(about),
        "owner": set(about),
    }


def test_expected_are_named_in_full_to_who_approves_them(world):
    with rolled_back():
        Entry.objects.filter(division__event=world.a.running.event).update(status="expected")
        address = f"/api/v1/events/{world.a.running.event.public_id}/expected/"
        for visitor in ("assistant", "director"):
            assert FAMILY in world.clients[visitor].get(address).content.decode()


def faults_of(hidden: Hidden, visitor: str, write: Write) -> list[str]:
    with rolled_back():
        client = hidden.world.clients[visitor]
        cookies = copy(client.cookies)
        answer = write.send(client)
        client.cookies = cookies  # nobody signs out with it, and no message waits for the next page
        told = text_of(answer)
    if visitor == "player" and not write.by_link:
        told = told.replace(hidden.own_name, "")
    found = hidden.from_visitor(visitor, write).search(told)
    said = told[max(found.start() - 20, 0) : found.end() + 10] if found is not None else ""
    return [f"{visitor}, {write.title}: {answer.status_code} says {said!r}"] if said else []


def test_answers_to_a_personal_link_name_players_as_in_the_hall(hidden: Hidden) -> None:
    visitors = VISITORS if in_full() else ["nobody"]
    faults = [
        fault
        for write in of_links(hidden.world)
        for visitor in visitors
        for fault in faults_of(hidden, visitor, write)
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("visitor", VISITORS)
def test_writes_of_a_visitor_are_answered_without_hidden_names(hidden: Hidden, visitor: str) -> None:
    rng = random.Random(VISITORS.index(visitor))
    writes = list(of_tables(hidden.world))
    pages = [row for row in TABLE if row.method == "get"]
    rng.shuffle(pages)
    forms: list[Write] = []
    for row in pages if in_full() else rng.sample(pages, SAMPLE):
        if len(forms) < FORMS:
            forms += of_forms(hidden.world.clients[visitor], row, hidden.world, rng)
    if not in_full():
        writes, forms = rng.sample(writes, SAMPLE), rng.sample(forms, min(SAMPLE, len(forms)))
    faults = []
    for number, write in enumerate([*writes, *forms]):
        if number % 20 == 0:
            cache.clear()  # whoever sends too much from one address is not answered
        faults += faults_of(hidden, visitor, write)
    assert not faults, "\n".join(faults)
    assert not in_full() or len(writes) + len(forms) >= 1000


def test_api_answers_changes_of_directors_and_helpers_with_full_names(hidden: Hidden) -> None:
    match = hidden.world.a.disputed
    claim = {"score_a": 5, "score_b": 2, "submission_key": "own-1"}
    report = Write("report", reverse("api:report", args=[match.public_id]), claim, "json")
    told = {}
    for visitor in ("director", "owner", "assistant", "stranger"):
        with rolled_back():
            told[visitor] = FAMILIES["A"] in text_of(report.send(hidden.world.clients[visitor]))
    assert told == {"director": True, "owner": True, "assistant": True, "stranger": False}


def an_evening(*names: str) -> Tournament:
    tournament = an_event(lengths=[5])
    add_entries(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        entries=[NewEntry(name=name) for name in names],
    )
    return tournament


@pytest.fixture
def tournament():
    return an_evening("Ann Archer", "Bo Baxter", "Cy Cooper", "Di Dexter")


def test_own_choice_is_obeyed_at_once_and_a_director_cannot_undo_it(tournament):
    player = Player.objects.get(name="Ann Archer")
    user = a_user("Ann Archer")
    Player.objects.filter(pk=player.pk).update(user=user)
    tournament.publish()
    page = f"/e/{tournament.event.public_id}/bracket/"
    assert "Ann Archer" in Client().get(page).content.decode()
    mine = Client()
    mine.force_login(user)
    assert "hidden" in mine.get("/account/privacy/").content.decode()
    answer = mine.post("/account/privacy/", {"shown_as": "hidden", "listed": "on"})
    assert answer.status_code == 302
    assert "Archer" not in Client().get(page).content.decode()
    assert "Player " in Client().get(page).content.decode()
    assert "Archer" in tournament_board(tournament)
    assert Client().get(f"/p/{player.public_id}/").status_code == 404
    director = Client()
    director.force_login(tournament.director)
    director.post(
        f"/clubs/{tournament.event.club.public_id}/players/{player.public_id}/",
        {"name": "Ann Archer", "shown_as": "full", "listed": "on"},
    )
    with rolled_back(), pytest.raises(Conflict):
        update_player(
            actor=Actor.of(tournament.director),
            club_id=tournament.event.club_id,
            player_id=player.pk,
            name="Ann Archer",
            shown_as="full",
        )
    assert Player.objects.get(pk=player.pk).shown_as == "hidden"
    assert mine.post("/account/privacy/", {"shown_as": "king"}).status_code == 422


def tournament_board(tournament: Any) -> str:
    director = Client()
    director.force_login(tournament.director)
    return director.get(f"/direct/events/{tournament.event.public_id}/entries/").content.decode()


def test_wall_and_paper_call_by_first_name_and_letter(tournament):
    for name in ("Ann Archer", "Bo Baxter"):
        player = Player.objects.get(name=name)
        player.shown_as, player.minor = ("hidden", False) if name == "Ann Archer" else ("full", True)
        player.save()
    tournament.publish()
    director = Client()
    director.force_login(tournament.director)
    screens = director.get(f"/direct/events/{tournament.event.public_id}/screens/").content.decode()
    key = re.search(r"hall=([\w.-]+)", screens)[1]
    wall = f"/e/{tournament.event.public_id}/hall/"
    by_key = Client().get(wall, {"hall": key, "show": "next,playing"}).content.decode()
    assert "Ann A." in by_key
    assert "Bo B." in by_key
    assert "Cy Cooper" in by_key
    for forged in ("", "x", key[:-1]):
        assert "Ann A" not in Client().get(wall, {"hall": forged}).content.decode()
    slips = director.get(f"/direct/events/{tournament.event.public_id}/print/slips/").content.decode()
    assert "Ann A." in slips
    assert "Archer" not in slips
    own = Client().get(f"/my/{entry_token(Entry.objects.get(name='Cy Cooper'))}/").content.decode()
    assert "Archer" not in own


def test_teams_name_each_member_as_they_want():
    names = ["Ann Archer", "Bo Baxter"]
    an_evening("Ann Archer")
    entry = Entry.objects.get(name="Ann Archer")
    Entry.objects.filter(pk=entry.pk).update(name=team_name(names))
    bo = Player.objects.create(name="Bo Baxter")
    EntryPlayer.objects.create(entry=entry, player=bo, division=entry.division, position=2)
    bo.shown_as = "short"
    bo.save()
    with override_audience(Audience.PUBLIC):
        assert Entry.objects.get(pk=entry.pk).name == "Ann Archer & Bo B."
        assert list(Entry.objects.filter(name__contains="Baxter")) == []
        assert set(Player.objects.filter(search_name__contains="baxter")) == set()


def test_names_that_were_read_for_others_are_never_written(tournament):
    player = Player.objects.get(name="Ann Archer")
    player.shown_as = "short"
    player.save()
    with override_audience(Audience.PUBLIC):
        read = Player.objects.get(pk=player.pk)
        assert read.name == "Ann A."
    with rolled_back(), pytest.raises(RuntimeError):
        read.save()
    assert Player.objects.get(pk=player.pk).name == "Ann Archer"


def test_objects_when_shown_to_others_than_they_were_read_for_then_named_for_who_reads(tournament):
    ann, tournament.club.shut = Player.objects.get(name="Ann Archer"), "hidden"
    ann.shown_as = "hidden"
    ann.save()
    tournament.club.save()
    entry, club = Entry.objects.get(name="Ann Archer"), Club.objects.get(pk=tournament.club.pk)
    loaded = {"entry": entry, "player": Player.objects.get(pk=ann.pk), "club": club}
    shown = {}
    for audience in (Audience.PUBLIC, Audience.HALL, Audience.FULL):
        with override_audience(audience):
            fresh = {what: type(one).objects.get(pk=one.pk).name for what, one in loaded.items()}
            shown[audience] = {what: one.name for what, one in loaded.items()}
            assert shown[audience] == fresh
    assert shown[Audience.HALL]["entry"] == "Ann A."
    with override_audience(Audience.PUBLIC):
        narrow = {what: type(one).objects.get(pk=one.pk) for what, one in loaded.items()}
    assert {what: one.name for what, one in narrow.items()} == shown[Audience.FULL]
    with override_audience(Audience.PUBLIC):
        made = Player.objects.create(name="Nia Newman", minor=True)
        assert made.name == "Nia N."
        made.country = "DE"
        made.save()
    stored = Player.objects.get(pk=made.pk)
    assert (stored.name, stored.search_name) == ("Nia Newman", "newman nia")


def test_refusal_that_names_a_player_when_read_by_others_then_by_the_name_they_may_read(tournament):
    ann = Player.objects.get(name="Ann Archer")
    ann.minor = True
    ann.save()
    with override_audience(Audience.HALL):
        with rolled_back(), pytest.raises(Conflict) as refused:
            request_player(user=a_user("Nosy"), player_id=ann.pk, club_id=tournament.club.pk)
        (fault,) = refused.value.faults
        told = [describe(fault), str(fault_detail(fault).params)]
    assert all("Ann A." in text for text in told)
    assert not any("Archer" in text for text in told)
    assert "Ann Archer" in describe(fault)


def test_objects_when_gone_from_the_database_then_shown_to_others_without_a_name(tournament):
    entry = Entry.objects.get(name="Ann Archer")
    Entry.objects.filter(pk=entry.pk).delete()
    with override_audience(Audience.PUBLIC):
        assert entry.name == "Hidden player"


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Omar Bakri", "Omar B."),
        ("Bakri, Omar", "Omar B."),
        ("Jean-Luc van der Berg", "Jean-Luc B."),
        ("Cher", "C."),
    ],
)
def test_short_names(name, short):
    assert short_name(name) == short


def test_leaving_the_lists_works_against_who_entered_somebody_before():
    at_home = an_evening("Ann Archer")
    ann = Player.objects.get(name="Ann Archer")
    stranger = a_director(a_club(), "Sly Stranger")
    club = stranger.memberships.get().club
    PlayerClub.objects.create(player=ann, club=club)  # as entering her in a draft did
    Player.objects.filter(pk=ann.pk).update(listed=False)
    seen = {}
    for user in (stranger, at_home.director):
        browser = Client()
        browser.force_login(user)
        seen[user.name] = browser.get(f"/p/{ann.public_id}/").status_code
    assert seen == {"Sly Stranger": 404, at_home.director.name: 200}
