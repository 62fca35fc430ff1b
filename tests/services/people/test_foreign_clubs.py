"""What other clubs write about a player (H3): nothing on the public page before the home club says yes, no merge without it."""

import pytest
from django.test import Client
from django.urls import reverse

from faults import Conflict, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry, Club, MergeRequest, Player
from people.selectors import page_clubs
from people.services.consents import set_consent
from people.services.federations import join_federation
from people.services.players import create_player
from rating.selectors import club_lists
from rating.services import update_list_ratings
from tests.factories import a_club, a_director, a_user, an_event
from tests.support.director import signed_in, words
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import add_entries
from tournaments.entries.services.merge_players import merge_players, undo_merge
from tournaments.entries.services.merge_requests import answer_merge, request_merge

pytestmark = pytest.mark.django_db


@pytest.fixture
def home():
    return an_event(2, name="Home Night").publish().play_out()


@pytest.fixture
def ann(home) -> Player:
    return Player.objects.get(name="Ann")


@pytest.fixture
def away(ann):
    """An event of a club that anybody may have founded a minute ago, with somebody else's player in it, played and rated."""
    tournament = an_event(0, name="Invented Night", club=a_club(name="Mallory BC"))
    entries = [NewEntry(player_id=ann.pk), NewEntry(name="Mallory")]
    add_entries(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        entries=entries,
    )
    tournament.publish().play_out()
    for rating_list in club_lists(tournament.club.pk):
        update_list_ratings(rating_list.pk)
    return tournament


def page_of(player: Player) -> str:
    return words(Client().get(reverse("public:player", args=[player.public_id])))


def api_lists(player: Player) -> list[str]:
    answer = Client().get(reverse("api:player", args=[player.public_id])).json()
    return [row["list"] for row in answer["ratings"]]


def consent(home, club: Club, *, given: bool = True) -> None:
    set_consent(actor=home.actor, club_id=home.club.pk, other_club_id=club.public_id, is_given=given)


def test_page_when_a_foreign_club_writes_on_it_then_nothing_shows_before_the_home_club_accepts(
    home, ann, away
):
    foreign = club_lists(away.club.pk)[0].public_id
    assert "Home Night" in page_of(ann)
    assert "Invented Night" not in page_of(ann)
    assert "Mallory" not in page_of(ann)
    assert foreign not in api_lists(ann)

    consent(home, away.club)
    assert "Invented Night" in page_of(ann)
    assert foreign in api_lists(ann)
    for club in (home.club, away.club):
        assert AuditEntry.objects.filter(club=club, action="consent.give").count() == 1

    consent(home, away.club, given=False)
    assert "Invented Night" not in page_of(ann)


def test_page_when_kept_by_a_browser_then_a_consent_makes_it_a_new_one(home, ann, away):
    url = reverse("public:player", args=[ann.public_id])
    client = Client()
    etag = client.get(url)["ETag"]
    assert client.get(url, headers={"if-none-match": etag}).status_code == 304
    consent(home, away.club)
    assert client.get(url, headers={"if-none-match": etag}).status_code == 200


def test_page_when_both_are_of_one_federation_or_it_is_accepted_then_shows(home, ann, away):
    owner = away.club.memberships.get(role="owner").user
    federation = a_club(owner, "Federation")
    join_federation(actor=Actor.of(owner), club_id=away.club.pk, parent_id=federation.pk)
    assert "Invented Night" not in page_of(ann)
    consent(home, federation)
    assert "Invented Night" in page_of(ann)
    consent(home, federation, given=False)
    Club.objects.filter(pk=home.club.pk).update(parent=federation)
    assert "Invented Night" in page_of(ann)


def test_page_when_nobody_is_home_then_the_club_that_knew_them_first_keeps_it(home, ann, away):
    Player.objects.filter(pk=ann.pk).update(home_club=None)
    assert "Home Night" in page_of(ann)
    assert "Invented Night" not in page_of(ann)
    assert [row.club for row in page_clubs(home.club)] == [away.club]
    assert page_clubs(away.club) == []
    consent(home, away.club)
    assert "Invented Night" in page_of(ann)


def test_page_when_the_player_says_otherwise_then_that_counts(home, ann, away):
    user = a_user()
    Player.objects.filter(pk=ann.pk).update(user=user)
    client, url = signed_in(user), reverse("account_page_consent")
    seen = Client().get(reverse("public:player", args=[ann.public_id]))["ETag"]

    def says(given: str, club: str = away.club.public_id) -> int:
        return client.post(url, {"club": club, "given": given}).status_code

    assert "Mallory BC" in words(client.get(reverse("account_privacy")))
    assert says("yes") == 302
    again = Client().get(reverse("public:player", args=[ann.public_id]), headers={"if-none-match": seen})
    assert again.status_code == 200
    assert "Invented Night" in page_of(ann)
    consent(home, away.club)
    says("no")
    assert "Invented Night" not in page_of(ann)
    assert club_lists(away.club.pk)[0].public_id not in api_lists(ann)
    says("")
    assert "Invented Night" in page_of(ann)  # as the home club says
    rows = AuditEntry.objects.filter(club=home.club, action__startswith="consent.own")
    assert rows.count() == 3
    assert "Invented Night" in page_of(ann)
    for odd in ("nosuchone", home.club.public_id, "", "\0"):
        assert says("yes", odd) == 404
    assert signed_in(a_user()).post(url, {"club": away.club.public_id, "given": "yes"}).status_code == 404


def test_consent_when_asked_by_a_stranger_or_for_no_club_then_refused(home, away):
    with pytest.raises(NotAllowed):
        set_consent(actor=away.actor, club_id=home.club.pk, other_club_id=away.club.public_id, is_given=True)
    for other in ("nosuchone", home.club.public_id, ""):
        with pytest.raises(Missing):
            set_consent(actor=home.actor, club_id=home.club.pk, other_club_id=other, is_given=True)


# --- merges ---


@pytest.fixture
def duplicate(away) -> Player:
    return create_player(actor=away.actor, club=away.club, name="Anne Ann")


def asks(away, ann: Player, duplicate: Player) -> MergeRequest:
    return request_merge(actor=away.actor, club_id=away.club.pk, keep_id=ann.pk, duplicate_id=duplicate.pk)


def test_merge_when_into_somebody_elses_player_then_refused_and_asked_for(home, ann, away, duplicate):
    with pytest.raises(NotAllowed) as refused:
        merge_players(actor=away.actor, club_id=away.club.pk, keep_id=ann.pk, duplicate_id=duplicate.pk)
    assert refused.value.code == "player.other_club"
    asked = asks(away, ann, duplicate)
    with pytest.raises(Conflict) as again:
        asks(away, ann, duplicate)
    assert again.value.code == "merge.asked_already"
    assert Player.objects.get(pk=duplicate.pk).merged_into is None
    for club in (home.club, away.club):
        assert AuditEntry.objects.filter(club=club, action="merge.ask").count() == 1
    with pytest.raises(Missing):
        answer_merge(actor=away.actor, club_id=away.club.pk, public_id=asked.public_id, accepts=True)


@pytest.mark.parametrize("undoer", ["home", "away"])
def test_merge_when_accepted_then_done_in_both_trails_and_either_takes_it_back(
    home, ann, away, duplicate, undoer
):
    asked = asks(away, ann, duplicate)
    answer_merge(actor=home.actor, club_id=home.club.pk, public_id=asked.public_id, accepts=True)
    assert Player.objects.get(pk=duplicate.pk).merged_into == ann
    merges = AuditEntry.objects.filter(action="player.merge")
    assert {row.club for row in merges} == {home.club, away.club}
    with pytest.raises(Conflict) as again:
        answer_merge(actor=home.actor, club_id=home.club.pk, public_id=asked.public_id, accepts=True)
    assert again.value.code == "merge.answered"

    tournament = {"home": home, "away": away}[undoer]
    undo_merge(
        actor=tournament.actor, club_id=tournament.club.pk, audit_id=merges.get(club=tournament.club).pk
    )
    assert Player.objects.get(pk=duplicate.pk).merged_into is None
    assert not merges.filter(undone_by=None).exists()
    assert {row.club for row in AuditEntry.objects.filter(action="player.undo_merge")} == {
        home.club,
        away.club,
    }


def test_merge_when_declined_then_nothing_moves_and_may_be_asked_again(home, ann, away, duplicate):
    asked = asks(away, ann, duplicate)
    answer_merge(actor=home.actor, club_id=home.club.pk, public_id=asked.public_id, accepts=False)
    assert Player.objects.get(pk=duplicate.pk).merged_into is None
    assert AuditEntry.objects.filter(action="merge.decline").count() == 2
    assert asks(away, ann, duplicate).pk != asked.pk


def test_merge_when_the_home_changed_meanwhile_then_nothing_is_merged(home, ann, away, duplicate):
    asked = asks(away, ann, duplicate)
    Player.objects.filter(pk=duplicate.pk).update(home_club=a_club(a_user()))
    with pytest.raises(Conflict) as caught:
        answer_merge(actor=home.actor, club_id=home.club.pk, public_id=asked.public_id, accepts=True)
    assert caught.value.code == "merge.changed"


def test_pages_when_a_merge_is_asked_for_then_the_keeper_is_told_and_answers(home, ann, away, duplicate):
    foreign = signed_in(a_director(away.club, "Mallory Director"))
    fields = {"keep": ann.public_id, "duplicate": duplicate.public_id}
    merge = reverse("director:merge", args=[away.club.public_id])
    assert f"Send request to {home.club.name}" in words(foreign.get(merge, fields))
    assert foreign.post(merge, {**fields, "ask": "yes"}).status_code == 302

    keeper = signed_in(home.director)
    players = words(keeper.get(reverse("people:players", args=[home.club.public_id])))
    assert "1 request to merge with one of your players." in players
    consents = reverse("director:consents", args=[home.club.public_id])
    page = words(keeper.get(consents))
    assert "Anne Ann → Ann" in page
    assert "has entered 1 of your players" in page
    assert (
        keeper.post(reverse("director:consent", args=[home.club.public_id]), {"club": away.club.public_id})[
            "Location"
        ]
        == consents
    )
    asked = MergeRequest.objects.get()
    answer = reverse("director:answer-merge", args=[home.club.public_id, asked.public_id])
    assert keeper.post(answer)["Location"] == consents
    assert Player.objects.get(pk=duplicate.pk).merged_into == ann
    for club, client in ((home.club, keeper), (away.club, foreign)):
        trail = words(client.get(reverse("people:audit", args=[club.public_id])))
        assert "Player Anne Ann merged into another player." in trail
        assert "asked" in trail
