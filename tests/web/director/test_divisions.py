"""Kinds of events, divisions and stages, teams and parties on the director's pages."""

import re

import pytest
from django.urls import reverse

from people.models import Player
from tests.factories import a_club, an_event
from tests.support.director import desk_of, event_fields, signed_in, words
from tests.support.rounds import then
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.elimination import BracketSettings
from tournaments.engine.stages.feeding import Feeding, FeedPart, FeedSource
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.divisions import DivisionDetails, add_division, update_division
from tournaments.events.services.stages import StageDetails, details_of_stage
from tournaments.events.services.templates import event_templates
from tournaments.models import Entry, Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return a_club()


@pytest.fixture
def client(club):
    return signed_in(club.memberships.get().user)


def form_of(response):
    """What a browser would send back of the forms on the page, as they are."""
    fields = {}
    for name in ("form", "stage_form", "names_form", "plan_form"):
        form = response.context.get(name)
        for bound in form or ():
            value = bound.value()
            if value is True:
                fields[bound.html_name] = "on"
            elif value is not None and value is not False and value != "":
                fields[bound.html_name] = value
    return fields


def test_new_event_when_opened_then_every_kind_is_a_card_with_a_sentence(client, club):
    page = client.get(reverse("director:event-new", args=[club.public_id]))
    for kind in event_templates():
        assert f"?template={kind.code}" in page.content.decode()
        assert kind.sentence in words(page)


@pytest.mark.parametrize("kind", event_templates(), ids=lambda one: one.code)
def test_kind_when_sent_as_it_was_filled_in_then_the_event_is_what_the_card_says(client, club, kind):
    url = reverse("director:event-new", args=[club.public_id])
    page = client.get(url, {"template": kind.code})
    answer = client.post(url, {**form_of(page), "name": "As it is", "template": kind.code})
    assert answer.status_code == 302, answer.context["form"].errors
    event = Event.objects.get()
    expected = kind.divisions[:1] if kind.chosen else kind.divisions
    for division, planned in zip(event.divisions.all(), expected, strict=True):
        for stage, details in zip(division.stages.all(), planned.stages, strict=True):
            made = details_of_stage(stage)
            assert made.name == details.name
            assert (made.system, made.bracket) == (details.system, details.bracket)
            assert (made.swiss, made.takes, list(made.lengths)) == (
                details.swiss,
                details.takes,
                list(details.lengths),
            )


def test_weekend_when_divisions_are_named_then_each_is_played_alike(client, club):
    url = reverse("director:event-new", args=[club.public_id])
    fields = form_of(client.get(url, {"template": "weekend"}))
    sent = {**fields, "name": "Open", "template": "weekend", "divisions": "Open, Intermediate ,"}
    assert client.post(url, sent).status_code == 302
    assert [division.name for division in Event.objects.get().divisions.all()] == ["Open", "Intermediate"]
    twice = client.post(url, {**sent, "divisions": "Open, open"})
    assert twice.status_code == 422
    assert "divisions" in twice.context["names_form"].errors


def test_side_events_when_none_is_chosen_or_a_length_is_odd_then_told_at_its_field(client, club):
    url = reverse("director:event-new", args=[club.public_id])
    fields = {**event_fields(), "template": "side_events"}
    lengths = {f"division-{place}-stage-1-lengths": "5" for place in range(1, 8)}
    none = client.post(url, {**fields, **lengths})
    assert none.status_code == 422
    odd = client.post(url, {**fields, **lengths, "division-3": "on", "division-3-stage-1-lengths": "0"})
    assert set(odd.context["plan_form"].errors) == {"division-3-stage-1-lengths"}
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"consolation_lengths": ""}, "consolation_lengths"),
        ({"consolation_rounds": "11"}, "consolation_rounds"),
        ({"last_chance_lengths": "0"}, "last_chance_lengths"),
        ({"consolation": ""}, "consolation"),
        ({"third_place": "on"}, "third_place"),
        ({"apart": "shoe size"}, "apart"),
    ],
)
def test_weekend_when_a_flight_is_wrong_then_the_fault_is_at_its_field(client, club, change, field):
    url = reverse("director:event-new", args=[club.public_id])
    fields = form_of(client.get(url, {"template": "weekend"}))
    answer = client.post(url, {**fields, "name": "Open", "template": "weekend", **change})
    assert answer.status_code == 422
    assert set(answer.context["stage_form"].errors) == {field}


def two_divisions():
    tournament = an_event(4)
    add_division(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division=DivisionDetails(name="Doubles", team_size=2, stages=[StageDetails(lengths=[5])]),
        first_name="Open",
    )
    return tournament, tournament.event.divisions.get(name="Doubles")


def test_trail_and_draw_when_there_are_several_divisions_then_each_is_named_and_one_is_open():
    tournament, doubles = two_divisions()
    desk = desk_of(tournament)

    def opened():
        return re.findall(r'id="(part-\d)" open', desk.get("draw").content.decode())

    desk.post("make-draw", stage="1", seed="7")
    desk.post("change-draw", "publish", stage="1")
    match = tournament.playable()[0]
    tournament.settle(match, "a", 2)
    trail = words(desk.get("audit"))
    assert "Open: Draw published (seed 7)." in trail
    who = " – ".join(tournament.entry_at(match, side).name for side in "ab")
    assert f"Match {match.number} (Open, {who}): {match.length}–2, confirmed." in trail
    assert opened() == ["part-2"]
    teams = [NewEntry(name=name, partners=(NewEntry(name=f"{name} B"),)) for name in ("Lea", "Max")]
    add_entries(actor=tournament.actor, event_id=tournament.event.pk, division_id=doubles.pk, entries=teams)
    desk.post("make-draw", stage="2", seed="8")
    desk.post("change-draw", "publish", stage="2")
    assert opened() == ["part-1"]


def test_divisions_when_added_changed_moved_and_taken_away_then_the_page_follows():
    tournament = an_event(2)
    desk = desk_of(tournament)
    assert "Add division" in words(desk.get("divisions"))
    like = f"division-{tournament.division.pk}"
    missing = desk.post("division-new", name="", first_name="", team_size="1", like=like)
    assert set(missing.context["form"].errors) == {"name", "first_name"}
    desk.post("division-new", name="Novice", first_name="Open", team_size="1", like="template-club_night")
    novice = tournament.event.divisions.get(name="Novice")
    assert novice.stages.get().system == "swiss"
    desk.post("division", str(novice.pk), name="Novices", team_size="1", entries_until="2026-11-20T19:30", reentries="1")  # fmt: skip
    desk.post("change-division", str(novice.pk), do="up")
    page = words(desk.get("divisions"))
    assert page.index("Novices") < page.index("Open Edit division")
    assert "late entries until" in page
    assert "1 re-entry" in page
    desk.post("change-division", str(novice.pk), do="remove")
    assert [division.name for division in tournament.event.divisions.all()] == ["Open"]


def test_stage_when_added_behind_groups_then_it_takes_the_best_and_can_go_again():
    tournament = an_event(2, system="round_robin")
    desk = desk_of(tournament)
    fields = form_of(desk.get("stage-new", str(tournament.division.pk)))
    assert desk.post("stage-new", str(tournament.division.pk), **{**fields, "takes": "2"}).status_code == 302
    finals = tournament.division.stages.last()
    assert (finals.fed_by.system, finals.takes, finals.name) == ("round_robin", 2, "Knockout")
    assert "the top 2 of" in words(desk.get("divisions"))
    desk.post("remove-stage", str(finals.pk))
    assert tournament.division.stages.count() == 1


def test_stages_when_added_behind_a_swiss_then_the_best_then_all_others_are_offered():
    tournament = an_event(2, system="swiss")
    desk = desk_of(tournament)
    for takes in ({"takes": "4"}, {}):
        fields = form_of(desk.get("stage-new", str(tournament.division.pk)))
        assert desk.post("stage-new", str(tournament.division.pk), **{**fields, **takes}).status_code == 302
    main, consolation = tournament.division.stages.order_by("position")[1:]
    assert (main.takes, main.settings.feed, main.name) == (4, Feeding(), "Knockout")
    assert (consolation.settings.feed.taken, consolation.name) == (FeedPart.REST, "Consolation")
    page = words(desk.get("divisions"))
    assert "the top 4 of Swiss" in page
    assert "all others of: Swiss" in page
    shown = form_of(desk.get("stage", str(consolation.pk)))
    assert shown["fed_by"] == "1-rest"
    desk.post("stage", str(consolation.pk), **{**shown, "fed_by": "1", "takes_from": "5", "takes": "4"})
    consolation.refresh_from_db()
    assert (consolation.settings.feed.first, consolation.takes) == (5, 8)
    shown = form_of(desk.get("stage", str(consolation.pk)))
    assert (shown["takes_from"], shown["takes"]) == (5, 4)
    wrong = desk.post("stage", str(consolation.pk), **{**shown, "takes": ""})
    assert set(wrong.context["stage_form"].errors) == {"takes"}


def test_stage_when_added_behind_main_draw_and_consolation_then_a_last_chance_of_both_is_offered():
    tournament = an_event(2, system="swiss")
    then(tournament, name="Main", fed_by=1, takes=4)
    then(tournament, name="Plate", fed_by=1, feed=Feeding(FeedPart.REST))
    desk = desk_of(tournament)
    fields = form_of(desk.get("stage-new", str(tournament.division.pk)))
    assert (fields["fed_by"], fields["also_1"]) == ("2-losers", "3-losers-main")
    wrong = desk.post("stage-new", str(tournament.division.pk), **{**fields, "also_1_first": "3"})
    assert set(wrong.context["stage_form"].errors) == {"also_1_last"}
    assert wrong.context["stage_form"].has_additional_feeds
    wrong = desk.post("stage-new", str(tournament.division.pk), **{**fields, "fed_by": "0"})
    assert set(wrong.context["stage_form"].errors) == {"also_1"}
    fields |= {"also_2": "1-rest", "also_3": "2"}
    wrong = desk.post("stage-new", str(tournament.division.pk), **fields)
    assert set(wrong.context["stage_form"].errors) == {"also_2"}, "the plate takes all others"
    assert desk.post("stage-new", str(tournament.division.pk), **{**fields, "also_2": ""}).status_code == 302
    chance = tournament.division.stages.last()
    sources = (FeedSource(3), FeedSource(0, FeedPart.PLACES))
    assert (chance.takes, chance.settings.feed) == (1, Feeding(FeedPart.LOSERS, also=sources))
    told = "losers of round 1, Main draw (Main); losers of round 1, Main draw (Plate); the top 1 of Main"
    assert told in words(desk.get("divisions"))
    assert told in words(desk.get("draw")), "what it waits for"
    shown = form_of(desk.get("stage", str(chance.pk)))
    assert [shown.get(name, "") for name in ("also_1", "also_2", "also_3", "also_2_last")] == [
        "3-losers-main",
        "2",
        "",
        1,
    ]


def test_stage_when_added_behind_a_double_elimination_then_a_last_chance_is_offered():
    tournament = an_event(
        4, system="double_elimination", bracket=BracketSettings(lower_lengths=(3,), final_length=9)
    )
    desk = desk_of(tournament)
    fields = form_of(desk.get("stage-new", str(tournament.division.pk)))
    wrong = desk.post(
        "stage-new", str(tournament.division.pk), **{**fields, "losers_of": "main", "losers": "2"}
    )
    assert set(wrong.context["stage_form"].errors) == {"losers_of"}
    wrong = desk.post(
        "stage-new", str(tournament.division.pk), **{**fields, "losers_from": "3", "losers": "2"}
    )
    assert set(wrong.context["stage_form"].errors) == {"losers"}
    assert desk.post("stage-new", str(tournament.division.pk), **fields).status_code == 302
    chance = tournament.division.stages.last()
    assert (chance.takes, chance.settings.feed) == (2, Feeding(FeedPart.LOSERS, 1, "lower"))
    page = words(desk.get("divisions"))
    assert "losers of rounds 1–2, Lower bracket (Double elimination)" in page
    assert "lengths 3" in page
    first = form_of(desk.get("stage", str(tournament.division.stages.first().pk)))
    assert (first["lower_lengths"], first["final_length"]) == ("3", 9)


def test_division_when_it_starts_by_itself_then_it_is_said_and_needs_its_number():
    tournament = an_event(3)
    desk = desk_of(tournament)
    fields = {"name": "Jackpot", "team_size": "1", "starts_when_full": "on", "reentries": "0", "moving": "0"}
    wrong = desk.post("division", str(tournament.division.pk), **fields, capacity="")
    assert set(wrong.context["form"].errors) == {"capacity"}
    assert desk.post("division", str(tournament.division.pk), **fields, capacity="4").status_code == 302
    assert (tournament.division.capacity, tournament.division.starts_when_full) == (4, True)
    assert "starts with 4 entries" in words(desk.get("divisions"))
    assert 'name="starts_when_full"' in desk.get("division", str(tournament.division.pk)).content.decode()


def test_settings_when_the_event_is_one_bracket_then_no_division_is_named():
    tournament = an_event(4)
    desk = desk_of(tournament)
    for page in ("entries", "paste", "seeds", "links"):
        assert "division-switch" not in desk.get(page).content.decode()
    assert "More settings" in words(desk.get("stage", str(tournament.stage.pk)))


def test_entries_when_there_are_two_divisions_then_each_has_its_own_list():
    tournament, doubles = two_divisions()
    desk = desk_of(tournament)
    query = {"division": str(doubles.pk)}
    page = words(desk.get("entries", **query))
    assert "Add a team" in page
    assert not re.search(r"\bAnn\b", page)
    assert "Ann" in words(desk.get("entries"))
    teams = {"list": "1. Zoe Zimmer & Yan Yo\nXi Xu / Wim Wu\nAlone", **query}
    answer = desk.post("paste", **teams, step="enter")
    assert answer.status_code == 422
    assert "1 without a name" in words(answer)
    desk.post("paste", **teams, step="enter", **{"out-5": "1"})
    assert {entry.name for entry in doubles.entries.all()} == {"Zoe Zimmer & Yan Yo", "Xi Xu & Wim Wu"}
    assert "Zoe Zimmer" in words(desk.get("links", q="yan", **query))
    assert desk.get("entries", division="999999").status_code == 404
    assert desk.get("entries", division="x").status_code == 404


def test_team_when_a_name_is_known_then_asked_who_is_meant():
    tournament, doubles = two_divisions()
    desk = desk_of(tournament)
    url = f"{desk.url('add-entry')}?division={doubles.pk}"
    asked = desk.client.post(url, {"name": "Ann", "name_2": "Newton New", "team": "Newts"})
    assert "Choose the right player" in words(asked)
    ann = Player.objects.get(name="Ann")
    sent = {
        "name": "Ann",
        "player": ann.public_id,
        "name_2": "Newton New",
        "player_2": "new",
        "team": "Newts",
    }
    assert desk.client.post(url, sent).status_code == 302
    team = doubles.entries.get()
    assert (team.name, [player.name for player in team.players.all()]) == ("Newts", ["Ann", "Newton New"])


def test_party_when_marked_then_directors_see_it_and_nobody_else():
    tournament = an_event(2)
    desk = desk_of(tournament)
    ann = tournament.entry("Ann")
    player = ann.players.get()
    answer = desk.post("entry", ann.public_id, name="Ann", player=player.public_id, party="Secret car")
    assert answer.status_code == 302
    assert "Secret car" in words(desk.get("entries"))
    desk.post("open")
    for page in ("event", "entries"):
        public = signed_in(None).get(reverse(f"public:{page}", args=[tournament.event.public_id]))
        assert "Secret car" not in public.content.decode()


def test_entry_when_another_name_is_typed_without_scripts_then_it_counts():
    tournament = an_event(2)
    desk = desk_of(tournament)
    ann = tournament.entry("Ann")
    player = ann.players.get()
    desk.post("entry", ann.public_id, name="Annabel Other", player=player.public_id, party="")
    ann.refresh_from_db()
    assert (ann.name, Entry.objects.count()) == ("Annabel Other", 2)


def test_buy_back_when_out_then_offered_beside_the_entry():
    tournament = an_event(5, lengths=[1])
    update_division(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        division=DivisionDetails(reentries=1),
    )
    tournament.publish()
    match = tournament.playable()[0]
    loser = tournament.entry_at(match, "b")
    desk = desk_of(tournament)
    assert "Re-enter" not in words(desk.get("entries"))
    tournament.settle(match, "a")
    assert "Re-enter" in words(desk.get("entries"))
    answer = desk.post("buy-back", entry=loser.public_id)
    assert answer["Location"] == desk.url("entries")
    assert f"{loser.name} (2)" in words(desk.get("entries"))


@pytest.mark.parametrize("until", ["0001-01-01T00:00", "9999-12-31T23:59", "soon", "2026-02-30T10:00"])
def test_cut_off_when_it_is_no_sensible_time_then_told_at_its_field(until):
    tournament = an_event()
    answer = desk_of(tournament).post(
        "division", str(tournament.division.pk), team_size="1", entries_until=until
    )
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"entries_until"}


@pytest.mark.parametrize("number", ["999999", "9" * 30])
def test_division_or_stage_when_there_is_none_of_this_number_then_missing(number):
    desk = desk_of(an_event())
    for page in ("division", "stage-new", "stage"):
        assert desk.get(page, number).status_code == 404
        assert desk.post(page, number).status_code == 404
    assert desk.post("change-division", number, do="up").status_code == 404
    assert desk.post("remove-stage", number).status_code == 404


def test_settings_when_two_directors_save_then_the_second_sees_both_and_can_save_again():
    tournament = an_event(2, lengths=[5])
    desk = desk_of(tournament)
    division, stage = str(tournament.division.pk), str(tournament.stage.pk)
    forms = {
        ("division", division): ({"name": "Hers", "team_size": "1"}, {"name": "Mine", "team_size": "1"}),
        ("stage", stage): ({"lengths": "7"}, {"lengths": "9, 11"}),
        ("conduct", stage): ({"grace": "3"}, {"grace": "7"}),
        ("settings",): (event_fields(name="Hers"), event_fields(name="Mine")),
    }
    for where, (hers, mine) in forms.items():
        page = desk.get(*where)
        seen = page.context["seen"]
        assert seen in page.content.decode()
        usual = form_of(page) if where != ("settings",) else {}
        first = desk.post(*where, **{**usual, **hers, "seen": seen})
        assert first.status_code == 302, where
        second = desk.post(*where, **{**usual, **mine, "seen": seen})
        assert second.status_code == 409
        assert "Another person saved these settings" in words(second)
        changed = next(iter({key for key in hers if hers[key] != mine[key]}))
        assert hers[changed] in {value for _label, value in second.context["differences"]}
        assert f'value="{mine[changed]}"' in second.content.decode()
        now = second.context["seen"]
        assert now != seen
        assert desk.post(*where, **{**usual, **mine, "seen": now}).status_code == 302
    assert (tournament.fresh().name, tournament.division.name, list(tournament.stage.lengths)) == (
        "Mine",
        "Mine",
        [9, 11],
    )
    assert tournament.stage.settings.conduct.lateness.grace == 7


def test_stage_when_odd_over_what_another_director_saved_then_the_mark_is_kept():
    tournament = an_event(2, lengths=[5])
    desk, stage = desk_of(tournament), str(tournament.stage.pk)
    page = desk.get("stage", stage)
    usual = {**form_of(page), "seen": page.context["seen"]}
    assert desk.post("stage", stage, **{**usual, "lengths": "7"}).status_code == 302
    odd = desk.post("stage", stage, **{**usual, "lengths": "none"})
    assert (odd.status_code, odd.context["seen"]) == (422, usual["seen"])


def test_next_one_when_the_side_event_is_drawn_then_offered_and_entries_go_there():
    tournament = an_event(4)
    desk = desk_of(tournament)
    division = str(tournament.division.pk)
    assert "Open “Club night 2”" not in words(desk.get("divisions"))
    tournament.draw()
    assert "Open “Club night 2”" in words(desk.get("divisions"))
    answer = desk.post("change-division", division, do="next")
    made = tournament.event.divisions.last()
    assert answer.url == f"{desk.url('entries')}?division={made.pk}"
    assert f"{tournament.event.name} 2" in words(desk.get("entries", division=str(made.pk)))
    assert desk.post("change-division", str(made.pk), do="next").status_code == 409
    assert "Next division opened" in words(desk.get("audit"))


@pytest.mark.parametrize(
    ("place", "size", "lengths"), [(0, 1, [3]), (1, 1, [1]), (2, 1, [5]), (3, 2, [5]), (4, 3, [5])]
)
def test_side_event_when_chosen_for_a_new_division_then_it_brings_its_settings(place, size, lengths):
    tournament = an_event(2)
    desk = desk_of(tournament)
    desk.post("division-new", name="Fun", first_name="Open", team_size="1", like=f"side-{place}")
    made = tournament.event.divisions.get(name="Fun")
    assert (made.team_size, made.stages.get().lengths) == (size, lengths)


def test_stage_when_it_becomes_a_round_robin_then_head_to_head_comes_first_unless_chosen_otherwise():
    tournament = an_event(4, system="swiss", lengths=[5])
    desk = desk_of(tournament)
    stage = str(tournament.stage.pk)
    usual = form_of(desk.get("stage", stage))
    desk.post("stage", stage, **{**usual, "system": "round_robin"})
    assert details_of_stage(tournament.stage).swiss.tie_breaks[0] == "head_to_head"
    desk.post("stage", stage, **usual)
    desk.post("stage", stage, **{**usual, "system": "round_robin", "tie_break_1": "wins", "tie_break_3": ""})
    assert details_of_stage(tournament.stage).swiss.tie_breaks == ("wins", "head_to_head")


def test_stage_when_more_tie_breaks_are_kept_than_there_is_room_for_then_shown_kept_and_no_others_taken():
    six = ("head_to_head", "wins", "match_points_difference", "sonneborn_berger", "buchholz", "lot")
    tournament = an_event(4, system="swiss", lengths=[5], swiss=SwissSettings(tie_breaks=six))
    desk = desk_of(tournament)
    stage = str(tournament.stage.pk)
    usual = form_of(desk.get("stage", stage))
    assert [usual[f"tie_break_{place}"] for place in range(1, 7)] == list(six)
    assert desk.post("stage", stage, **{**usual, "lengths": "7"}).status_code == 302
    kept = details_of_stage(tournament.stage)
    assert (kept.lengths, kept.swiss.tie_breaks) == ([7], six)
    usual = form_of(desk.get("stage", stage))
    others = {**usual, "tie_break_1": "wins", "tie_break_2": "head_to_head"}
    refused = desk.post("stage", stage, **others)
    assert refused.context["stage_form"].errors["tie_break_6"] == ["Choose at most 5 tie-breaks."]
    assert details_of_stage(tournament.stage).swiss.tie_breaks == six
    assert desk.post("stage", stage, **{**usual, "tie_break_2": ""}).status_code == 302
    assert details_of_stage(tournament.stage).swiss.tie_breaks == (six[0], *six[2:])
    assert "tie_break_6" not in form_of(desk.get("stage", stage))
