"""A Swiss at the director's desk and on the public pages."""

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from people.models import Player
from tests.factories import a_director, an_event
from tests.support.clock import Clock
from tests.support.director import desk_of, event_fields, signed_in, words
from tests.support.rounds import draw_at, stage_at, then
from tests.support.rounds import publish_next as publish_one
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.standings.leaving import WithdrawnResults
from tournaments.engine.standings.prizes import prizes_from_amounts
from tournaments.models import Event, Match, Round
from tournaments.repairs.services.withdraw import withdraw_after_draw
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.rounds.next import has_round_to_come
from tournaments.selectors.standings.tables import standings_tables

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def a_swiss(entries, rounds=3, **changes):
    return an_event(entries, system="swiss", swiss=SwissSettings(rounds=rounds, **changes), lengths=[5])


def seen_on(page) -> str:
    """What the form itself would send."""
    return re.search(r'name="seen" value="([^"]+)"', page.content.decode())[1]


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
    assert stage.settings.swiss == SwissSettings(4, ("wins", "lot"), 1, 1, "avoid")
    form = client.get(reverse("director:stage", args=[event.public_id, stage.pk])).context["stage_form"]
    assert [form[name].value() for name in ("rounds", "tie_break_1", "tie_break_2", "bye_points", "clubs")] == [
        4, "wins", "lot", 1, "avoid",
    ]  # fmt: skip
    assert "Drawing of lots" in words(client.get(reverse("director:event", args=[event.public_id])))


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
    tournament = a_swiss(0)
    desk = desk_of(tournament)
    answer = desk.post("stage", str(tournament.stage.pk), **event_fields(system="swiss", **odd))
    assert answer.status_code == 422
    assert field in answer.context["stage_form"].errors


def test_round_when_paired_then_seen_by_directors_alone_until_published() -> None:
    tournament = a_swiss(5)
    desk = desk_of(tournament)
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
    tournament = a_swiss(4)
    desk = desk_of(tournament)
    desk.post("make-draw", stage="1", seed="1")
    old = seen_on(desk.get("draw"))
    desk.post("make-draw", stage="1", seed="2")
    answer = desk.post("change-draw", "publish", stage="1", seen=old)
    assert answer.status_code == 409
    assert "This has changed in the meantime" in words(answer)
    assert desk.post("change-draw", "publish", stage="1").status_code == 409


def test_night_when_played_with_a_late_entry_and_a_drop_out_then_the_table_is_final() -> None:
    tournament = a_swiss(4)
    desk = desk_of(tournament)
    publish_next(desk)
    tournament.play_out()
    assert "Pair the next round" in words(desk.get("event"))
    assert "Players you add join in the next round" in words(desk.get("entries"))
    assert desk.post("add-entry", name="Zoe Late", player="new").status_code == 302
    assert desk.post("withdraw", entry=tournament.entry("Bob").public_id).status_code == 302
    publish_next(desk)
    tournament.play_out()
    assert desk.post("change-draw", "take-back", stage="1").status_code == 409
    publish_next(desk)
    tournament.play_out()
    assert tournament.event.status == "finished"
    page = desk.get("draw", check="1")
    assert "Final standings" in words(page)
    assert "Pairing check" in words(page)
    assert desk.post("make-draw", stage="1").status_code == 409
    assert "as they stay" not in words(desk.get("entries"))


def test_round_when_over_then_everybody_is_told_what_they_wait_for_and_the_preview_shows_points() -> None:
    tournament = a_swiss(5)
    desk = desk_of(tournament)
    publish_next(desk)
    hall, event = (reverse(f"public:{page}", args=[tournament.event.public_id]) for page in ("hall", "event"))
    assert "the next round follows soon" not in words(Client().get(event)) + words(Client().get(hall))
    tournament.play_out()
    for page in (hall, event):
        told = words(Client().get(page))
        assert "Round 1 has finished; the next round follows soon" in told
        assert "Standings, 1 round paired" in told
    sits = {"stage": "1", "entry": tournament.entry("Ann").public_id, "points": "1"}
    assert desk.post("change-draw", "sit-out", **sits).status_code == 302
    desk.post("make-draw", stage="1")
    assert "Publish the next round" in words(desk.get("event"))
    preview = desk.get("draw").context["parts"][0]["swiss"]["preview"]
    assert preview["rests"] == ["Ann (half a point)"]
    table = {
        row["name"]: row["points"]
        for row in desk.get("draw").context["parts"][0]["swiss"]["tables"][0]["rows"]
    }
    seen = {pair[side]["name"]: pair[side]["points"] for pair in preview["pairs"] for side in ("a", "b")}
    assert seen == {name: points for name, points in table.items() if name != "Ann"}


def test_sit_out_when_asked_for_then_listed_and_taken_back() -> None:
    tournament = a_swiss(4)
    desk = desk_of(tournament)
    ann = tournament.entry("Ann").public_id
    assert desk.post("change-draw", "sit-out", stage="1", entry=ann, points="1").status_code == 302
    assert "Ann (half a point)" in words(desk.get("draw"))
    publish_next(desk)
    assert Round.objects.get().rests == {str(tournament.entry("Ann").pk): 1}
    public = Client().get(reverse("public:bracket", args=[tournament.event.public_id]))
    assert "Sitting out: Ann (half a point)" in words(public)
    desk.post("change-draw", "sit-out", stage="1", entry=ann, points="0")
    assert desk.post("change-draw", "sit-out", stage="1", entry=ann, points="plays").status_code == 302
    assert "No players are sitting out." in words(desk.get("draw"))
    assert desk.post("change-draw", "sit-out", stage="1", entry=ann, points="9").status_code in {409, 422}
    assert desk.post("change-draw", "sit-out", stage="1", entry="x", points="1").status_code == 404


def test_end_when_rounds_are_left_then_the_table_is_final() -> None:
    tournament = a_swiss(4)
    desk = desk_of(tournament)
    publish_next(desk)
    assert desk.post("change-draw", "end", stage="1").status_code == 409
    tournament.play_out()
    assert "End stage" in words(desk.get("draw"))
    assert desk.post("change-draw", "end", stage="1").status_code == 302
    assert tournament.fresh().status == "finished"


def test_draw_page_when_clubs_leave_no_pairing_then_says_why() -> None:
    tournament = a_swiss(4, clubs="never")
    desk = desk_of(tournament)
    Player.objects.update(home_club=None)
    desk.post("make-draw", stage="1")
    for entry in tournament.division.entries.all():
        entry.players.update(home_club=tournament.club)
    assert "too many are from the same club" in words(desk.get("draw"))
    assert desk.post("change-draw", "discard", stage="1").status_code == 302
    assert desk.post("make-draw", stage="1").status_code == 422


def test_public_pages_when_a_swiss_runs_then_table_pairings_and_conditions() -> None:
    tournament = a_swiss(5)
    publish_next(desk_of(tournament))
    visitor = Client()
    event = words(visitor.get(reverse("public:event", args=[tournament.event.public_id])))
    for said in ("Standings, 1 round paired", "Tie-breaks", "Points for a bye", "Rounds 3", "All rounds"):
        assert said in event
    page = visitor.get(reverse("public:bracket", args=[tournament.event.public_id]))
    assert "Rounds" in words(page)
    assert page.content.decode().count('class="pairing"') == 3
    etag = page["ETag"]
    url = reverse("public:bracket", args=[tournament.event.public_id])
    assert visitor.get(url, headers={"if-none-match": etag}).status_code == 304
    tournament.play_out()
    again = visitor.get(url, headers={"if-none-match": etag})
    assert again.status_code == 200
    player = tournament.entry("Ann").players.get()
    assert visitor.get(reverse("public:player", args=[player.public_id])).status_code == 200
    phone = words(visitor.get(reverse("player:home", args=[entry_token(tournament.entry("Ann"))])))
    assert "Standings and rounds" in phone
    assert "Congratulations" not in phone


def test_public_places_when_the_swiss_is_over_then_final_and_on_the_players_page() -> None:
    tournament = a_swiss(4, rounds=1)
    publish_next(desk_of(tournament))
    tournament.play_out()
    page = words(Client().get(reverse("public:event", args=[tournament.event.public_id])))
    assert "Final standings" in page
    for entry in tournament.division.entries.all():
        phone = words(Client().get(reverse("player:home", args=[entry_token(entry)])))
        assert "Final place:" in phone or "Congratulations" in phone


def test_round_robin_when_drawn_then_published_round_by_round_with_a_crosstable() -> None:
    tournament = an_event(5, system="round_robin", lengths=[5])
    desk = desk_of(tournament)
    url = reverse("public:bracket", args=[tournament.event.public_id])
    page = words(desk.get("draw"))
    assert "Draw all rounds" in page
    assert "Sitting out the next round" not in page
    desk.post("make-draw", stage="1")
    page = desk.get("draw")
    assert "All rounds" in words(page)
    assert "has a bye" in words(page)
    while tournament.fresh().status != "finished":
        page = desk.get("draw")
        assert desk.post("change-draw", "publish", stage="1", seen=seen_on(page)).status_code == 302
        assert "Pair again" not in words(desk.get("draw"))
        public = Client().get(url)
        assert public.status_code == 200
        assert public.content.decode().count('class="is-self"') == 5
        tournament.play_out()
        if tournament.event.status == "running":
            assert "Publish the next round" in words(desk.get("event"))
    public = Client().get(url)
    assert "Upcoming rounds" not in words(public)
    assert public.content.decode().count("is-won") == 10
    assert public.content.decode().count("is-lost") == 10
    assert "Final standings" in words(
        Client().get(reverse("public:event", args=[tournament.event.public_id]))
    )
    assert desk.post("change-draw", "sit-out", stage="1", entry="x", points="1").status_code in {404, 409}


def test_round_robin_when_there_are_too_many_then_says_how_many_it_takes() -> None:
    desk = desk_of(an_event(41, system="round_robin", lengths=[5]))
    assert "A draw needs between 2 and 40 entries" in words(desk.get("draw"))
    assert desk.post("make-draw", stage="1").status_code == 422


def test_groups_when_played_then_a_table_each_and_the_knock_out_tells_who_goes_on() -> None:
    tournament = an_event(8, system="round_robin", lengths=[5], swiss=SwissSettings(group_count=2))
    then(tournament, name="Finals", system="single_elimination", fed_by=1, takes=2)
    desk = desk_of(tournament)
    page = words(desk.get("draw"))
    assert "Drawn from the places in" in page
    publish_next(desk)
    page = words(desk.get("draw"))
    assert "Group A · Standings, 1 round paired" in page
    assert "Crosstable · Group B" in page
    assert "The top 2 continue in: Finals." in page
    play_on(tournament)
    page = words(desk.get("draw"))
    assert "Qualified 4" in page
    public = words(Client().get(reverse("public:event", args=[tournament.event.public_id])))
    assert public.count("advances") == 4
    assert "own definition" in public
    assert desk.post("make-draw", stage="2").status_code == 302
    assert "The standings have changed" not in words(desk.get("draw"))
    winner = standings_tables(draw_at(tournament))[0].rows[0].entry
    tournament.division.entries.filter(pk=winner).update(status="withdrawn")
    page = words(desk.get("draw"))
    assert "The standings have changed since this draw was made. Now qualified, but not in this draw:" in page
    assert "In this draw, but no longer qualified:" in page


@pytest.mark.parametrize(
    ("takes", "said"),
    [
        (2, None),
        (3, "The smallest group has 3 entries, and all of them advance: Finals."),
        (4, "Finals needs 4 from each group, but the smallest group has only 3."),
    ],
)
def test_groups_when_everybody_or_too_many_would_go_on_then_the_director_is_warned(takes, said) -> None:
    tournament = an_event(7, system="round_robin", lengths=[5], swiss=SwissSettings(group_count=2))
    then(tournament, name="Finals", system="single_elimination", fed_by=1, takes=takes)
    desk = desk_of(tournament)
    for _drawn in range(2):
        page = words(desk.get("draw"))
        assert said in page if said else "all of them advance: Finals" not in page
        desk.post("make-draw", stage="1")


def play_on(tournament) -> None:
    tournament.play_out()
    while has_round_to_come(stage_at(tournament)):
        publish_one(tournament)
        tournament.play_out()


def test_pair_requests_when_said_on_the_page_then_kept_and_taken_back() -> None:
    tournament = a_swiss(5)
    desk = desk_of(tournament)
    ann, bob = (tournament.entry(name).public_id for name in ("Ann", "Bob"))
    pair = {"stage": "1", "first": ann, "second": bob}
    assert desk.post("change-draw", "keep-apart", **pair, strictness="never").status_code == 302
    assert "Ann – Bob never meet" in words(desk.get("draw"))
    assert desk.post("change-draw", "keep-apart", **pair, strictness="x").status_code == 422
    assert (
        desk.post("change-draw", "keep-apart", **{**pair, "second": "nobody"}, strictness="never").status_code
        == 404
    )
    assert desk.post("change-draw", "keep-apart", **pair, strictness="ignore").status_code == 302
    assert "No individual players are kept apart." in words(desk.get("draw"))
    desk.post("make-draw", stage="1")
    page = desk.get("draw")
    preview = page.context["parts"][0]["swiss"]["preview"]
    first, second = (preview["pairs"][0][side]["name"] for side in ("a", "b"))
    bye = preview["bye"]["name"]
    places = {
        "stage": "1",
        "first": tournament.entry(first).public_id,
        "second": tournament.entry(bye).public_id,
    }
    assert desk.post("change-draw", "swap", **places, seen="old").status_code == 409
    assert desk.post("change-draw", "swap", **places, seen=seen_on(page)).status_code == 302
    page = desk.get("draw")
    assert f"Manual changes: {first} ↔ {bye}" in words(page)
    assert page.context["parts"][0]["swiss"]["preview"]["bye"]["name"] == first
    assert second in words(page)
    desk.post("change-draw", "publish", stage="1", seen=seen_on(page))
    public = words(Client().get(reverse("public:bracket", args=[tournament.event.public_id])))
    assert f"Changed by the director: {first} ↔ {bye}" in public
    trail = words(desk.get("audit"))
    assert "swapped manually" in trail
    assert "Ann and Bob must not meet." in trail
    assert desk.post("change-draw", "undo-swaps", stage="1").status_code == 409


def test_league_when_rounds_have_deadlines_then_shown_and_overdue_matches_closed_by_one_tap(
    clock: Clock,
) -> None:
    clock.shows(datetime(2026, 11, 20, 18, tzinfo=UTC))
    tournament = an_event(4, system="round_robin", lengths=[5], swiss=SwissSettings(all_at_once=True))
    desk = desk_of(tournament)
    assert desk.post("make-draw", stage="1").status_code == 302
    assert "Publish all rounds" in words(desk.get("draw"))
    assert (
        desk.post("change-draw", "spread-deadlines", stage="1", first="2025-02-01", days="7").status_code
        == 302
    )
    assert desk.post("change-draw", "deadlines", stage="1", deadline_3="2035-02-01").status_code == 422
    assert desk.post("change-draw", "deadlines", stage="1", deadline_3="2027-02-01").status_code == 302
    publish_one(tournament)
    page = words(desk.get("draw"))
    assert "Overdue 4" in page
    url = reverse("public:bracket", args=[tournament.event.public_id])
    assert "to be played by 1 February 2025 2 overdue" in words(Client().get(url))
    late = desk.get("draw").context["parts"][0]["swiss"]["overdue"]
    rulings = ["walkover_a", "walkover_b", "unfinished", "double_walkover"]
    for row, ruling in zip(late, rulings, strict=True):
        said = {"stage": "1", "match": row["public_id"], "ruling": ruling}
        assert desk.post("change-draw", "rule", **said).status_code == 302
    assert [Match.objects.get(public_id=row["public_id"]).result_kind for row in late] == [
        "walkover", "walkover", "unfinished", "double_walkover",
    ]  # fmt: skip
    assert "overdue" not in words(Client().get(url))
    again = {"stage": "1", "match": late[0]["public_id"], "ruling": "walkover_b"}
    assert desk.post("change-draw", "rule", **again).status_code == 409
    assert desk.post("change-draw", "rule", stage="1", match="none", ruling="unfinished").status_code == 404
    assert desk.post("change-draw", "rule", **{**again, "ruling": "luck"}).status_code == 422
    assert desk.post("change-draw", "deadlines", stage="1", deadline_1="soon").status_code == 422
    assert (
        desk.post("change-draw", "spread-deadlines", stage="1", first="2026-13-40", days="7").status_code
        == 422
    )


def test_play_off_when_two_are_tied_then_recorded_on_the_page_and_prizes_follow() -> None:
    swiss = SwissSettings(rounds=1, tie_breaks=())
    tournament = an_event(4, system="swiss", lengths=[5], swiss=swiss, prizes=prizes_from_amounts((100, 51)))
    desk = desk_of(tournament)
    publish_next(desk)
    tournament.play_out()
    page = desk.get("draw")
    assert "Players who share a place share its prizes; amounts that cannot be divided" in words(page)
    group = page.context["parts"][0]["swiss"]["play_offs"][0]
    order = list(reversed([key for key, _name in group["choices"]]))
    url = desk.url("change-draw", "play-off")
    assert desk.client.post(url, {"stage": "1", "order": order}).status_code == 302
    rows = desk.get("draw").context["parts"][0]["swiss"]["tables"][0]["rows"]
    names = dict(group["choices"])
    assert [(row["name"], row["place"], row["prize"]) for row in rows[:2]] == [
        (names[order[0]], "1", "100"),
        (names[order[1]], "2", "51"),
    ]
    assert desk.client.post(url, {"stage": "1", "order": [order[0], order[0]]}).status_code == 422
    assert desk.client.post(url, {"stage": "1", "order": ["x", "9" * 30]}).status_code == 422
    assert desk.post("change-draw", "forget-play-off", stage="1").status_code == 302
    assert "Play-off recorded:" in words(desk.get("audit"))


def test_play_off_when_started_on_the_page_then_played_on_the_board_and_shown_to_all() -> None:
    tournament = an_event(4, system="swiss", lengths=[5], swiss=SwissSettings(rounds=1, tie_breaks=()))
    desk = desk_of(tournament)
    publish_next(desk)
    tournament.play_out()
    tied = desk.get("draw").context["parts"][0]["swiss"]["to_play_off"][0]["entries"]
    url = desk.url("change-draw", "start-play-off")
    assert desk.client.post(url, {"stage": "1", "entry": ["x"]}).status_code == 422
    assert desk.client.post(url, {"stage": "1", "entry": tied}).status_code == 302
    assert "The play-off is under way: 1 match without a result." in words(desk.get("draw"))
    assert "Play-off" in words(desk.get("board"))
    assert desk.post("change-draw", "take-back-play-off", stage="1").status_code == 302
    assert desk.client.post(url, {"stage": "1", "entry": tied}).status_code == 302
    tournament.play_out()
    public = words(Client().get(reverse("public:bracket", args=[tournament.event.public_id])))
    assert "Play-off to 1 point" in public
    assert "Final standings" in public
    trail = words(desk.get("audit"))
    assert "Play-off of " in trail
    assert "undone before it began" in trail


def test_lives_when_some_are_out_then_the_table_and_the_page_say_who_is_still_in() -> None:
    tournament = an_event(5, system="swiss", lengths=[3], swiss=SwissSettings(lives=1, tie_breaks=("lot",)))
    desk = desk_of(tournament)
    publish_next(desk)
    tournament.play_out()
    assert "1 round published · 3 still in" in words(desk.get("draw"))
    public = words(Client().get(reverse("public:event", args=[tournament.event.public_id])))
    assert "Eliminated after 1 loss" in public
    assert "Lives" in public


def test_pages_when_somebody_was_struck_from_the_table_then_all_of_them_still_open() -> None:
    tournament = an_event(
        4,
        system="round_robin",
        lengths=[5],
        swiss=SwissSettings(all_at_once=True),
        prizes=prizes_from_amounts((9,)),
    )
    publish_one(tournament)
    ann = tournament.entry("Ann")
    withdraw_after_draw(
        actor=tournament.actor, event_id=tournament.event.pk, entry_id=ann.pk, leaving=WithdrawnResults.STRIKE
    )
    for _time in range(2):
        assert desk_of(tournament).get("draw").status_code == 200
        for page in ("public:event", "public:bracket", "public:entries"):
            assert Client().get(reverse(page, args=[tournament.event.public_id])).status_code == 200
        assert Client().get(reverse("player:home", args=[entry_token(ann)])).status_code == 200
        player = reverse("public:player", args=[ann.players.get().public_id])
        assert Client().get(player).status_code == 200
        tournament.play_out()
    assert tournament.event.status == "finished"


def test_draw_page_when_a_round_robin_is_not_drawn_then_its_rounds_follow_from_the_entries() -> None:
    tournament = an_event(4, system="round_robin", lengths=[5])
    assert "0 of 3 rounds published" in words(desk_of(tournament).get("draw"))


def test_draw_page_when_the_table_is_long_then_its_first_places_and_a_way_to_the_others() -> None:
    tournament = a_swiss(131)
    publish_one(tournament, seed=1)
    page = desk_of(tournament).get("draw")
    (part,) = page.context["parts"]
    (table,) = part["swiss"]["tables"]
    assert (len(table["rows"]), table["more"]) == (100, 31)
    assert "31 more places on the public page" in words(page)
    public = Client().get(reverse("public:event", args=[tournament.event.public_id]))
    assert all(name in words(public) for name in tournament.division.entries.values_list("name", flat=True))
