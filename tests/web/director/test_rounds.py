"""A Swiss at the director's desk and on the public pages."""

import pytest
from django.test import Client
from django.urls import reverse

from people.models import Player
from tests.factories import a_director, an_event
from tests.support.director import desk_of, event_fields, signed_in, words
from tournaments.engine.pairing.settings import SwissSettings
from tournaments.links import entry_token
from tournaments.models import Event, Match, Round

pytestmark = pytest.mark.django_db


def a_swiss(entries, rounds=3, **changes):
    return an_event(entries, system="swiss", swiss=SwissSettings(rounds=rounds, **changes), lengths=[5])


def seen_on(page) -> str:
    return page.context["parts"][0]["swiss"]["preview"]["seen"]


def publish_next(desk):
    desk.post("make-draw", stage="1")
    return desk.post("change-draw", "publish", stage="1", seen=seen_on(desk.get("draw")))


def test_new_event_when_a_swiss_is_chosen_then_its_settings_are_kept_and_shown_again() -> None:
    club = an_event().club
    client = signed_in(a_director(club))
    fields = {"rounds": "4", "tie_break_1": "wins", "tie_break_2": "", "tie_break_3": "lot"}
    more = {"bye_points": "1", "late_points": "1", "clubs": "avoid"}
    answer = client.post(
        reverse("director:event-new", args=[club.public_id]),
        event_fields(name="Swiss night", system="swiss", **fields, **more),
    )
    assert answer.status_code == 302
    event = Event.objects.get(name="Swiss night")
    stage = event.divisions.get().stages.get()
    assert SwissSettings.of(stage.options) == SwissSettings(4, ("wins", "lot"), 1, 1, "avoid")
    form = client.get(reverse("director:settings", args=[event.public_id])).context["stage_form"]
    assert [form[name].value() for name in ("rounds", "tie_break_1", "tie_break_2", "bye_points", "clubs")] == [
        4, "wins", "lot", 1, "avoid",
    ]  # fmt: skip
    assert "Drawn lot" in words(client.get(reverse("director:event", args=[event.public_id])))


@pytest.mark.parametrize(
    ("odd", "field"),
    [
        ({"rounds": "0"}, "rounds"),
        ({"rounds": "31"}, "rounds"),
        ({"tie_break_1": "buchholz", "tie_break_2": "buchholz"}, "tie_break_1"),
        ({"tie_break_1": "luck"}, "tie_break_1"),
        ({"bye_points": "7"}, "bye_points"),
        ({"clubs": "x"}, "clubs"),
    ],
)
def test_settings_when_odd_then_told_beside_the_field(odd, field) -> None:
    desk = desk_of(a_swiss(0))
    answer = desk.post("settings", part="stage", **event_fields(system="swiss", **odd))
    assert answer.status_code == 422
    assert field in answer.context["stage_form"].errors


def test_round_when_paired_then_seen_by_directors_alone_until_published() -> None:
    night = a_swiss(5)
    desk = desk_of(night)
    assert "Pair round 1" in words(desk.get("draw"))
    assert desk.post("make-draw", stage="1").status_code == 302
    page = desk.get("draw")
    assert "Round 1, not published yet" in words(page)
    assert "Bye" in words(page)
    assert not Match.objects.exists()
    answer = desk.post("change-draw", "publish", stage="1", seen=seen_on(page))
    assert answer["Location"] == desk.url("board")
    assert "Round 1 is under way: 2 matches without a result." in words(desk.get("draw"))
    assert "Round 1" in words(desk.get("board"))


def test_publish_when_the_page_is_old_then_asked_to_look_again() -> None:
    night = a_swiss(4)
    desk = desk_of(night)
    desk.post("make-draw", stage="1", seed="1")
    old = seen_on(desk.get("draw"))
    desk.post("make-draw", stage="1", seed="2")
    answer = desk.post("change-draw", "publish", stage="1", seen=old)
    assert answer.status_code == 409
    assert "Look at it again" in words(answer)
    assert desk.post("change-draw", "publish", stage="1").status_code == 409


def test_night_when_played_with_a_late_entry_and_a_drop_out_then_the_table_is_final() -> None:
    night = a_swiss(4)
    desk = desk_of(night)
    publish_next(desk)
    night.play_out()
    assert "Pair the next round" in words(desk.get("event"))
    assert "plays from the next round on" in words(desk.get("entries"))
    assert desk.post("add-entry", name="Zoe Late", player="new").status_code == 302
    assert desk.post("withdraw", entry=night.entry("Bob").public_id).status_code == 302
    publish_next(desk)
    night.play_out()
    assert desk.post("change-draw", "take-back", stage="1").status_code == 409
    publish_next(desk)
    night.play_out()
    assert night.event.status == "finished"
    page = desk.get("draw", check="1")
    assert "Final places" in words(page)
    assert "Check of the pairings" in words(page)
    assert desk.post("make-draw", stage="1").status_code == 409
    assert "as they stay" not in words(desk.get("entries"))


def test_sit_out_when_asked_for_then_listed_and_taken_back() -> None:
    night = a_swiss(4)
    desk = desk_of(night)
    ann = night.entry("Ann").public_id
    assert desk.post("change-draw", "sit-out", stage="1", entry=ann, points="1").status_code == 302
    assert "Ann (half a point)" in words(desk.get("draw"))
    publish_next(desk)
    assert Round.objects.get().rests == {str(night.entry("Ann").pk): 1}
    public = Client().get(reverse("public:bracket", args=[night.event.public_id]))
    assert "Sitting out: Ann (half a point)" in words(public)
    desk.post("change-draw", "sit-out", stage="1", entry=ann, points="0")
    assert desk.post("change-draw", "sit-out", stage="1", entry=ann, points="plays").status_code == 302
    assert "Nobody has asked to" in words(desk.get("draw"))
    assert desk.post("change-draw", "sit-out", stage="1", entry=ann, points="9").status_code in {409, 422}
    assert desk.post("change-draw", "sit-out", stage="1", entry="x", points="1").status_code == 404


def test_end_when_rounds_are_left_then_the_table_is_final() -> None:
    night = a_swiss(4)
    desk = desk_of(night)
    publish_next(desk)
    assert desk.post("change-draw", "end", stage="1").status_code == 409
    night.play_out()
    assert "End it here" in words(desk.get("draw"))
    assert desk.post("change-draw", "end", stage="1").status_code == 302
    assert night.fresh().status == "finished"


def test_draw_page_when_clubs_leave_no_pairing_then_says_why() -> None:
    night = a_swiss(4, clubs="never")
    desk = desk_of(night)
    Player.objects.update(home_club=None)
    desk.post("make-draw", stage="1")
    for entry in night.division.entries.all():
        entry.players.update(home_club=night.club)
    assert "too many are of the same club" in words(desk.get("draw"))
    assert desk.post("change-draw", "discard", stage="1").status_code == 302
    assert desk.post("make-draw", stage="1").status_code == 422


def test_public_pages_when_a_swiss_runs_then_table_pairings_and_conditions() -> None:
    night = a_swiss(5)
    publish_next(desk_of(night))
    visitor = Client()
    event = words(visitor.get(reverse("public:event", args=[night.event.public_id])))
    for said in ("Table, 1 round paired", "Tie-breaks", "A bye is worth", "Round 3"):
        assert said in event
    page = visitor.get(reverse("public:bracket", args=[night.event.public_id]))
    assert "Rounds" in words(page)
    assert page.content.decode().count('class="pairing"') == 3
    etag = page["ETag"]
    url = reverse("public:bracket", args=[night.event.public_id])
    assert visitor.get(url, headers={"if-none-match": etag}).status_code == 304
    night.play_out()
    again = visitor.get(url, headers={"if-none-match": etag})
    assert again.status_code == 200
    player = night.entry("Ann").players.get()
    assert visitor.get(reverse("public:player", args=[player.public_id])).status_code == 200
    phone = words(visitor.get(reverse("player:home", args=[entry_token(night.entry("Ann"))])))
    assert "Table and rounds" in phone
    assert "Congratulations" not in phone


def test_public_places_when_the_swiss_is_over_then_final_and_on_the_players_page() -> None:
    night = a_swiss(4, rounds=1)
    publish_next(desk_of(night))
    night.play_out()
    page = words(Client().get(reverse("public:event", args=[night.event.public_id])))
    assert "Final places" in page
    for entry in night.division.entries.all():
        phone = words(Client().get(reverse("player:home", args=[entry_token(entry)])))
        assert "You came" in phone or "Congratulations" in phone


def test_round_robin_when_drawn_then_published_round_by_round_with_a_crosstable() -> None:
    night = an_event(5, system="round_robin", lengths=[5])
    desk = desk_of(night)
    url = reverse("public:bracket", args=[night.event.public_id])
    page = words(desk.get("draw"))
    assert "Draw all rounds" in page
    assert "Sitting out the next round" not in page
    desk.post("make-draw", stage="1")
    page = desk.get("draw")
    assert "Coming rounds" in words(page)
    assert "rests" in words(page)
    while night.fresh().status != "finished":
        page = desk.get("draw")
        assert desk.post("change-draw", "publish", stage="1", seen=seen_on(page)).status_code == 302
        assert "Pair again" not in words(desk.get("draw"))
        public = Client().get(url)
        assert public.status_code == 200
        assert public.content.decode().count('class="is-self"') == 5
        night.play_out()
        if night.event.status == "running":
            assert "Publish the next round" in words(desk.get("event"))
    public = Client().get(url)
    assert "Coming rounds" not in words(public)
    assert public.content.decode().count("is-won") == 10
    assert public.content.decode().count("is-lost") == 10
    assert "Final places" in words(Client().get(reverse("public:event", args=[night.event.public_id])))
    assert desk.post("change-draw", "sit-out", stage="1", entry="x", points="1").status_code in {404, 409}


def test_round_robin_when_there_are_too_many_then_says_how_many_it_takes() -> None:
    desk = desk_of(an_event(41, system="round_robin", lengths=[5]))
    assert "A draw needs from 2 to 40 entries" in words(desk.get("draw"))
    assert desk.post("make-draw", stage="1").status_code == 422
