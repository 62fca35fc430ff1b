"""Events of several divisions and stages on the public pages: each under its name, one draw at a time."""

import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.factories import Tournament, a_user, an_event, names
from tests.support.tournaments import text_of
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.standings.prizes import prizes_from_amounts
from tournaments.engine.statuses import EventAction
from tournaments.entries.services.entries import NewEntry, add_entries
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.events import change_event_status
from tournaments.events.services.stages import StageDetails
from tournaments.models import Match, MatchSlot, Stage
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.selectors.draws import load_draw
from tournaments.selectors.rounds.next import next_round

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

WEEKEND = BracketSettings(
    flights=(Flight(FlightKind.PROGRESSIVE, (3, 5), rounds=2), Flight(FlightKind.LAST_CHANCE, (3,))),
)


def page(tournament: Tournament, name: str, query: str = "") -> str:
    response = Client().get(reverse(f"public:{name}", args=[tournament.event.public_id]) + query)
    assert response.status_code == 200
    return response.content.decode()


def words(tournament: Tournament, name: str, query: str = "") -> str:
    return text_of(Client().get(reverse(f"public:{name}", args=[tournament.event.public_id]) + query))


def stages(tournament: Tournament) -> list[Stage]:
    return list(
        Stage.objects.filter(division__event=tournament.event).order_by("division__position", "position")
    )


@pytest.fixture
def weekend() -> Tournament:
    """Eight in a bracket with consolation; beside it six in two groups, of each of which two shall go on."""
    tournament = an_event(
        entries=8,
        lengths=[5, 7],
        bracket=WEEKEND,
        prizes=prizes_from_amounts((500, 250)),
        name="Autumn Open",
        director=a_user("Dora"),
    )
    side = add_division(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division=DivisionDetails(
            name="Beginners",
            stages=(
                StageDetails(
                    name="Groups", system="round_robin", lengths=[3], swiss=SwissSettings(group_count=2)
                ),
                StageDetails(name="Knock-out", lengths=[5], fed_by=1, takes=2),
            ),
        ),
        first_name="Masters",
    )
    add_entries(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=side.pk,
        entries=[NewEntry(name=f"{name} B") for name in names(6)],
    )
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.OPEN)
    return tournament


def publish_main(tournament: Tournament) -> None:
    where = {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": stages(tournament)[0].pk}
    draw_stage(**where, seed=1)
    publish_draw(**where)


def publish_groups(tournament: Tournament) -> None:
    stage = stages(tournament)[1]
    where = {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": stage.pk}
    pair_next_round(**where, seed=1)
    stage.refresh_from_db()
    publish_round(**where, seen=next_round(stage, load_draw(stage)).version)


def test_overview_of_several_divisions_shows_one_names_each_and_leads_to_it(weekend):
    publish_main(weekend)
    html = page(weekend, "event")
    assert re.findall(r'<a href="(\?division=\d)"( aria-current="page")?>(\w+) ', html) == [
        ("?division=1", ' aria-current="page"', "Masters"),
        ("?division=2", "", "Beginners"),
    ]
    # Where a section stood its id still leads: to the line that names its division.
    for division in weekend.event.divisions.all():
        assert html.count(f'id="division-{division.pk}"') == 1
        assert page(weekend, "event", "?view=hall").count(f'id="division-{division.pk}"') == 1
    text = words(weekend, "event")
    assert text.index("Masters") < text.index("Still in 8 of 8") < text.index("Other divisions Beginners")
    assert "Consolation losers of the first 2 rounds, lengths 3, 5" in text
    assert "Knock-out" not in text
    other = words(weekend, "event", "?division=2")
    assert "Groups" in other
    assert "Knock-out Not drawn yet." in other
    assert "Main draw: still in" not in other
    assert "Other divisions Masters 8 entries" in other


def test_tabs_lead_on_in_the_division_that_is_shown(weekend):
    publish_main(weekend)
    publish_groups(weekend)
    for name, query in (("event", "?division=2"), ("entries", "?division=2"), ("bracket", "?stage=2")):
        tabs = page(weekend, name, query).split('<nav class="tabs"')[1].split("</nav>")[0]
        for there, leads in (("", "?division=2"), ("bracket/", "?stage=2"), ("entries/", "?division=2")):
            assert f'href="/e/{weekend.event.public_id}/{there}{leads}"' in tabs
    assert "?" not in page(weekend, "event").split('<nav class="tabs"')[1].split("</nav>")[0]


@pytest.mark.parametrize(
    "query", ["?division=0", "?division=3", "?division=x", "?division=99999", "?division=²"]
)
def test_division_that_is_not_there_is_the_usual_one(weekend, query):
    publish_main(weekend)
    for name in ("event", "entries", "draws"):
        assert 'href="?division=1" aria-current="page"' in page(weekend, name, query)


def test_projector_shows_few_divisions_together(weekend):
    publish_main(weekend)
    text = words(weekend, "event", "?view=hall")
    assert "Still in 8 of 8" in text
    assert "Knock-out Not drawn yet." in text


def test_overview_when_the_bracket_goes_on_then_each_part_has_its_own_places(weekend):
    publish_main(weekend)
    for match in weekend.playable()[:4]:
        weekend.settle(match, "a", 1)
    text = words(weekend, "event")
    assert "Still in 8 of 8 Semifinal 4 " in text
    assert "Consolation 4 " in text
    assert "Consolation · Round 1" in text
    assert "Main draw · Semifinal" not in text
    weekend.play_out()
    text = words(weekend, "event")
    for part in ("Main draw", "Consolation", "Last chance"):
        assert f"{part}: places" in text
    table = page(weekend, "event").split("Main draw: places")[1].split("</table>")[0]
    assert re.findall(r'class="is-num" data-label="Prize">(\d+)<', table) == ["500", "250"]


def test_draws_are_shown_one_stage_at_a_time(weekend):
    publish_main(weekend)
    assert "Divisions and stages" not in page(weekend, "bracket")
    publish_groups(weekend)
    first, second = words(weekend, "bracket"), words(weekend, "bracket", "?stage=2")
    assert "Last chance" in first
    assert "Crosstable" not in first
    assert "Crosstable · Group A" in second
    assert "Last chance" not in second
    for text in (first, second):
        assert "Masters Beginners · Groups" in text
        assert "Draws and rounds" in text


@pytest.mark.parametrize("odd", ["0", "3", "-1", "x", "٢", "9" * 40, "1%00"])
def test_draws_when_the_stage_is_odd_then_the_first_that_is_not_over(weekend, odd):
    publish_main(weekend)
    publish_groups(weekend)
    assert "Last chance" in words(weekend, "bracket", f"?stage={odd}")


def test_draws_when_a_stage_is_over_then_the_next_one_opens_by_itself(weekend):
    publish_main(weekend)
    publish_groups(weekend)
    main = stages(weekend)[0]
    while open_ := [match for match in weekend.playable() if match.stage_id == main.pk]:
        weekend.settle(open_[0], "a", 1)
    assert "Crosstable · Group A" in words(weekend, "bracket")


def test_drawing_names_who_is_out_by_walk_over_and_where_losers_go(weekend):
    publish_main(weekend)
    first, second = weekend.playable()[:2]
    loser = weekend.entry_at(first, "b").name
    weekend.says(first, None, first.length, 0, kind="walkover", winner="a")
    weekend.settle(second, "a", 2)
    text = words(weekend, "bracket")
    assert f"{loser} is out: walkover" in text
    assert "Loser to 8" in text
    assert MatchSlot.objects.get(match__number=8, match__stage=stages(weekend)[0], side="b").entry is not None


def test_pages_cost_as_many_queries_whatever_the_size(django_assert_max_num_queries):
    small = an_event(entries=8, bracket=WEEKEND).publish()
    large = an_event(entries=40, bracket=WEEKEND).publish()
    for tournament in (small, large):
        for name in ("event", "bracket"):
            cache.clear()
            with django_assert_max_num_queries(18):
                page(tournament, name)


def test_double_elimination_is_one_ladder_with_one_winner():
    tournament = an_event(entries=6, system="double_elimination").publish().play_out()
    text = words(tournament, "event")
    last = Match.objects.filter(stage=tournament.stage).order_by("-number").first()
    final = (
        last
        if last.result_kind != "bye"
        else Match.objects.get(stage=tournament.stage, number=last.number - 1)
    )
    champion = tournament.entry_at(final, final.winner_side).name
    assert f"Winner {champion}" in text
    assert text.count("Final standings") == 1
    assert page(tournament, "bracket").count("<span>Winner</span>") == 1
