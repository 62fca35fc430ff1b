"""The overview of an event: how to enter it while it is open, rows of matches while it runs."""

import re
from datetime import time, timedelta
from decimal import Decimal

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people.models import Player
from tests.factories import an_event
from tests.support.rounds import publish_next
from tests.support.tournaments import first_match, opened, text_of
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.standings.prizes import prizes_from_amounts
from tournaments.engine.statuses import EventAction, MatchAction
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.events import change_event_status, set_registration
from tournaments.events.services.stages import StageDetails
from tournaments.hall.services.calling import move_match
from tournaments.hall.services.forecasts import update_forecast
from tournaments.models import Division, Match
from tournaments.selectors.access.links import join_token

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def shown(tournament, name="event", query=""):
    return Client().get(reverse(f"public:{name}", args=[tournament.event.public_id]) + query)


def taking_entries(entries=3, **changes):
    """An event of one division that players can enter, with eight places."""
    tournament = opened(an_event(entries=entries, **changes))
    Division.objects.filter(pk=tournament.division.pk).update(capacity=8)
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    return tournament


def test_open_event_says_when_where_how_many_places_and_leads_to_the_form():
    tournament = taking_entries(
        place="Old Customs House", opens_at=time(11), prizes=prizes_from_amounts((50, 20, 20)), lengths=[5, 7]
    )
    Division.objects.filter(pk=tournament.division.pk).update(
        entries_until=timezone.now().replace(hour=20, minute=0) + timedelta(days=2)
    )
    page = shown(tournament)
    text = text_of(page)
    for words in (
        "Open for entries",
        "First match 11:00",
        "Old Customs House",
        "5 of 8 places left",
        "Entries close ",
        "Single elimination to 5, final to 7",
        "2–3 20 each",
        "11:00 First match",
        "Players 3",
    ):
        assert words in text
    assert "openstreetmap.org/search?query=Old+Customs+House" in page.content.decode()
    enter = reverse("public:enter", args=[tournament.event.public_id])
    assert f'href="{enter}"' in page.content.decode()
    token = join_token(tournament.fresh())
    assert token not in page.content.decode()
    answer = Client().get(enter)
    assert answer["Location"] == reverse("player:join", args=[token])
    assert "no-store" in answer["Cache-Control"]


def test_open_event_when_it_takes_no_entries_then_the_club_is_asked():
    tournament = opened(an_event(entries=2))
    assert "Online entry is not open" in text_of(shown(tournament))
    answer = shown(tournament, "enter")
    assert answer["Location"] == reverse("public:event", args=[tournament.event.public_id])


def test_open_event_when_unlisted_then_its_page_names_no_way_in():
    tournament = taking_entries(visibility="unlisted")
    assert "Enter with the link from your director" in text_of(shown(tournament))
    assert shown(tournament, "enter")["Location"] == reverse(
        "public:event", args=[tournament.event.public_id]
    )


def test_open_event_when_full_then_there_is_a_waiting_list():
    tournament = taking_entries(entries=8)
    text = text_of(shown(tournament))
    assert "0 of 8 places left" in text
    assert "Join the waiting list" in text


def test_open_event_when_the_closing_time_passes_then_the_page_is_new_and_nobody_enters(clock):
    tournament = taking_entries()
    Division.objects.filter(pk=tournament.division.pk).update(
        entries_until=timezone.now() + timedelta(minutes=5)
    )
    page = shown(tournament)
    assert "5 of 8 places left" in text_of(page)
    clock.moves(minutes=6)
    again = Client().get(
        reverse("public:event", args=[tournament.event.public_id]), headers={"If-None-Match": page["ETag"]}
    )
    assert again.status_code == 200
    assert "Online entry is not open" in text_of(again)


def test_open_event_of_several_divisions_has_a_line_for_each():
    tournament = taking_entries()
    side = add_division(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division=DivisionDetails(
            name="Side",
            capacity=4,
            stages=(
                StageDetails(
                    system="swiss",
                    swiss=SwissSettings(rounds=4),
                    lengths=[3],
                    prizes=prizes_from_amounts((Decimal(30),)),
                ),
            ),
        ),
        first_name="Main",
    )
    add_entries(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=side.pk,
        entries=[NewEntry(name="Una")],
    )
    page = shown(tournament)
    text = text_of(page)
    assert "8 of 12 places left" in text
    assert "Swiss, 4 rounds to 3 3 of 4 left" in text
    for division in tournament.event.divisions.all():
        assert page.content.decode().count(f'id="division-{division.pk}"') == 1


def test_open_event_shows_countries_of_listed_players_alone():
    tournament = opened(an_event(entries=2))
    Player.objects.filter(name="Ann").update(country="FI", listed=True)
    Player.objects.filter(name="Bob").update(country="SE", listed=False)
    cache.clear()
    html = shown(tournament).content.decode()
    assert '<span class="country">FI</span>' in html
    assert '<span class="country">SE</span>' not in html


def test_running_event_has_rows_for_who_plays_who_is_next_and_what_has_ended():
    today = timezone.now().date()
    tournament = an_event(entries=8, starts_on=today, ends_on=today, tables=8).publish()
    match = first_match(tournament)
    at = {"actor": tournament.actor, "event_id": tournament.event.pk, "match_id": match.pk}
    move_match(**at, action=MatchAction.CALL)
    text = text_of(shown(tournament))
    assert "Next calls 4" in text
    assert f"Called {timezone.now():%H:%M}" in text
    move_match(**at, action=MatchAction.START)
    walkover = tournament.playable()[-1]
    tournament.says(walkover, None, walkover.length, 0, kind="walkover", winner="a")
    update_forecast(event_id=tournament.event.pk)
    text = text_of(shown(tournament))
    a, b = (tournament.entry_at(match, side).name for side in "ab")
    assert f"Now playing 1 Table 1 {a} v. {b} Quarterfinal, to 5 QF, to 5" in text
    assert "Next calls 2" in text
    assert "about " in text
    winner, loser = (tournament.entry_at(walkover, side).name for side in "ab")
    assert f"{winner} beat {loser}" in text
    assert "Quarterfinal, walkover" in text
    assert "Still in 7 of 8 Semifinal 1 " in text


def test_swiss_begins_with_its_table_and_shows_one_round_at_a_time():
    tournament = an_event(entries=6, system="swiss", swiss=SwissSettings(rounds=3), lengths=[3])
    publish_next(tournament)
    for match in tournament.playable():
        tournament.settle(match, "a", 1)
    publish_next(tournament)
    text = text_of(shown(tournament))
    assert text.index("Standings, 2 rounds paired") < text.index("Next calls")
    last, first = shown(tournament, "bracket"), shown(tournament, "bracket", "?round=1")
    assert (
        last.content.decode().count('class="pairing"'),
        first.content.decode().count('class="pairing"'),
    ) == (3, 3)
    assert "Confirmed" not in text_of(first)
    assert 'href="?round=1" aria-current="page"' in first.content.decode()
    assert 'href="?round=2" aria-current="page"' in last.content.decode()
    for odd in ("0", "3", "x", "-1"):
        assert text_of(shown(tournament, "bracket", f"?round={odd}")) == text_of(last)


def test_match_is_headed_by_its_players():
    tournament = an_event(entries=4).publish()
    match = first_match(tournament)
    a, b = (tournament.entry_at(match, side).name for side in "ab")
    html = Client().get(reverse("public:match", args=[match.public_id])).content.decode()
    assert f"<h1>{a} – {b}</h1>" in html
    assert Match.objects.get(pk=match.pk).round.code == "semifinal"


def test_match_of_pairs_lists_the_members_of_both():
    tournament = an_event()
    Division.objects.filter(pk=tournament.division.pk).update(team_size=2)
    pairs = [
        NewEntry(name=name, partners=(NewEntry(name=partner),), team=team)
        for name, partner, team in (("Ann", "Bob", "Anchors"), ("Cleo", "Dan", "Bar points"))
    ]
    add_entries(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        entries=pairs,
    )
    tournament.publish()
    text = text_of(Client().get(reverse("public:match", args=[first_match(tournament).public_id])))
    assert "Anchors" in text
    assert all(name in text for name in ("Ann", "Bob", "Cleo", "Dan"))


def test_display_of_an_event_before_its_draw_says_when_and_where():
    tournament = opened(an_event(entries=2, place="Old Customs House"))
    text = text_of(shown(tournament, query="?view=hall"))
    assert "Old Customs House" in text
    assert "The draw is not public yet" in text


def test_unlisted_event_when_the_closing_time_has_passed_then_not_open_for_entries(clock):
    tournament = taking_entries(visibility="unlisted")
    Division.objects.filter(pk=tournament.division.pk).update(
        entries_until=timezone.now() - timedelta(minutes=1)
    )
    text = text_of(shown(tournament))
    assert "Enter with the link" not in text
    assert "Online entry is not open" in text


def test_now_playing_when_there_are_more_than_rows_then_all_are_counted_and_the_others_are_a_link():
    today = timezone.now().date()
    tournament = an_event(entries=32, starts_on=today, ends_on=today, tables=16).publish()
    for match in tournament.playable():
        at = {"actor": tournament.actor, "event_id": tournament.event.pk, "match_id": match.pk}
        move_match(**at, action=MatchAction.CALL)
        move_match(**at, action=MatchAction.START)
    text = text_of(shown(tournament))
    assert "Now playing 16" in text
    assert "4 more matches" in text


def test_front_page_when_an_event_is_cancelled_then_it_pushes_no_winner_away_and_the_club_page_says_so():
    tournament = an_event(entries=2, lengths=[5]).publish().play_out()
    final = Match.objects.get()
    winner = tournament.entry_at(final, final.winner_side)
    for number in range(4):
        later = opened(
            an_event(entries=2, club=tournament.club, director=tournament.director, name=f"Off {number}")
        )
        change_event_status(actor=tournament.actor, event_id=later.event.pk, action=EventAction.CANCEL)
    assert winner.name in text_of(Client().get("/"))
    club = text_of(Client().get(reverse("public:club", args=[tournament.club.public_id])))
    assert "Cancelled" in club
    assert f"Winner: {winner.name}" in club


def test_front_and_club_page_when_entries_close_then_they_are_new(clock):
    tournament = taking_entries()
    Division.objects.filter(pk=tournament.division.pk).update(
        entries_until=timezone.now() + timedelta(minutes=5)
    )
    pages = ["/", reverse("public:club", args=[tournament.club.public_id])]
    tags = {}
    for page in pages:
        answer = Client().get(page)
        assert "5 places left" in text_of(answer)
        tags[page] = answer["ETag"]
    clock.moves(minutes=6)
    for page in pages:
        again = Client().get(page, headers={"If-None-Match": tags[page]})
        assert again.status_code == 200
        assert "places left" not in text_of(again)


def test_front_page_when_an_open_event_is_past_then_it_is_not_to_come():
    day = timezone.now().date() - timedelta(days=3)
    tournament = opened(an_event(entries=2, name="Yesterday’s news", starts_on=day, ends_on=day))
    assert tournament.event.name not in text_of(Client().get("/"))


def test_page_that_does_not_exist_marks_no_place_of_the_header():
    page = Client().get("/en/nowhere-at-all/").content.decode()
    assert "aria-current" not in page.partition("<main")[0]


def test_name_of_a_player_still_in_leads_to_what_they_play_next_and_when():
    today = timezone.now().date()
    tournament = an_event(entries=8, starts_on=today, ends_on=today, tables=8, lengths=[5]).publish()
    match = first_match(tournament)
    entry = tournament.entry_at(match, "a")
    update_forecast(event_id=tournament.event.pk)
    path = reverse("public:way", args=[tournament.event.public_id, entry.public_id])
    assert f'href="{path}"' in shown(tournament).content.decode()
    assert f'href="{path}"' in shown(tournament, "entries").content.decode()
    other = tournament.entry_at(match, "b").name
    page = Client().get(path)
    assert re.search(rf"Next: Quarterfinal against {other}, about \d\d:\d\d", text_of(page))
    assert Client().get(path, headers={"If-None-Match": page["ETag"]}).status_code == 304
