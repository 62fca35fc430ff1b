"""Several entries at once, and the order of their list."""

import pytest

from faults import Conflict, CrawfordError, Invalid
from people.models import AuditEntry
from tests.factories import Tournament, an_event
from tests.support.director import Desk, desk_of, words
from tournaments.engine.statuses import EntryStatus
from tournaments.entries.services.several import move_entries
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.models import Division, Entry, EntryPlayer, Event, Stage
from tournaments.models.arranged import PairRequest

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    tournament = an_event(4)
    side = DivisionDetails(name="Intermediate", stages=(StageDetails(lengths=[5]),))
    add_division(actor=tournament.actor, event_id=tournament.event.pk, division=side, first_name="Open")
    return tournament


@pytest.fixture
def desk(tournament) -> Desk:
    return desk_of(tournament)


def division(name: str) -> Division:
    return Division.objects.get(name=name)


def chosen(tournament: Tournament, *names: str) -> list[str]:
    return [tournament.entry(name).public_id for name in names]


def move(tournament: Tournament, to: Division, *names: str) -> list[Entry]:
    entries = [tournament.entry(name).pk for name in names]
    return move_entries(
        actor=tournament.actor, event_id=tournament.event.pk, entry_ids=entries, division_id=to.pk
    )


def fault_of(tournament: Tournament, to: Division, *names: str) -> CrawfordError:
    with pytest.raises((Conflict, Invalid)) as caught:
        move(tournament, to, *names)
    return caught.value


def test_withdraw_when_several_are_chosen_then_all_of_them_go_and_one_that_is_unknown_changes_nothing(
    tournament, desk
):
    answer = desk.post("several-entries", action="withdraw", chosen=chosen(tournament, "Ann", "Bob"))
    assert answer["Location"].startswith(desk.url("entries"))
    page = words(desk.client.get(answer["Location"]))
    assert "2 entries are withdrawn." in page
    assert set(Entry.objects.filter(status=EntryStatus.WITHDRAWN).values_list("name", flat=True)) == {
        "Ann",
        "Bob",
    }
    before = AuditEntry.objects.count()
    again = desk.post("several-entries", action="withdraw", chosen=chosen(tournament, "Cleo", "Ann"))
    assert again.status_code == 409
    assert tournament.entry("Cleo").status == EntryStatus.ACTIVE
    assert AuditEntry.objects.count() == before


def test_move_when_nothing_is_drawn_then_players_come_along_and_the_seed_does_not(tournament, desk):
    to = division("Intermediate")
    Entry.objects.filter(name="Ann").update(seed=1)
    answer = desk.post(
        "several-entries", action="move", to=str(to.pk), chosen=chosen(tournament, "Ann", "Bob")
    )
    assert "2 entries moved." in words(desk.client.get(answer["Location"]))
    assert set(to.entries.values_list("name", "seed")) == {("Ann", None), ("Bob", None)}
    assert EntryPlayer.objects.filter(division=to).count() == 2
    assert "Moved to Intermediate: Ann, Bob." in words(desk.get("audit"))
    desk.post("several-entries", action="move", to="x", chosen=chosen(tournament, "Cleo"))
    assert tournament.entry("Cleo").division == division("Open")


def test_move_when_a_draw_is_made_then_refused_on_either_side(tournament):
    Stage.objects.filter(division__name="Open").update(status="drawn")
    assert fault_of(tournament, division("Intermediate"), "Ann").code == "entry.drawn"
    Stage.objects.filter(division__name="Open").update(status="setup")
    Stage.objects.filter(division__name="Intermediate").update(status="published")
    assert fault_of(tournament, division("Intermediate"), "Ann").code == "entry.too_late"


def test_move_when_a_player_is_there_already_or_the_size_is_another_then_all_reasons_and_nobody_moves(
    tournament,
):
    to = division("Intermediate")
    move(tournament, to, "Ann")
    player = EntryPlayer.objects.get(entry=tournament.entry("Ann")).player
    EntryPlayer.objects.filter(entry=tournament.entry("Bob")).update(player=player)
    Division.objects.filter(pk=to.pk).update(team_size=2)
    found = fault_of(tournament, to, "Bob", "Cleo")
    assert [fault.code for fault in found.faults] == ["entry.other_size", "entry.other_size", "entry.twice"]
    assert set(to.entries.values_list("name", flat=True)) == {"Ann"}


def test_move_when_somebody_is_kept_apart_here_then_that_is_taken_back_first(tournament):
    stage = Stage.objects.get(division__name="Open")
    PairRequest.objects.create(
        stage=stage, kind="never", first=tournament.entry("Ann"), second=tournament.entry("Bob")
    )
    found = fault_of(tournament, division("Intermediate"), "Bob", "Cleo")
    assert [(fault.code, fault.params["name"]) for fault in found.faults] == [("entry.kept_apart", "Bob")]


def test_print_when_several_are_chosen_then_their_links_alone(tournament, desk):
    answer = desk.post("several-entries", action="print", chosen=chosen(tournament, "Ann", "Cleo"))
    sheet = desk.client.get(answer["Location"])
    assert [ticket["name"] for ticket in sheet.context["tickets"]] == ["Ann", "Cleo"]


@pytest.mark.parametrize("action", ["withdraw", "move", "print"])
def test_nobody_when_chosen_then_said(desk, action):
    answer = desk.post("several-entries", action=action, to=str(division("Intermediate").pk))
    assert answer.status_code == 422
    assert "Choose at least one entry." in words(answer)
    assert desk.post("several-entries", action="dance", chosen=["\0"]).status_code == 404


def test_list_when_ordered_then_by_name_seed_or_club_and_else_as_entered(tournament, desk):
    names = [row["name"] for row in desk.get("entries").context["rows"]]
    assert names == ["Ann", "Bob", "Cleo", "Dan"]
    Entry.objects.filter(name="Dan").update(seed=1, name="Ängel")
    assert [row["name"] for row in desk.get("entries", sort="name").context["rows"]][:2] == ["Ängel", "Ann"]
    assert desk.get("entries", sort="seed").context["rows"][0]["name"] == "Ängel"
    assert desk.get("entries", sort="<").context["sort"] == ""
    assert Event.objects.count() == 1
