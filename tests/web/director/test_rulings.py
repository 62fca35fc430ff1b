"""The director rules on a match from its page: lateness, points without a game, every kind of result, adjourn and resume."""

import itertools
import json
import re

import pytest

from games.rules.policies import CorrectedUntil, MovesPolicy, SlipRules
from people.models import AuditEntry
from tests.factories import a_user, an_event
from tests.support.director import desk_of, lines_of, words
from tests.support.lanes import the_few_or
from tournaments.engine.matches.result_kinds import RESULT_RULES, WinnerRule
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.types import ResultKind
from tournaments.matches.web.result_form import CLAIMABLE_KINDS
from tournaments.models import Division, Match
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.events.formats import match_format
from tournaments.shared.words.names import result_kind_note

pytestmark = pytest.mark.django_db
START = "4HPwATDgc/ABMA"


@pytest.fixture
def tournament():
    return an_event(4, lengths=[7]).publish()


@pytest.fixture
def match(tournament):
    return tournament.playable()[0]


@pytest.fixture
def desk(tournament):
    return desk_of(tournament)


def now(match):
    match.refresh_from_db()
    return match


def adjourn_fields(match, **changes):
    return {"score_a": "3", "score_b": "2", "cube": "1", "seen": str(now(match).version), **changes}


def start_of(match):
    now(match)
    return match.start_a, match.start_b


# --- lateness and awards ------------------------------------------------------------------------------------------


def test_late_when_asked_then_the_schedule_is_shown_and_nothing_is_given_before_the_second_press(desk, match):
    fields = {"late": "a", "minutes": "16", "seen": str(match.version)}
    text = words(desk.post("late", match.public_id, **fields))
    assert "is 16 minutes late: 2 points for" in text
    assert start_of(match) == (0, 0)
    done = desk.post("late", match.public_id, **fields, apply="1")
    assert done["Location"] == desk.url("match", match.public_id)
    assert start_of(match) == (0, 2)
    assert "starts at 0–2" in words(desk.get("board"))


def test_late_when_it_passes_half_the_length_then_the_walk_over_is_one_press(desk, tournament, match):
    late, there = (tournament.entry_at(match, side).name for side in "ba")
    page = desk.post("late", match.public_id, late="b", minutes="25", seen=str(match.version))
    assert f"{late} is 25 minutes late. {there} wins this match." in words(page)
    panel = page.content.decode().split('id="late-preview"')[1].split("</form>")[0]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', panel))
    fields.pop("csrfmiddlewaretoken", None)
    desk.post("result", match.public_id, **fields)
    now(match)
    assert (match.status, match.result_kind, match.winner_side) == ("confirmed", "walkover", "a")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"minutes": ""}, "This field is required."),
        ({"minutes": "-3"}, "greater than or equal to 0"),
        ({"minutes": "many"}, "Enter a whole number."),
        ({"minutes": "601"}, "less than or equal to 600"),
        ({"late": "c"}, "Select a valid choice."),
    ],
)
def test_late_when_odd_then_said_at_its_field(desk, match, fields, said):
    sent = {"late": "a", "minutes": "10", "seen": str(match.version), **fields}
    answer = desk.post("late", match.public_id, **sent)
    assert answer.status_code == 422
    assert said in words(answer)


def test_award_when_given_and_taken_back_then_page_trail_and_public_page_tell_it(desk, tournament, match):
    name = tournament.entry_at(match, "a").name
    given = {"to": "a", "why": "penalty", "points": "2", "note": "Phone at the table"}
    desk.post("award", match.public_id, **given, seen=str(match.version))
    assert start_of(match) == (2, 0)
    line = f"Penalty: 2 points for {name} (Phone at the table)"
    public = f"/m/{match.public_id}/"
    assert line in words(desk.get("match", match.public_id))
    assert line in words(desk.client.get(public))
    assert "2 points awarded without play (penalty)" in words(desk.get("audit"))
    desk.post("take-back-award", match.public_id, number="0", seen=str(match.version))
    assert start_of(match) == (0, 0)
    assert line not in words(desk.client.get(public))


def test_award_when_it_would_end_the_match_then_refused_with_what_to_do(desk, match):
    answer = desk.post(
        "award", match.public_id, to="a", why="start", points="7", note="", seen=str(match.version)
    )
    assert answer.status_code == 422
    assert "Record the result instead." in words(answer)


def test_rulings_when_two_directors_are_at_it_then_the_second_is_told_409(desk, match):
    old = str(match.version)
    assert desk.post("award", match.public_id, to="a", why="start", points="1", seen=old).status_code == 302
    sent = {
        "award": {"to": "b", "why": "start", "points": "1"},
        "late": {"late": "a", "minutes": "10", "apply": "1"},
        "take-back-award": {"number": "0"},
        "adjourn": adjourn_fields(match),
        "resume": {},
    }
    for page, fields in sent.items():
        answer = desk.post(page, match.public_id, **{**fields, "seen": old})
        assert answer.status_code == 409, page
        assert "has changed in the meantime" in words(answer)
    assert start_of(match) == (1, 0)


@pytest.mark.parametrize("page", ["late", "award", "take-back-award", "adjourn", "resume"])
def test_rulings_when_nonsense_is_sent_then_never_a_500(desk, tournament, match, page):
    for fields in ({}, {"seen": "x"}, {"seen": "9" * 40}, {"seen": "\0", "number": "-1", "minutes": "\0"}):
        assert desk.post(page, match.public_id, **fields).status_code in {404, 409, 422}
    assert desk_of(tournament, a_user()).post(page, match.public_id, seen="1").status_code == 403


# --- every kind of result -----------------------------------------------------------------------------------------


def in_bracket():
    return an_event(4, lengths=[7]).publish()


def in_table(system):
    tournament = an_event(4, system=system, lengths=[7], swiss=SwissSettings(rounds=3))
    where = {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": tournament.stage.pk}
    publish_round(**where, seen=pair_next_round(**where, seed=3).version)
    tournament.fresh()
    return tournament


SYSTEMS = {
    "bracket": in_bracket,
    "swiss": lambda: in_table("swiss"),
    "round robin": lambda: in_table("round_robin"),
}


EVERY_KIND = [(system, kind) for kind in CLAIMABLE_KINDS for system in SYSTEMS]


ONE_SYSTEM_EACH = list(zip(itertools.cycle(SYSTEMS), CLAIMABLE_KINDS, strict=False))


@pytest.mark.parametrize(("system", "kind"), the_few_or(EVERY_KIND, ONE_SYSTEM_EACH))
def test_every_kind_of_result_can_be_recorded_in_every_system(system, kind):
    tournament = SYSTEMS[system]()
    match, desk = tournament.playable()[0], desk_of(tournament)
    one = RESULT_RULES[kind].winner is WinnerRule.ONE
    a, b = (7, 3) if kind is ResultKind.PLAYED else (0, 0)
    answer = desk.result(match, a, b, kind=kind.value, winner="a" if one else "")
    assert answer.status_code == 302, words(answer)
    now(match)
    assert (match.status, match.result_kind, match.winner_side) == ("confirmed", kind, "a" if one else "")
    for page in ("event", "bracket"):
        assert (
            desk.client.get(
                f"/e/{tournament.event.public_id}/{'' if page == 'event' else 'bracket/'}"
            ).status_code
            == 200
        )
    public = words(desk.client.get(f"/m/{match.public_id}/"))
    assert result_kind_note(kind) in public.casefold()


@pytest.mark.parametrize("kind", [ResultKind.WALKOVER, ResultKind.FORFEIT, ResultKind.DOUBLE_WALKOVER])
def test_result_when_nothing_was_played_then_the_score_may_be_left_empty(desk, match, kind):
    desk.post("award", match.public_id, to="a", why="start", points="2", seen=str(match.version))
    one = RESULT_RULES[kind].winner is WinnerRule.ONE
    desk.result(match, "", "", kind=kind.value, winner="b" if one else "")
    now(match)
    assert (match.status, match.score_a, match.score_b) == ("confirmed", 2, 0)


@pytest.mark.parametrize(
    ("kind", "a", "b", "winner", "said"),
    [
        ("retired", 3, 2, "", "Choose who won."),
        ("retired", "", 2, "a", "Enter this player’s points."),
        ("walkover", 3, 2, "a", "This side keeps its 0 points, because the match was not played."),
        ("double_walkover", 0, 0, "a", "This kind of result has no winner."),
        ("unfinished", 7, 2, "", "With this result neither side can have 7 points."),
        ("disqualified", 7, 2, "", "Choose who won."),
        ("bye", 0, 0, "a", "Select a valid choice."),
        ("adjourned", 3, 2, "", "Select a valid choice."),
    ],
)
def test_result_when_the_kind_does_not_fit_then_said_without_any_script(
    desk, match, kind, a, b, winner, said
):
    answer = desk.result(match, a, b, kind=kind, winner=winner)
    assert answer.status_code == 422
    assert said in words(answer)
    assert now(match).status == "ready"


def test_result_form_tells_each_kind_s_rule_and_leads_to_the_page_of_them_all(desk, match):
    page = desk.get("match", match.public_id).content.decode()
    data = re.search(r'<script id="result-rules" type="application/json">(.*?)</script>', page, re.DOTALL)
    rules = {rule["kind"]: rule for rule in json.loads(data[1])}
    assert set(rules) == {kind.value for kind in CLAIMABLE_KINDS}
    assert rules["played"]["counts"].endswith("Ratings: yes.")
    assert rules["double_walkover"]["winner"] is False
    assert 'href="/help/results/"' in page


def test_double_walk_over_when_it_empties_a_place_then_its_cards_say_nobody(desk, tournament, match):
    desk.result(match, 0, 0, kind="double_walkover")
    final = Match.objects.get(round__code="final")
    assert "No player" in words(desk.get("match", final.public_id))


# --- adjourn ------------------------------------------------------------------------------------------------------


def test_adjourn_when_written_down_then_board_page_and_public_show_where_it_goes_on(desk, tournament, match):
    desk.post(
        "adjourn",
        match.public_id,
        **adjourn_fields(
            match,
            cube="2",
            cube_owner="b",
            position="XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
            on_roll="a",
            dice="61",
            clock_a="7:30",
            clock_b="12",
            resumes_on="2131-12-03",
            resumes_at="19:30",
            place="Café Central",
        ),
    )
    now(match)
    assert (match.status, match.adjourned["position"], match.adjourned["dice"]) == (
        "adjourned",
        START,
        [6, 1],
    )
    assert (match.adjourned["clock_a"], match.adjourned["clock_b"]) == (450, 720)
    (line,) = lines_of(desk, state="adjourned").values()
    assert line["notes"] == ["resumes 3 December, 19:30"]
    b = tournament.entry_at(match, "b").name
    for page in (desk.get("match", match.public_id), desk.client.get(f"/m/{match.public_id}/")):
        text = words(page)
        assert f"2, owned by {b}" in text
        assert "Café Central" in text
        assert "7:30" in text
        assert '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 480"' in page.content.decode()
    assert "adjourned at 3–2, cube 2" in words(desk.get("audit"))


def test_adjourn_when_something_is_wrong_then_all_of_it_is_said_and_all_typed_is_kept(desk, match):
    answer = desk.post(
        "adjourn",
        match.public_id,
        **adjourn_fields(
            match, score_a="7", cube="4", position="what?", resumes_on="2020-01-01", place="Bar 5"
        ),
    )
    text = words(answer)
    assert answer.status_code == 422
    for said in (
        "With this result neither side can have 7 points.",
        "Choose an owner for a turned cube.",
        "This position is not valid.",
        "Choose whose turn it is.",
        "This date has passed.",
    ):
        assert said in text
    assert 'value="Bar 5"' in answer.content.decode()
    assert 'value="what?"' in answer.content.decode()
    assert now(match).status == "ready"


@pytest.mark.parametrize(
    ("field", "value"), [("dice", "7-1"), ("dice", "x"), ("clock_a", "soon"), ("clock_b", "7:75")]
)
def test_adjourn_when_dice_or_clocks_cannot_be_read_then_said_at_the_field(desk, match, field, value):
    answer = desk.post("adjourn", match.public_id, **adjourn_fields(match, **{field: value}))
    assert answer.status_code == 422
    assert field in answer.context["rulings"].adjourn.errors


def test_adjourned_match_when_it_goes_on_then_it_is_ready_and_its_result_can_be_recorded(desk, match):
    desk.post("adjourn", match.public_id, **adjourn_fields(match))
    page = desk.get("match", match.public_id)
    assert "Resume now" in words(page)
    assert page.context["form"].initial["score_a"] == 3
    desk.post("resume", match.public_id, seen=str(now(match).version))
    assert now(match).status == "ready"
    assert "Cube in the middle" in words(desk.get("match", match.public_id))
    refused = desk.result(match, 7, 1)
    assert "This side started with 2 points and cannot have fewer." in words(refused)
    desk.result(match, 7, 2)
    assert now(match).status == "confirmed"
    assert "Cube in the middle" not in words(desk.get("match", match.public_id))


# --- the stage's rules --------------------------------------------------------------------------------------------


def conduct_fields(**changes):
    return {
        "grace": "0",
        "step": "10",
        "points": "2",
        "lost_as": "forfeit",
        "delay": "12",
        "reserve_a_point": "120",
        "less_a_scored_point": "60",
        "slow_grace": "5",
        "slow_step": "5",
        "slow_points": "1",
        "clocks": "without",
        "overtime": "0",
        "moves": "legal",
        "start": "first_play",
        "score": "next_game",
        "rated": "on",
        **changes,
    }


def conduct(desk, tournament, **changes):
    return desk.post("conduct", str(tournament.stage.pk), **conduct_fields(**changes))


def test_conduct_when_saved_then_pages_tell_it_and_other_settings_stay(desk, tournament, match):
    assert "Match" in words(desk.get("conduct", str(tournament.stage.pk)))
    assert conduct(desk, tournament, clocks="required").status_code == 302
    assert "from 20 minutes the match is lost" in words(desk.get("match", match.public_id))
    clock = "Clock: 12 seconds per move, reserve 14:00 for each side"
    assert clock in words(desk.get("match", match.public_id))
    assert clock in words(desk.client.get(f"/m/{match.public_id}/"))
    page = desk.post("late", match.public_id, late="a", minutes="20", seen=str(match.version))
    assert "Record forfeit" in words(page)
    assert AuditEntry.objects.filter(action="stage.conduct").count() == 1


def test_conduct_when_clocks_are_preferred_then_stage_match_rules_and_trail_say_so(desk, tournament, match):
    conduct(desk, tournament, clocks="preferred", slow_points="2")
    when = "(preferred: used if one side wants it)"
    assert when in words(desk.client.get(f"/m/{match.public_id}/"))
    assert "preferred: if one side wants a clock" in words(
        desk.client.get(f"/e/{tournament.event.public_id}/")
    )
    rules = words(desk.client.get(f"/e/{tournament.event.public_id}/rules/"))
    assert when in rules
    assert "2 points for every 5 minutes over, after the first 5" in rules
    assert "Clocks: preferred: if one side wants a clock." in words(desk.get("audit"))
    conduct(desk, tournament, clocks="without")
    assert "Played without clocks." in words(desk.get("audit"))


def test_clock_when_put_on_with_the_score_then_everybody_reads_the_reserve_and_it_can_be_taken_off(
    desk, tournament, match
):
    odd = desk.post("clock", match.public_id, score_a="3", seen=str(match.version))
    assert odd.status_code == 422
    assert "of both players, or leave both empty" in words(odd)
    high = desk.post("clock", match.public_id, score_a="7", score_b="2", seen=str(match.version))
    assert (high.status_code, "fewer than 7 points" in words(high)) == (422, True)
    done = desk.post("clock", match.public_id, score_a="3", score_b="2", seen=str(match.version))
    assert done["Location"] == desk.url("match", match.public_id)
    line = "12 seconds per move, reserve 9:00 for each side (from 3–2)"
    assert line in words(desk.get("match", match.public_id))
    assert line in words(desk.client.get(f"/m/{match.public_id}/"))
    token = entry_token(tournament.entry_at(match, "a"))
    assert line in words(desk.client.get(f"/my/{token}/"))
    assert "clock added at 3–2, reserve 9:00 for each side" in words(desk.get("audit"))
    stale = desk.post("clock-off", match.public_id, seen=str(match.version))
    assert stale.status_code == 409
    desk.post("clock-off", match.public_id, seen=str(now(match).version))
    assert now(match).clock == {}
    assert line not in words(desk.client.get(f"/m/{match.public_id}/"))


def test_slow_when_given_then_the_schedule_counts_it_and_it_stands_beside_the_match(desk, tournament, match):
    odd = desk.post("slow", match.public_id, slow="a", minutes="-1", seen=str(match.version))
    assert odd.status_code == 422
    desk.post("slow", match.public_id, slow="a", minutes="16", seen=str(match.version))
    assert start_of(match) == (0, 2)
    name = tournament.entry_at(match, "a").name
    assert f"Slow play by {name}, 16 minutes over: 2 points" in words(
        desk.client.get(f"/m/{match.public_id}/")
    )
    desk.post("slow", match.public_id, slow="a", minutes="600", seen=str(match.version))
    assert start_of(match) == (0, 3)  # in the place of the former, and half the length at most
    desk.post("take-back-award", match.public_id, number="0", seen=str(match.version))
    assert start_of(match) == (0, 0)


def test_conduct_when_not_rated_then_the_form_says_so_and_it_is_fixed_by_the_first_result(
    desk, tournament, match
):
    conduct(desk, tournament, rated=None)
    rules = desk.get("match", match.public_id).context["form"].rules
    assert all(rule["counts"].endswith("Ratings: no.") for rule in rules)
    desk.result(match, 7, 3)
    answer = conduct(desk, tournament)
    assert answer.status_code == 409
    assert "you cannot change whether it is rated" in words(answer)


@pytest.mark.parametrize(
    "changes",
    [
        {"step": "0"},
        {"grace": "-1"},
        {"points": "x"},
        {"delay": "99999"},
        {"lost_as": "bye"},
        {"slow_step": "0"},
        {"clocks": "on"},
        *({"overtime": "-1"}, {"overtime": "3601"}, {"moves": "none"}, {"start": ""}, {"score": "never"}),
    ],
)
def test_conduct_when_odd_then_refused_at_its_field(desk, tournament, changes):
    answer = conduct(desk, tournament, **changes)
    assert answer.status_code == 422
    assert set(changes) <= set(answer.context["form"].errors)


def test_conduct_when_slips_and_overtime_are_set_then_kept_told_on_the_pages_and_in_the_trail(
    desk, tournament, match
):
    changes = {
        "clocks": "required",
        "overtime": "60",
        "moves": "responsible",
        "start": "next_game",
        "score": "result",
        "holland": "on",
    }
    assert conduct(desk, tournament, **changes).status_code == 302

    kept = tournament.stage.settings.conduct
    assert kept.slips == SlipRules(MovesPolicy.RESPONSIBLE, CorrectedUntil.NEXT_GAME, CorrectedUntil.RESULT)
    assert kept.clocks.overtime == 60
    assert kept.holland
    assert match_format(tournament.stage, 7).holland
    shown = words(desk.get("conduct", str(tournament.stage.pk)))
    assert "reserve 14:00 for each side, then 1:00 of overtime" in shown
    assert "Responsible moves: the opponent may accept an illegal play." in shown
    rules = words(desk.client.get(f"/e/{tournament.event.public_id}/rules/"))
    assert "A wrong starting position is corrected until the next game is recorded." in rules
    trail = words(desk.get("audit"))
    assert "Responsible moves: the opponent may accept an illegal play." in trail
    assert "A wrong score is corrected until the result is recorded." in trail
    assert "Overtime: 60 seconds." in trail
    for page in (shown, rules, trail):
        assert (
            "Holland rule: after the Crawford game, doubling is allowed only once both sides have rolled twice."
            in page
        )


def test_conduct_of_another_event_s_stage_is_not_found(desk):
    other = an_event(2)
    assert desk.get("conduct", str(other.stage.pk)).status_code == 404


def test_conduct_when_two_make_an_entry_then_the_clocks_of_teams_are_offered():
    tournament = an_event(0)
    Division.objects.update(team_size=2)
    form = desk_of(tournament).get("conduct", str(tournament.stage.pk)).context["form"]
    assert (form.initial["delay"], form.initial["reserve_a_point"], form.initial["clocks"]) == (
        18,
        150,
        "without",
    )
