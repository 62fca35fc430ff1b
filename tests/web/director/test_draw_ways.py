"""Draw with dice, by hand or from a typed seed; why again; late entries by lot; and what everybody sees of it."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import an_event
from tests.support.director import desk_of, words
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.models import Entry, Lot, MatchSlot

pytestmark = pytest.mark.django_db
ROLLS = "31 64 22 15 66 43 21 55 16 34 12 65 41"


def other_ways(desk):
    (part,) = [
        part for part in desk.client.get(f"{desk.url('draw')}?other=1").context["parts"] if part["other"]
    ]
    return part["other"]


def test_dice_when_typed_for_the_list_that_was_read_out_then_drawn_and_the_rolls_are_public():
    tournament = an_event(6)
    desk = desk_of(tournament)
    shown = other_ways(desk)
    done = desk.post(
        "make-draw", stage="1", by="dice", rolls=ROLLS.replace(" ", ","), seen=shown["list_hash"]
    )
    assert done.status_code == 302
    lot = Lot.objects.get()
    assert (lot.by, lot.typed, lot.list_hash) == ("dice", ROLLS, shown["list_hash"])
    desk.post("change-draw", "publish", stage="1")
    page = Client().get(reverse("public:draws", args=[tournament.event.public_id])).content.decode()
    assert ROLLS in page
    assert "drawn 1 time" in page


def test_dice_when_the_list_changed_meanwhile_then_told_and_nothing_is_drawn():
    tournament = an_event(6)
    desk = desk_of(tournament)
    old = other_ways(desk)["list_hash"]
    Entry.objects.filter(division=tournament.division).order_by("pk").last().delete()
    answer = desk.post("make-draw", stage="1", by="dice", rolls=ROLLS, seen=old)
    assert answer.status_code == 409
    assert "The list has changed since you saw it" in words(answer)
    assert not Lot.objects.exists()


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"by": "dice", "rolls": "31 64 <b>"}, "Enter 13 rolls of two distinguishable dice"),
        ({"by": "hand", "order": "1 2 3 3"}, "Enter each of the 4 numbers exactly once"),
        ({"by": "hand", "order": "9" * 9000}, "Enter each of the 4 numbers exactly once"),
        ({"by": "typed", "seed": ""}, "Enter a seed of 64 digits"),
        ({"by": "typed", "seed": "AB" * 32}, "Enter a seed of 64 digits"),
    ],
)
def test_other_way_when_typed_wrongly_then_said_and_what_was_typed_stays(fields, text):
    tournament = an_event(4)
    answer = desk_of(tournament).post("make-draw", stage="1", **fields)
    assert answer.status_code == 422
    assert text in words(answer)
    typed = next(part["other"] for part in answer.context["parts"])["typed"]
    assert (
        typed[{"dice": "rolls", "hand": "order", "typed": "seed"}[fields["by"]]][:8]
        == next(part for name, part in fields.items() if name != "by")[:8]
    )
    assert not Lot.objects.exists()


def test_numbers_by_hand_when_typed_then_they_are_the_draw_and_the_page_marks_it():
    tournament = an_event(4)
    desk = desk_of(tournament)
    entries = list(Entry.objects.filter(division=tournament.division).order_by("pk"))
    assert [row["name"] for row in other_ways(desk)["by_hand"]] == [entry.name for entry in entries]
    assert desk.post("make-draw", stage="1", by="hand", order="3, 1; 4 2").status_code == 302
    first = {slot.entry_id for slot in MatchSlot.objects.filter(match__number=1)}
    assert first == {entries[2].pk, entries[1].pk}
    desk.post("change-draw", "publish", stage="1")
    page = words(Client().get(reverse("public:draws", args=[tournament.event.public_id])))
    assert "Drawn by hand, entered by the director cannot be verified" in page


def test_draw_when_made_again_then_the_reason_and_that_the_list_was_the_same_are_public():
    tournament = an_event(4)
    desk = desk_of(tournament)
    desk.post("make-draw", stage="1")
    desk.post("make-draw", stage="1", why="mistake")
    desk.post("make-draw", stage="1", why="<script>")
    assert desk.get("draw").context["reasons"][0] == ("unsaid", "no reason given")
    desk.post("change-draw", "publish", stage="1")
    page = words(Client().get(reverse("public:draws", args=[tournament.event.public_id])))
    assert "drawn 3 times" in page
    assert "Redrawn: a mistake in the list. The list was the same as for the previous draw." in page
    assert "Redrawn: no reason given." in page


def test_draw_when_not_published_then_everybody_sees_that_it_was_made_and_nothing_to_work_it_out_from():
    tournament = an_event(4)
    desk = desk_of(tournament)
    desk.post("open")
    desk.post("make-draw", stage="1")
    lot = Lot.objects.get()
    for name in ("draws", "draws-json"):
        page = Client().get(reverse(f"public:{name}", args=[tournament.event.public_id])).content.decode()
        assert lot.list_hash in page
        assert lot.promise in page
        assert lot.secret not in page
        assert lot.seed not in page
        assert tournament.stage.secret not in page


def test_swiss_when_paired_with_dice_then_it_takes_them_and_no_numbers_by_hand():
    tournament = an_event(6, system="swiss", lengths=[3], swiss=SwissSettings(rounds=3))
    desk = desk_of(tournament)
    assert other_ways(desk)["by_hand"] == []
    assert desk.post("make-draw", stage="1", by="dice", rolls=ROLLS).status_code == 302
    assert desk.post("make-draw", stage="1", by="hand", order="1 2 3 4 5 6").status_code == 422
    assert Lot.objects.get().what == "round"


def test_late_entry_when_nobody_chooses_then_it_is_by_lot():
    tournament = an_event(6, lengths=[7]).publish()
    desk = desk_of(tournament)
    page = desk.get("late-entry")
    assert page.context["chosen"] == f"{tournament.stage.pk}.lot"
    assert desk.post("late-entry", name="Zoe", place=page.context["chosen"]).status_code == 302
    lot = Lot.objects.get(what="late")
    assert (lot.by, lot.shown_at is not None) == ("server", True)
    assert MatchSlot.objects.filter(entry__name="Zoe").exists()
    trail = words(desk.get("audit"))
    assert "Late entry drawn at random: Zoe" in trail


@pytest.mark.parametrize("place", ["", ".lot", "x.lot", "1.lot.a", "999999.lot", "lot"])
def test_late_entry_when_the_place_is_odd_then_refused(place):
    tournament = an_event(6, lengths=[7]).publish()
    answer = desk_of(tournament).post("late-entry", name="Zoe", place=place)
    assert answer.status_code == 422
    assert not Entry.objects.filter(name="Zoe").exists()
