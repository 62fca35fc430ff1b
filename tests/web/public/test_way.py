"""An entry's way through the event, on its own page and on the public one, and how two fared before."""

import pytest
from django.test import Client
from django.urls import reverse

from people.models import Player
from people.services.players import update_player
from tests.factories import an_event
from tests.support.rounds import publish_next
from tests.support.tournaments import opened, text_of
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import add_entries
from tournaments.selectors.access.links import entry_token

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def way(tournament, name):
    return Client().get(
        reverse("public:way", args=[tournament.event.public_id, tournament.entry(name).public_id])
    )


def own(tournament, name):
    return text_of(Client().get(reverse("player:home", args=[entry_token(tournament.entry(name))])))


def pairs(tournament):
    """Who plays whom in the first round, from the top."""
    return [
        tuple(tournament.entry_at(match, side).name for side in ("a", "b"))
        for match in sorted(tournament.playable(), key=lambda match: match.number)
    ]


def test_way_tells_what_was_what_is_next_and_what_can_follow():
    tournament = an_event(entries=8).publish()
    (a, b), (c, d), *_rest = pairs(tournament)
    length = tournament.playable()[0].length
    tournament.beats(a, b, length, 2)
    text = text_of(way(tournament, a))
    assert f"Quarterfinal: won {length}–2 against {b}" in text
    assert f"Next: Semifinal against the winner of {c} – {d}" in text
    assert "After a win: Final" in text
    assert "After a loss: eliminated." in text
    lost = text_of(way(tournament, b))
    assert f"Quarterfinal: lost 2–{length} to {a}" in lost
    assert "Next" not in lost
    assert f"Next: Semifinal against the winner of {c} – {d}" in own(tournament, a)
    tournament.beats(c, d, length, 1)
    assert f"Next: Semifinal against {c}" in text_of(way(tournament, a))


def test_way_in_a_round_robin_tells_its_rounds_and_draws_are_secret_until_published():
    tournament = an_event(entries=4, system="round_robin")
    assert way(tournament, "Ann").status_code == 404  # a draft
    assert "No matches yet" in text_of(way(opened(tournament), "Ann"))
    publish_next(tournament)
    first = tournament.playable()[0]
    a, b = (tournament.entry_at(first, side).name for side in ("a", "b"))
    tournament.beats(a, b, first.length, 0)
    text = text_of(way(tournament, a))
    assert f"won {first.length}–0 against {b}" in text
    assert "After a loss: eliminated" not in text


def test_earlier_matches_of_the_two_stand_on_the_own_page_as_long_as_both_are_public():
    before = an_event(entries=2, name="Summer Cup").publish()
    before.beats("Ann", "Bob", before.playable()[0].length, 4)
    tournament = an_event(entries=0, club=before.club)
    add_entries(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        entries=[NewEntry(player_id=Player.objects.get(name=name).pk) for name in ("Ann", "Bob")],
    )
    tournament.publish()
    text = own(tournament, "Ann")
    assert "Earlier matches against Bob" in text
    assert "You won: 1. Bob won: 0." in text
    assert "Summer Cup" in text
    bob = Player.objects.get(name="Bob")
    update_player(actor=before.actor, player_id=bob.pk, club_id=before.club.pk, name="Bob", listed=False)
    assert "Summer Cup" not in own(tournament, "Ann")


def test_entries_are_opened_at_a_letter_of_any_word_of_the_name():
    tournament = an_event(entries=4).publish()
    found = Client().get(reverse("public:entries", args=[tournament.event.public_id]) + "?letter=B")
    assert "Bob" in text_of(found)
    assert "Ann" not in text_of(found)
    nobody = Client().get(reverse("public:entries", args=[tournament.event.public_id]) + "?letter=%C3%9F%00")
    assert "No player found" in text_of(nobody)
