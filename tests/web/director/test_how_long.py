"""The page on which lengths, rounds and tables are dragged before the draw."""

import pytest

from tests.factories import an_event
from tests.support.director import desk_of, words
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.events.web.how_long import shorten_lengths, visible_lengths

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.mark.parametrize(
    ("given", "short"), [([5, 5, 7], [5, 7]), ([7, 7, 7], [7]), ([5, 7, 7], [5, 7, 7]), ([9], [9])]
)
def test_lengths_when_the_first_ones_are_alike_then_one_says_it(given, short):
    assert shorten_lengths(given) == short


def test_lengths_when_as_many_count_then_they_stay():
    assert shorten_lengths([5, 5, 5, 7], at_least=4) == [5, 5, 5, 7]


def test_page_when_opened_then_it_says_when_it_is_over_and_an_answer_moves_with_what_is_dragged():
    tournament = an_event(entries=8)
    desk = desk_of(tournament)
    page = desk.get("how-long")
    assert "Expected end" in words(page)
    stage, shown = tournament.stage.pk, visible_lengths(tournament.stage)
    more = desk.client.get(
        f"{page.request['PATH_INFO']}?answer=1&length-{stage}-{len(shown) - 1}=25&tables=1"
    )
    assert more.context["rows"][0]["lengths"].endswith("-25")
    assert more.context["over"] != page.context["over"]
    assert "<html" not in more.content.decode()


def test_division_without_entries_when_tried_out_then_as_many_as_fit_are_assumed():
    tournament = an_event()
    form = desk_of(tournament).get("how-long").context["form"]
    assert form.initial[f"entries-{tournament.division.pk}"] == 16


def test_plan_when_taken_over_then_saved_and_when_it_is_nonsense_then_said_beside_the_field():
    tournament = an_event(entries=4)
    desk = desk_of(tournament)
    bad = desk.post("how-long", take="1", tables="many", closes_at="10:00", opens_at="10:00")
    assert bad.status_code == 422
    assert set(bad.context["form"].errors) == {"tables"}
    odd = desk.post("how-long", take="1", break_from="14:00")
    assert set(odd.context["form"].errors) == {"break_until"}
    assert tournament.fresh().tables != 7
    assert desk.post("how-long", take="1", tables="7", opens_at="11:00").status_code == 302
    assert (tournament.fresh().tables, f"{tournament.event.opens_at:%H:%M}") == (7, "11:00")


def test_stages_when_the_number_of_one_begins_like_anothers_then_each_has_its_own_fields():
    tournament = an_event(system="swiss", entries=4)
    first = tournament.stage.pk
    other = add_division(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        first_name="First",
        division=DivisionDetails(name="Second", stages=[StageDetails(system="swiss", lengths=[5])]),
    )
    longer = 10 * first + 1
    other.stages.update(id=longer)
    shown = desk_of(tournament).get("how-long").context["divisions"]
    rounds = [
        [field.name for field in stage["fields"] if field.name.startswith("rounds-")]
        for division in shown
        for stage in division["stages"]
    ]
    assert rounds == [[f"rounds-{first}"], [f"rounds-{longer}"]]
