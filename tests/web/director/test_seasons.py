"""The director's pages of a league: what is open, matches nobody played, the next season looked at and made."""

from datetime import date, timedelta

import pytest
from django.urls import reverse

from tests.factories import an_event
from tests.support.director import Desk, signed_in, words
from tests.support.leagues import DAY, a_league, with_tie_breaks
from tournaments.engine.statuses import EventStatus
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def desk_of(league):
    return Desk(league, signed_in(league.director))


def form(league, **changes):
    """The form of the next season as its page would send it."""
    return {
        "name": "League 2027",
        "starts_on": DAY.replace(year=DAY.year + 1).isoformat(),
        "ends_on": DAY.replace(year=DAY.year + 1).isoformat(),
        "newcomers": "",
        "moving-1": "1",
        "do": "look",
        **changes,
    }


def test_season_page_when_the_season_runs_then_it_says_what_is_open():
    league = a_league("abcd", "efgh")
    desk = desk_of(league)
    page = words(desk.get("season"))
    assert "Division 1: not drawn yet" in page
    league.next_rounds()
    page = words(desk.get("season"))
    assert "Division 1: 2 rounds are not published yet" in page
    assert "4 matches have no result" in page
    assert "Unplayed matches" in page
    assert "Next season" not in page


def test_season_page_when_saved_then_so_many_move():
    league = a_league("abcd", "efgh", moving=0)
    desk = desk_of(league)
    assert desk.post("season", **{"moving-1": "2"}).status_code == 302
    assert league.division("Division 1").moving == 2
    for odd in ("-1", "x", "", "51", "9" * 30):
        assert desk.post("season", **{"moving-1": odd}).status_code == 422
    assert league.division("Division 1").moving == 2
    assert "Number of promoted and relegated players changed." in words(desk.get("audit"))


def test_season_page_when_over_then_it_leads_to_the_next_season():
    league = a_league("abc", "def").play_out()
    desk = desk_of(league)
    assert "Next season" in words(desk.get("season"))
    assert "create the next season" in words(desk.get("event"))


def test_unplayed_page_when_choices_are_sent_then_they_are_recorded_together():
    league = a_league("abcd", "efgh")
    league.next_rounds()
    late = league.stages()[0].rounds.get()
    late.deadline = DAY
    late.save()
    desk = desk_of(league)
    page = desk.get("unplayed")
    text = words(page)
    assert text.count("Overdue") == 2
    assert "Reported" not in text
    assert "Neither came" in text
    first, second, third, _fourth = league.unplayed()
    sent = {f"match-{first.public_id}": "walkover_a", f"match-{second.public_id}": "double_walkover"}
    sent |= {f"match-{third.public_id}": "nonsense", "submission_key": page.context["key"]}
    assert desk.post("unplayed", **sent).status_code == 302
    for match, kind in ((first, "walkover"), (second, "double_walkover"), (third, "")):
        match.refresh_from_db()
        assert match.result_kind == kind
    # The same form again finds the matches over and the key used: nothing is chosen any more.
    again = desk.post("unplayed", **sent)
    assert again.status_code == 422
    assert "Choose a result" in words(again)
    assert desk.post("unplayed", submission_key="\0").status_code == 422


def test_next_season_when_looked_at_then_it_shows_who_goes_where_and_nothing_is_made():
    league = a_league("abc", "def").play_out()
    desk = desk_of(league)
    first = desk.get("next-season")
    assert "League 2027" in first.content.decode()  # one higher than 2026
    page = desk.post("next-season", **form(league, newcomers="Zoe Zero\nff player", **{"moving-1": "1"}))
    assert page.status_code == 422  # Ff plays on
    assert "already plays in the league" in words(page)
    page = desk.post("next-season", **form(league, newcomers="Zoe Zero"))
    assert page.status_code == 200
    text = words(page)
    assert "Dd Player ↑ promoted" in text
    assert "Cc Player ↓ relegated" in text
    assert "Zoe Zero + new" in text
    assert Event.objects.count() == 1


def test_next_season_when_made_then_the_draft_opens():
    league = a_league("abc", "def").play_out()
    desk = desk_of(league)
    gone = league.entry("Ff Player").public_id
    sent = form(league, newcomers="Zoe Zero", **{f"leaves-{gone}": "1"})
    seen = desk.post("next-season", **sent).context["seen"]
    made = desk.post("next-season", **{**sent, "do": "create", "seen": seen})
    assert made.status_code == 302
    following = Event.objects.get(follows=league.event)
    assert following.public_id in made["Location"]
    assert following.status == EventStatus.DRAFT
    names = [list(d.entries.order_by("pk").values_list("name", flat=True)) for d in following.divisions.all()]
    assert names == [["Aa Player", "Bb Player", "Dd Player"], ["Cc Player", "Ee Player", "Zoe Zero"]]
    assert "League 2027" in words(desk.get("season"))
    assert desk.get("next-season").status_code == 302
    assert desk.post("next-season", **{**sent, "do": "create", "seen": seen}).status_code == 302
    assert Event.objects.count() == 2
    assert "Next season created: League 2027." in words(desk.get("audit"))


def test_next_season_when_the_preview_is_old_then_it_is_shown_again():
    league = a_league("abc", "def").play_out()
    page = desk_of(league).post("next-season", **form(league, do="create", seen="old"))
    assert page.status_code == 409
    assert "Check the new divisions again" in words(page)
    assert Event.objects.count() == 1


def test_next_season_when_a_place_is_shared_over_the_border_then_the_director_decides():
    league = a_league("abc", "def", swiss=with_tie_breaks())
    wins = {("Aa Player", "Bb Player"), ("Bb Player", "Cc Player"), ("Cc Player", "Aa Player")}
    while league.next_rounds():
        for match in league.unplayed():
            names = tuple(slot.entry.name for slot in match.slots.order_by("side"))
            if match.stage.division.name == "Division 1":
                league.settle(match, "a" if names in wins else "b", 1)
            else:
                league.settle_by_name(match)
    league.fresh()
    desk = desk_of(league)
    page = desk.get("next-season")
    assert "Shared place in Division 1" in words(page)
    assert page.context["next"] is None
    ids = [league.entry(name).public_id for name in ("Aa Player", "Bb Player", "Cc Player")]
    assert desk.post("next-season", **form(league, do="create", seen="")).status_code == 422
    decided = {f"higher-{public_id}": str(number) for public_id, number in zip(ids, (3, 1, 2), strict=True)}
    page = desk.post("next-season", **form(league), **decided)
    assert "Aa Player ↓ relegated" in words(page)
    html = page.content.decode()
    assert all(f'name="higher-{public_id}"' in html for public_id in ids)
    made = desk.post("next-season", **form(league, do="create", seen=page.context["seen"]), **decided)
    assert made.status_code == 302


def test_next_season_when_nonsense_is_sent_then_every_fault_stands_at_its_field():
    league = a_league("abc", "def").play_out()
    desk = desk_of(league)
    for changes in (
        {"name": ""},
        {"starts_on": "soon"},
        {"ends_on": "1990-01-01"},
        {"moving-1": "9"},
        {"moving-1": "x"},
        {"name": "x" * 500},
        {"do": "create", "ends_on": "1990-01-01"},
        {"do": "create", "newcomers": "Aa Player"},
    ):
        page = desk.post("next-season", **form(league, **changes))
        assert page.status_code == 422, changes
    assert desk.post("next-season").status_code == 422
    assert Event.objects.count() == 1


def test_next_season_when_somebody_withdrew_then_they_are_ticked():
    league = a_league("abc", "def").play_out()
    entry = league.entry("Cc Player")
    entry.status = "withdrawn"
    entry.save()
    page = desk_of(league).get("next-season")
    assert f'name="leaves-{entry.public_id}" value="1" checked' in page.content.decode()


def test_pages_when_the_event_is_no_league_then_missing():
    tournament = an_event(entries=2)
    desk = Desk(tournament, signed_in(tournament.director))
    for page in ("season", "unplayed", "next-season"):
        assert desk.get(page).status_code == 404
    assert "Season" not in words(desk.get("event"))


def test_season_page_when_a_round_robin_lasts_a_day_then_it_is_not_offered() -> None:
    day = date(2026, 11, 20)
    tournament = an_event(4, system="round_robin", lengths=[5], starts_on=day, ends_on=day)
    page = desk_of(tournament).get("event").content.decode()
    assert reverse("director:season", args=[tournament.event.public_id]) not in page
    weeks = an_event(4, system="round_robin", lengths=[5], starts_on=day, ends_on=day + timedelta(days=30))
    page = desk_of(weeks).get("event").content.decode()
    assert reverse("director:season", args=[weeks.event.public_id]) in page
