"""Directors set up by the API: events from templates or part by part, teams, buy-backs."""

import pytest
from django.urls import reverse

from tests.factories import a_user, an_event
from tests.support.described import described
from tests.support.problems import problem_of
from tests.support.tournaments import signed_in
from tournaments.engine.stages.swiss import MAX_TIE_BREAKS, OFFERED_TIE_BREAKS
from tournaments.events.services.divisions import DivisionDetails, update_division
from tournaments.models import Event

pytestmark = pytest.mark.django_db
EVENT = {"name": "Weekend", "starts_on": "2026-11-20", "ends_on": "2026-11-22"}


def create(user, club, **body):
    url = reverse("api:club-events", args=[club.public_id])
    return described(signed_in(user).post(url, {**EVENT, **body}, content_type="application/json"))


def enter(tournament, user=None, **body):
    url = reverse("api:entries", args=[tournament.event.public_id])
    return described(signed_in(user or tournament.director).post(url, body, content_type="application/json"))


def test_event_from_a_template_when_created_then_told_with_its_stages(owner, club):
    answer = create(owner, club, template="weekend")
    assert answer.status_code == 201, answer.json()
    (division,) = answer.json()["divisions"]
    (stage,) = division["stages"]
    assert [flight["kind"] for flight in stage["settings"]["flights"]] == [
        "progressive_consolation",
        "last_chance",
    ]
    assert answer.json()["status"] == "draft"


def test_event_part_by_part_when_read_again_then_as_it_was_sent(owner, club):
    groups = {"name": "Groups", "system": "round_robin", "lengths": [5], "swiss": {"group_count": 2}}
    finals = {"name": "Finals", "lengths": [7, 9], "fed_by": 1, "takes": 2, "prizes": [100, 50]}
    others = {"name": "Others", "lengths": [5], "fed_by": 1, "feed": {"taken": "rest"}}
    doubles = {"name": "Doubles", "team_size": 2, "reentries": 1, "stages": [{"lengths": [5]}]}
    doubles |= {"capacity": 4, "starts_when_full": True}
    made = create(
        owner, club, divisions=[{"name": "Open", "stages": [groups, finals, others]}, doubles], tables=4
    ).json()
    read = signed_in(owner).get(reverse("api:event", args=[made["id"]])).json()
    assert read["divisions"] == made["divisions"]
    first, second = read["divisions"]
    assert (second["number"], second["team_size"], second["reentries"]) == (2, 2, 1)
    assert (first["starts_when_full"], second["starts_when_full"]) == (False, True)
    assert first["stages"][0]["settings"]["group_count"] == 2
    assert first["stages"][0]["settings"]["tie_breaks"][0] == "head_to_head"
    assert (first["stages"][1]["fed_by"], first["stages"][1]["takes"]) == (1, 2)
    assert first["stages"][1]["settings"]["prizes"] == [100, 50]
    assert first["stages"][1]["feed"] == {
        "taken": "places",
        "first": 1,
        "section": "main",
        "admission": "played",
        "also": [],
    }
    assert (first["stages"][2]["takes"], first["stages"][2]["feed"]["taken"]) == (0, "rest")


def test_event_when_a_feed_makes_no_sense_then_it_is_told_at_its_field(owner, club):
    double = {
        "lengths": [9],
        "system": "double_elimination",
        "bracket": {"lower_lengths": [5], "final_length": 13},
    }
    chance = {"lengths": [5], "fed_by": 1, "takes": 2, "feed": {"taken": "losers", "section": "main"}}
    answer = create(owner, club, divisions=[{"stages": [double, chance]}])
    assert answer.status_code == 422
    assert [fault["field"] for fault in answer.json()["faults"]] == ["division-1-stage-2-feed.section"]
    chance["feed"] = {"taken": "sideways"}
    answer = create(owner, club, divisions=[{"stages": [double, chance]}])
    assert [fault["field"] for fault in answer.json()["faults"]] == ["divisions.0.stages.1.feed.taken"]
    chance["feed"] = {"taken": "losers", "section": "lower"}
    first, second = create(owner, club, divisions=[{"stages": [double, chance]}]).json()["divisions"][0][
        "stages"
    ]
    assert (first["settings"]["lower_lengths"], first["settings"]["final_length"]) == ([5], 13)
    assert (second["feed"]["taken"], second["feed"]["section"], second["takes"]) == ("losers", "lower", 2)


def test_event_when_a_stage_is_fed_by_several_parts_then_they_are_read_as_they_were_sent(owner, club):
    late = {"stage": 2, "taken": "losers", "first": 1, "last": 1, "section": "main", "admission": "played"}
    chance = {"lengths": [5], "fed_by": 1, "takes": 1, "feed": {"taken": "losers", "also": [late]}}
    stages = [{"lengths": [7]}, {"lengths": [5], "fed_by": 1, "feed": {"taken": "rest"}}, chance]
    made = create(owner, club, divisions=[{"stages": stages}]).json()
    assert made["divisions"][0]["stages"][2]["feed"]["also"] == [late]
    late["stage"] = 3
    answer = create(owner, club, divisions=[{"stages": stages}])
    assert [(f["field"], f["code"]) for f in answer.json()["faults"]] == [
        ("division-1-stage-3-feed.also.0.stage", "plan.source_unknown")
    ]
    late["stage"], late["last"] = 2, "1"
    answer = create(owner, club, divisions=[{"stages": stages}])
    assert [fault["field"] for fault in answer.json()["faults"]] == ["divisions.0.stages.2.feed.also.0.last"]


def test_event_when_several_things_are_wrong_then_every_field_is_named(owner, club):
    divisions = [
        {"name": "A", "stages": [{"lengths": []}]},
        {
            "name": "a",
            "team_size": 9,
            "stages": [{"lengths": [5], "system": "swiss", "swiss": {"rounds": 0}}],
        },
    ]
    answer = create(owner, club, divisions=divisions, ends_on="2026-11-01")
    assert answer.status_code == 422
    assert {fault["field"] for fault in answer.json()["faults"]} == {
        "ends_on",
        "division-1-stage-1-lengths",
        "division-2-name",
        "division-2-team_size",
        "division-2-stage-1-rounds",
    }
    assert not Event.objects.exists()


def test_event_when_settings_cannot_be_read_then_each_is_named_with_what_belongs_there(owner, club):
    swiss = {"rounds": "5", "clubs": "sometimes", "tie_breaks": ["lot", 3]}
    stages = [
        {"lengths": [5], "system": "swiss", "swiss": swiss},
        {"lengths": [5], "bracket": {"flight": []}},
    ]
    answer = create(owner, club, divisions=[{"name": "A", "stages": stages}])
    assert answer.status_code == 400
    at = "divisions.0.stages.0.swiss"
    assert {fault["field"]: fault["detail"] for fault in problem_of(answer)["faults"]} == {
        f"{at}.rounds": "Enter a whole number.",
        f"{at}.clubs": "Enter one of these values: ignore, avoid, never.",
        f"{at}.tie_breaks.1": "Enter text.",
        "divisions.0.stages.1.bracket": "“flight” cannot be set here. Available: third_place, recharge, flights, apart, lower_lengths, final_length, open_lines, buy_back_within, prizes.",
    }
    assert not Event.objects.exists()


def test_event_when_it_has_more_tie_breaks_than_there_is_room_for_then_refused_at_their_list(owner, club):
    def made(number: int):
        swiss = {"tie_breaks": list(OFFERED_TIE_BREAKS[-number:])}
        return create(
            owner, club, divisions=[{"stages": [{"lengths": [5], "system": "swiss", "swiss": swiss}]}]
        )

    answer = made(MAX_TIE_BREAKS + 1)
    assert answer.status_code == 400
    assert [(one["code"], one["field"], one["detail"]) for one in problem_of(answer)["faults"]] == [
        (
            "tie_break.too_many",
            "divisions.0.stages.0.swiss.tie_breaks",
            "Choose at most 5 tie-breaks.",
        )
    ]
    assert not Event.objects.exists()


def test_event_when_made_of_the_settings_that_were_read_then_they_are_the_same(owner, club):
    swiss = {"rounds": 7, "lives": 2, "bye_points": 1, "tie_breaks": ["lot"], "prizes": [300, 100]}
    bracket = {"flights": [{"kind": "first_match_consolation", "lengths": [3]}], "apart": ["party", "club"]}
    money = {"raccoons": True, "min_sessions": 4}

    def settings_of(swiss, bracket, money):
        stages = [
            {"lengths": [5], "system": "swiss", "swiss": swiss},
            {"lengths": [7], "bracket": bracket},
            {"system": "money", "money": money},
        ]
        divisions = [{"name": str(number), "stages": [stage]} for number, stage in enumerate(stages)]
        made = create(owner, club, divisions=divisions).json()["divisions"]
        return [division["stages"][0]["settings"] for division in made]

    swiss_read, bracket_read, money_read = read = settings_of(swiss, bracket, money)
    assert swiss_read == swiss_read | swiss
    assert bracket_read["flights"][0] == {
        "kind": "first_match_consolation",
        "lengths": [3],
        "rounds": 1,
        "admission": "played",
    }
    assert money_read == {
        "jacoby": True,
        "beavers": True,
        "raccoons": True,
        "automatic_doubles": 0,
        "min_sessions": 4,
    }
    assert settings_of(*read) == read


def test_event_when_read_and_sent_back_whole_then_its_settings_are_the_same(owner, club):
    swiss = {"rounds": 3, "bye_points": 1, "tie_breaks": ["lot"], "prizes": [300, 100]}
    bracket = {"flights": [{"kind": "first_match_consolation", "lengths": [3]}]}
    stages = [
        {"lengths": [5], "system": "swiss", "swiss": swiss},
        {"lengths": [7], "bracket": bracket},
        {"system": "money", "money": {"raccoons": True}},
    ]
    divisions = [{"name": str(number), "stages": [stage]} for number, stage in enumerate(stages)]
    made = create(owner, club, divisions=divisions).json()
    url = reverse("api:club-events", args=[club.public_id])
    again = described(signed_in(owner).post(url, made, content_type="application/json"))
    assert again.status_code == 201, again.json()
    assert [one["stages"][0]["settings"] for one in again.json()["divisions"]] == [
        one["stages"][0]["settings"] for one in made["divisions"]
    ]


def test_event_when_settings_are_misspelt_then_refused_at_their_place(owner, club):
    for settings in ({"ronds": 3}, {"rounds": "three"}):
        stage = {"lengths": [5], "system": "swiss", "settings": settings}
        answer = create(owner, club, divisions=[{"stages": [stage]}])
        assert answer.status_code == 400
        assert problem_of(answer)["faults"][0]["field"].startswith("divisions.0.stages.0.settings")
    both = {"lengths": [5], "system": "swiss", "settings": {"rounds": 3}, "swiss": {"rounds": 6}}
    answer = create(owner, club, divisions=[{"stages": [both]}])
    assert (answer.status_code, problem_of(answer)["faults"][0]["field"]) == (
        400,
        "divisions.0.stages.0.settings",
    )


def test_f7_f16_stage_when_made_with_its_rules_of_slips_then_read_as_sent_and_odd_ones_are_told_at_their_place(
    owner, club
):
    slips = {"moves": "responsible", "start": "result", "score": "first_play"}
    conduct = {"slips": slips, "clocks": {"overtime": 60}, "holland": True}

    def made(conduct):
        return create(owner, club, divisions=[{"stages": [{"lengths": [5], "conduct": conduct}]}])

    kept = made(conduct).json()["divisions"][0]["stages"][0]["conduct"]
    assert kept["slips"] == slips
    assert (kept["clocks"]["overtime"], kept["holland"]) == (60, True)
    assert made(kept).json()["divisions"][0]["stages"][0]["conduct"] == kept
    usual = made({}).json()["divisions"][0]["stages"][0]["conduct"]
    assert usual["slips"] == {"moves": "legal", "start": "first_play", "score": "next_game"}
    odd = made({"slips": {"moves": "sloppy"}})
    assert odd.status_code == 400
    assert "conduct.slips.moves" in odd.content.decode()


def test_f7_f16_conduct_when_set_for_a_stage_that_is_there_then_the_rest_stays_and_an_old_look_conflicts(
    owner, club
):
    made = create(owner, club, divisions=[{"name": "A", "stages": [{"lengths": [5]}]}]).json()
    address = reverse("api:conduct", args=[made["id"]])
    client = signed_in(owner)
    (before,) = client.get(address).json()["stages"]
    body = {"division": 1, "stage": 1, "conduct": {"slips": {"moves": "responsible"}}, "seen": before["seen"]}

    def put(**changes):
        return client.put(address, {**body, **changes}, content_type="application/json")

    (after,) = put().json()["stages"]
    slips = before["conduct"]["slips"] | {"moves": "responsible"}
    assert after["conduct"] == before["conduct"] | {"slips": slips}
    assert put().status_code == 409
    clocks = put(conduct={"clocks": {"overtime": 60}}, seen=after["seen"]).json()["stages"][0]["conduct"]
    assert (clocks["clocks"]["overtime"], clocks["clocks"]["delay"], clocks["slips"]) == (60, 12, slips)
    assert put(stage=2, seen="").status_code == 422
    odd = put(conduct={"slips": {"score": "never"}}, seen="")
    assert (odd.status_code, "conduct.slips.score" in odd.content.decode()) == (400, True)
    stranger = signed_in(a_user()).put(address, body, content_type="application/json")
    assert stranger.status_code in {403, 404}


def test_limits_and_conduct_when_an_item_is_sent_back_as_read_then_nothing_changes_or_what_was_changed(
    owner, club
):
    made = create(owner, club, divisions=[{"name": "A", "stages": [{"lengths": [5]}]}]).json()
    client = signed_in(owner)

    def put(name, item):
        address = reverse(f"api:{name}", args=[made["id"]])
        answer = client.put(address, item, content_type="application/json")
        assert answer.status_code == 200, answer.content
        return next(iter(answer.json().values()))[0]

    (conduct,) = client.get(reverse("api:conduct", args=[made["id"]])).json()["stages"]
    assert put("conduct", conduct)["conduct"] == conduct["conduct"]
    limited = put("limits", {"division": 1, "source": "USBGF", "least": 1500.0})
    assert (limited["limit"]["source"], limited["limit"]["least"]) == ("USBGF", 1500.0)
    assert put("limits", limited)["limit"] == limited["limit"]
    raised = {**limited, "limit": {**limited["limit"], "most": 1700.0}, "seen": ""}
    assert put("limits", raised)["limit"]["most"] == 1700.0
    odd = client.put(
        reverse("api:limits", args=[made["id"]]),
        {"division": 1, "limit": {"source": "USBGF", "least": 1700.0, "most": 1500.0}},
        content_type="application/json",
    )
    assert (odd.status_code, odd.json()["faults"][0]["field"].split(".")[0]) == (422, "limit")
    assert put("limits", {**raised, "limit": None})["limit"] is None


def test_event_when_somebody_else_or_nobody_asks_then_refused(club):
    assert create(a_user(), club, template="knock_out").status_code == 403
    url = reverse("api:club-events", args=[club.public_id])
    from django.test import Client

    assert Client().post(url, EVENT, content_type="application/json").status_code in {401, 403}
    assert not Event.objects.exists()


def test_team_when_entered_then_named_by_its_players():
    tournament = an_event()
    update_division(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        division=DivisionDetails(team_size=2),
    )
    answer = enter(tournament, players=[{"name": "Ann Ace"}, {"name": "Bob Berg"}])
    assert answer.status_code == 201
    assert answer.json()["name"] == "Ann Ace & Bob Berg"
    assert len(answer.json()["players"]) == 2
    alone = enter(tournament, players=[{"name": "Cleo Cube"}])
    known = answer.json()["players"][1]["id"]
    odd = enter(tournament, players=[{"name": "!?"}, {"id": known}])
    assert [(fault["field"], fault["code"]) for fault in odd.json()["faults"]] == [
        ("players.0.name", "player.name_odd"),
        ("players.1.id", "entry.twice"),
    ]
    assert (alone.status_code, alone.json()["code"]) == (422, "entry.team_size")
    assert enter(tournament, division=2, players=[{"name": "X"}, {"name": "Y"}]).status_code == 404
    assert enter(tournament, a_user(), players=[{"name": "X"}, {"name": "Y"}]).status_code in {403, 404}


def test_buy_back_when_not_offered_then_the_reason_is_told():
    tournament = an_event(4).publish()
    url = reverse("api:buy-back", args=[tournament.event.public_id, tournament.entry("Ann").public_id])
    answer = signed_in(tournament.director).post(url, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "buy_back.not_offered")
