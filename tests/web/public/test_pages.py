"""What visitors find on the public pages."""

import itertools
import re
from datetime import date, time, timedelta
from hashlib import sha256

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people.models import Player
from people.services.players import update_player
from rating.models import RatingList
from rating.services import update_list_ratings
from tests.factories import a_user, an_event
from tests.support.tournaments import first_match, opened, signed_in, text_of
from tournaments.engine.statuses import EventAction, MatchAction
from tournaments.entries.services.entries import set_seeds, withdraw_entry
from tournaments.entries.services.merge_players import merge_players
from tournaments.events.services.events import change_event_status, set_registration
from tournaments.hall.services.calling import move_match
from tournaments.models import Division, Event, Match

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def page(name, public_id, query="", client=None):
    return (client or Client()).get(reverse(f"public:{name}", args=[public_id]) + query)


def test_home_lists_events_by_where_they_stand(clock):
    running = an_event(entries=4, name="Autumn Cup").publish()
    today = timezone.now().date()
    opened(
        an_event(
            club=running.club,
            name="Club Night",
            starts_on=today + timedelta(days=3),
            ends_on=today + timedelta(days=3),
        )
    )
    opened(
        an_event(
            club=running.club,
            name="Winter Night",
            starts_on=today + timedelta(days=8),
            ends_on=today + timedelta(days=9),
        )
    )
    over = an_event(entries=2, club=running.club, name="Summer Cup").publish().play_out()
    page = Client().get("/")
    text = text_of(page)
    order = (
        "Live now",
        "Autumn Cup",
        "Next 7 days",
        "Club Night",
        "Coming up",
        "Winter Night",
        "Recent winners",
        "Summer Cup",
    )
    assert [text.index(words) for words in order] == sorted(text.index(words) for words in order)
    final = Match.objects.get(stage__division__event=over.event)
    assert f"{over.entry_at(final, final.winner_side).name} Summer Cup" in text
    clock.moves(days=2)
    again = Client().get("/", headers={"If-None-Match": page["ETag"]})
    assert again.status_code == 200
    assert "Coming up" not in text_of(again)


def test_home_tells_places_and_leads_to_the_form():
    tournament = opened(an_event(entries=6, name="Winter Night", opens_at=time(11)))
    assert "Details : Winter Night" in text_of(Client().get("/"))
    Division.objects.filter(pk=tournament.division.pk).update(capacity=8)
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    page = Client().get("/")
    assert "2 places left" in text_of(page)
    assert reverse("public:enter", args=[tournament.event.public_id]) in page.content.decode()


def test_event_when_open_then_it_says_how_it_is_played_and_that_the_draw_is_not_out():
    tournament = opened(
        an_event(
            entries=13,
            place="Old Customs House",
            timezone="Europe/Helsinki",
            starts_on=date(2026, 11, 20),
            ends_on=date(2026, 11, 21),
        )
    )
    text = text_of(page("event", tournament.event.public_id))
    for words in (
        "20–21 November 2026",
        "Old Customs House",
        "Europe/Helsinki",
        "Single elimination",
        "Doubling cube, Crawford rule, no Jacoby, no beavers",
        "Last 16 5 points Quarterfinal 5 points Semifinal 7 points Final 9 points",
        "Blind draw",
        "How the draw will be made",
        "Online entry is not open",
    ):
        assert words in text
    assert "Seed" not in text
    assert "The draw is not public yet" not in text
    assert reverse("public:bracket", args=[tournament.event.public_id]) not in text


def test_event_when_running_then_it_shows_tables_progress_and_the_seed_with_how_to_replay_it():
    tournament = an_event(entries=8).publish(seed=4815162342)
    match = first_match(tournament)
    move_match(
        actor=tournament.actor, event_id=tournament.event.pk, match_id=match.pk, action=MatchAction.START
    )
    tournament.settle(tournament.playable()[-1], "a", 2)
    text = text_of(page("event", tournament.event.public_id))
    for words in (
        "Running",
        "1 of 7 played",
        "Now playing 1",
        "Next calls",
        "Just finished",
        "Table 1",
        "Playing",
        "4815162342",
        "Still in",
    ):
        assert words in text
    assert "crawford-chance-1|blind draw|4815162342|0" in text


def test_draw_can_be_replayed_by_the_steps_that_the_page_tells():
    """Written out as the page says it, without a line of our own draw: the same opponents must come out."""
    tournament = an_event(entries=8).publish(seed=20261121)
    text = text_of(page("event", tournament.event.public_id))
    words = re.search(r"SHA-256 of “([^”]+)\|0”", text)[1]
    entries = page("entries", tournament.event.public_id).content.decode()
    rows = re.findall(r'<tr data-key="entry-.*?>([^<>]+)</a></th>.*?is-wide-only">(\d+)</td></tr>', entries)
    names = [name for _number, name in sorted((int(number), name) for name, number in rows)]

    def numbers():
        for block in itertools.count():
            digest = sha256(f"{words}|{block}".encode()).digest()
            yield from (int.from_bytes(digest[i : i + 8], "big") for i in range(0, 32, 8))

    chance = numbers()
    for last in range(len(names) - 1, 0, -1):
        other = next(chance) % (last + 1)
        names[last], names[other] = names[other], names[last]
    pairs = {frozenset((names[seed - 1], names[8 - seed])) for seed in range(1, 5)}
    drawn = {
        frozenset(match.slots.values_list("entry__name", flat=True))
        for match in Match.objects.filter(round__number=1)
    }
    assert pairs == drawn


def test_event_when_finished_then_it_shows_the_winner_and_every_place():
    tournament = an_event(entries=4).publish().play_out()
    winner = tournament.entry_at(
        Match.objects.get(round__code="final"), Match.objects.get(round__code="final").winner_side
    )
    text = text_of(page("event", tournament.event.public_id))
    assert f"Winner {winner.name}" in text
    assert text.count("3–4") == 2
    assert "Now playing" not in text


def test_event_when_cancelled_then_it_says_so():
    tournament = opened(an_event(entries=2))
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.CANCEL)
    assert "This event is cancelled" in text_of(page("event", tournament.event.public_id))


def test_bracket_when_published_then_every_entry_stands_in_it():
    tournament = an_event(entries=11).publish()
    response = page("bracket", tournament.event.public_id)
    text = text_of(response)
    for entry in tournament.division.entries.all():
        assert entry.name in text
    assert text.count("Winner of") == 9
    assert text_of(page("bracket", tournament.event.public_id)) == text


@pytest.mark.parametrize(
    ("entries", "first_round"), [(2, "Final"), (3, "Semifinal"), (9, "Last 16"), (33, "Last 64")]
)
def test_pages_of_every_size_are_drawn_before_and_after_play(entries, first_round):
    tournament = an_event(entries=entries).publish()
    for _state in ("begun", "over"):
        for name in ("event", "bracket", "entries"):
            response = page(name, tournament.event.public_id)
            assert response.status_code == 200
        assert first_round in text_of(page("bracket", tournament.event.public_id))
        tournament.play_out()
    assert "Winner" in text_of(page("bracket", tournament.event.public_id))


def test_entries_when_seeded_then_they_stand_in_the_order_of_their_seeds():

    tournament = opened(an_event(entries=4, draw_method="seeded"))
    set_seeds(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        seeds={tournament.entry("Dan").pk: 1, tournament.entry("Cleo").pk: 2},
    )
    withdraw_entry(actor=tournament.actor, event_id=tournament.event.pk, entry_id=tournament.entry("Bob").pk)
    text = text_of(page("entries", tournament.event.public_id))
    assert (
        text.index("Dan")
        < text.index("Cleo")
        < text.index("Ann")
        < text.index("Withdrawn")
        < text.index("Bob")
    )


def test_match_when_reported_then_the_claim_shows_but_no_note():
    tournament = an_event(entries=2).publish()
    tournament.says(first_match(tournament), "a", 9, 4, note="He was late")
    text = text_of(page("match", Match.objects.get().public_id))
    assert "Reported as 9–4. The result counts once it is confirmed." in text
    assert "He was late" not in text


def test_match_when_disputed_then_no_side_s_claim_is_told():
    tournament = an_event(entries=2).publish()
    tournament.says(first_match(tournament), "a", 9, 4)
    tournament.says(first_match(tournament), "b", 3, 9)
    text = text_of(page("match", Match.objects.get().public_id))
    assert "The director decides" in text
    assert "9–4" not in text
    assert "3–9" not in text


def test_match_when_confirmed_and_rated_then_it_shows_what_it_did_to_both():
    tournament = an_event(entries=2, lengths=[7]).publish()
    tournament.settle(first_match(tournament), "a", 4)
    update_list_ratings(RatingList.objects.get().pk)
    text = text_of(page("match", Match.objects.get().public_id))
    assert "1500.00 → 1526.46" in text
    assert "+26.46" in text
    assert "−26.46" in text


def test_player_page_shows_events_with_places_and_matches_with_their_change():
    tournament = an_event(entries=2, lengths=[7], name="Autumn Cup").publish()
    tournament.beats("Ann", "Bob", 7, 4)
    update_list_ratings(RatingList.objects.get().pk)
    text = text_of(page("player", Player.objects.get(name="Ann").public_id))
    for words in ("Autumn Cup", "Bob", "7 – 4", "+26.46", "Place 1", "1526.46"):
        assert words in text


def test_player_page_when_the_event_is_unlisted_then_it_is_not_told():
    tournament = an_event(entries=2, name="Secret Cup", visibility="unlisted").publish().with_public_pages()
    tournament.play_out()
    text = text_of(page("player", Player.objects.get(name="Ann").public_id))
    assert "Secret Cup" not in text
    assert "No matches yet" in text


def test_player_page_when_merged_then_the_old_address_leads_to_the_new_one():
    tournament = an_event(entries=1)
    other = an_event(club=tournament.club, entries=2).with_public_pages()
    keep, gone = Player.objects.get(name="Bob"), Player.objects.filter(name="Ann").first()
    merge_players(actor=other.actor, club_id=tournament.club.pk, keep_id=keep.pk, duplicate_id=gone.pk)
    response = page("player", gone.public_id)
    assert response.status_code == 302
    assert response["Location"] == reverse("public:player", args=[keep.public_id])


def test_player_who_is_not_listed_has_no_page_and_no_link_but_stands_in_the_draw():
    tournament = an_event(entries=2).publish()
    ann = Player.objects.get(name="Ann")
    update_player(
        actor=tournament.actor, club_id=tournament.club.pk, player_id=ann.pk, name="Ann", listed=False
    )
    assert page("player", ann.public_id).status_code == 404
    assert page("player", ann.public_id, client=signed_in(tournament.director)).status_code == 200
    for name in ("event", "bracket", "entries"):
        response = page(name, tournament.event.public_id)
        assert "Ann" in text_of(response)
        assert ann.public_id not in response.content.decode()
    club_page = page("club-players", tournament.club.public_id)
    assert "Ann" not in text_of(club_page)


def test_club_players_can_be_looked_up_by_any_part_of_the_name():
    tournament = an_event(entries=20).with_public_pages()
    text = text_of(page("club-players", tournament.club.public_id, "?q=ann+2"))
    assert "Ann 2" in text
    assert "Bob" not in text
    assert "No player found" in text_of(page("club-players", tournament.club.public_id, "?q=zebra"))


def test_way_to_direct_is_hidden_and_me_json_tells_for_whom_it_is_shown():
    tournament = an_event(entries=2).publish()
    html = page("event", tournament.event.public_id).content.decode()
    assert (
        f'data-directs="{tournament.club.public_id}" hidden href="/direct/events/{tournament.event.public_id}/"'
        in html
    )

    def me_of(client):
        answer = client.get(reverse("player:me-json"))
        assert answer["Cache-Control"] == "private, no-store"
        return answer.json()

    me = me_of(signed_in(tournament.director))
    assert (me["signed_in"], me["name"], me["directs"]) == (
        True,
        tournament.director.name,
        [tournament.club.public_id],
    )
    assert len(me["token"]) > 32
    stranger = an_event().director
    assert tournament.club.public_id not in me_of(signed_in(stranger))["directs"]
    assert (me["entries"], me_of(signed_in(stranger))["entries"]) == ([], [])
    Player.objects.filter(name="Ann").update(user=stranger)
    Player.objects.filter(name="Bob").update(guardian=stranger, minor=True)
    own = me_of(signed_in(stranger))
    assert own["entries"] == [tournament.entry(name).public_id for name in ("Bob", "Ann")]
    assert own["events"] == [tournament.event.public_id]
    nobody = Client()
    assert me_of(nobody) == {"signed_in": False}
    assert not nobody.cookies


def test_sign_in_and_out_bring_and_take_the_word_that_there_is_a_session():
    """Scripts cannot see the session's cookie; without one no page asks who is signed in."""
    client = Client()
    page("event", an_event(entries=2).publish().event.public_id, client=client)
    assert "crawford_in" not in client.cookies
    client.force_login(a_user("Ann"))
    client.get(reverse("player:me"))
    assert client.cookies["crawford_in"].value == "1"
    client.post(reverse("account_logout"))
    assert client.cookies["crawford_in"].value == ""


def test_unlisted_event_is_open_to_who_has_its_address_and_closed_to_search_engines():
    tournament = an_event(entries=2, visibility="unlisted").publish()
    for name in ("event", "bracket", "entries"):
        response = page(name, tournament.event.public_id)
        assert response.status_code == 200
        assert response["X-Robots-Tag"] == "noindex"
        assert '<meta name="robots" content="noindex">' in response.content.decode()
    assert page("match", Match.objects.get().public_id)["X-Robots-Tag"] == "noindex"


def test_projector_view_is_the_same_page_without_the_frame():
    tournament = an_event(entries=4).publish()
    response = page("event", tournament.event.public_id, "?view=hall")
    assert 'class="is-hall' in response.content.decode()
    assert "Next calls" in text_of(response)


def test_pages_tell_messengers_what_they_are_about():
    tournament = an_event(entries=2, name="Autumn Cup", place="Old Customs House").publish()
    html = page("event", tournament.event.public_id).content.decode()
    assert '<meta property="og:title" content="Autumn Cup">' in html
    assert "Old Customs House" in html.split('property="og:description" content="')[1].split('"')[0]
    assert f'<link rel="canonical" href="http://testserver/e/{tournament.event.public_id}/">' in html


@pytest.mark.parametrize("name", ["club", "event", "bracket", "entries", "match", "player"])
def test_pages_when_there_is_no_such_thing_then_404(name):
    assert page(name, "0000000000zz").status_code == 404


def test_pages_are_for_reading_only():
    tournament = an_event(entries=2).publish()
    url = reverse("public:event", args=[tournament.event.public_id])
    assert Client().post(url).status_code == 405
    assert Client().head(url).status_code == 200


def listed(name, query=""):
    return Client().get(reverse(f"public:{name}") + query)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["Autumn Cup", "Spring Cup"]),
        ("?status=running", ["Autumn Cup"]),
        ("?status=odd", ["Autumn Cup", "Spring Cup"]),
        ("?q=customs+AUTUMN", ["Autumn Cup"]),
        ("?q=c%C3%BCstoms+%C3%81utumn", ["Autumn Cup"]),
        ("?q=.", ["No events found"]),
        ("?club={club}&q=cup", ["Spring Cup"]),
        ("?q=zebra", ["No events found"]),
        ("?page=9999999999", ["Autumn Cup", "Spring Cup"]),
        ("?page=99999999", ["Autumn Cup", "Spring Cup"]),
    ],
)
def test_all_events_are_found_by_state_club_and_words(query, found):
    tournament = an_event(entries=2, name="Autumn Cup", place="Old Customs House").publish()
    Event.objects.filter(pk=tournament.event.pk).update(status="running")
    other = opened(an_event(name="Spring Cup"))
    an_event(name="Hidden draft", club=other.club)
    answer = listed("events", query.format(club=other.club.public_id))
    text = text_of(answer)
    assert [
        name for name in ("Autumn Cup", "Spring Cup", "Hidden draft", "No events found") if name in text
    ] == found
    again = Client().get(
        answer.request["PATH_INFO"] + "?" + answer.request["QUERY_STRING"],
        headers={"If-None-Match": answer["ETag"]},
    )
    assert again.status_code == 304


def test_events_of_a_club_that_is_not_there_are_a_404():
    assert listed("events", "?club=0000000000zz").status_code == 404


def test_clubs_are_found_by_name_and_town():
    tournament = an_event()
    assert tournament.club.name in text_of(listed("clubs", f"?q={tournament.club.name.split()[-1]}"))
    assert tournament.club.name in text_of(
        listed("clubs", f"?q={tournament.club.name.split()[-1].upper()}\u0301")
    )
    assert "No clubs found" in text_of(listed("clubs", "?q=zebra"))
