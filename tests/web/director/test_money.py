"""The director's page of a points league: agree, start, record, be told what is wrong, correct, strike out, end."""

import pytest

from people.models import AuditEntry
from tests.factories import an_event
from tests.support.director import Desk, signed_in, words
from tests.support.leagues import DAY, a_points_league
from tournaments.engine.statuses import EventStatus, StageStatus
from tournaments.models import MoneySession
from tournaments.money_play.services.sessions import undo_open_points_league
from tournaments.selectors.money import points_league, points_league_settings

pytestmark = pytest.mark.django_db


def desk_of(league):
    return Desk(league, signed_in(league.director))


def fields(league, page, **points):
    """The session form as the page gave it, with points by name; ``key`` and the like override."""
    form = page.context["session_form"]
    given = {name: form[name].value() for name in ("submission_key", "seen")}
    given["played_on"] = DAY.isoformat()
    names = {entry.name: entry.public_id for entry in league.event.divisions.get().entries.all()}
    return given | {f"points-{names[name]}": said for name, said in points.items()}


def test_page_when_nothing_is_started_then_settings_are_saved_and_the_league_starts():
    league = a_points_league(is_open=False)
    desk = desk_of(league)
    page = desk.get("money")
    assert page.status_code == 200
    assert "Start league" in words(page)
    overview = words(desk.get("event"))
    assert "Entries Start Sessions" in overview
    assert "Draw" not in overview
    assert "Matches" not in overview
    saved = desk.post("change-money", "settings", beavers="on", automatic_doubles="1", min_sessions="2")
    assert saved.status_code == 302
    settings = points_league_settings(league.stage)
    assert (settings.jacoby, settings.beavers, settings.automatic_doubles, settings.min_sessions) == (
        False,
        True,
        1,
        2,
    )
    odd = desk.post("change-money", "settings", raccoons="on", automatic_doubles="x", min_sessions="0")
    assert odd.status_code == 422
    wrong = desk.post("change-money", "settings", raccoons="on", automatic_doubles="0", min_sessions="1")
    assert wrong.status_code == 422
    assert "Raccoons need beavers" in words(wrong)
    assert desk.post("change-money", "open").status_code == 302
    page = words(desk.get("money"))
    assert "Record a session" in page
    assert "Start league" not in page
    late = desk.post("change-money", "settings", automatic_doubles="0", min_sessions="1")
    assert late.status_code == 409


def test_session_when_typed_as_people_type_then_recorded():
    league = a_points_league()
    desk = desk_of(league)
    done = desk.post("money", **fields(league, desk.get("money"), Ann="+8", Bob="−5", Cleo="- 3"))
    assert done.status_code == 302
    page = words(desk.get("money"))
    assert "Session 1" in page
    assert "Ann +8, Cleo −3, Bob −5" in page
    assert "Standings after 1 session" in page


def test_session_when_the_same_form_comes_twice_then_it_is_one():
    league = a_points_league()
    desk = desk_of(league)
    form = fields(league, desk.get("money"), Ann="1", Bob="-1")
    assert [desk.post("money", **form).status_code for _ in range(2)] == [302, 302]
    assert MoneySession.objects.count() == 1


def test_session_when_something_is_wrong_then_it_stands_beside_its_field_and_nothing_typed_is_lost():
    league = a_points_league()
    desk = desk_of(league)
    form = fields(league, desk.get("money"), Ann="8", Bob="-5")
    page = desk.post("money", **form)
    assert page.status_code == 422
    assert "The points add up to 3 too many" in words(page)
    assert 'value="8"' in page.content.decode()
    page = desk.post("money", **{**form, **fields(league, desk.get("money"), Ann="eight", Bob="-8")})
    assert page.status_code == 422
    assert "Enter whole points" in words(page)
    page = desk.post("money", **{**form, "played_on": "2131-01-01"})
    assert "not in the future" in words(page)
    assert desk.post("money").status_code == 422
    assert MoneySession.objects.count() == 0
    assert desk.post("money", **form, outsider="on").status_code == 302
    assert "guest −3" in words(desk.get("money"))


def test_session_when_two_directors_record_at_once_then_the_second_is_asked_to_look():
    league = a_points_league()
    desk, other = desk_of(league), desk_of(league)
    mine, theirs = (fields(league, one.get("money"), Ann="1", Bob="-1") for one in (desk, other))
    assert desk.post("money", **mine).status_code == 302
    page = other.post("money", **theirs)
    assert page.status_code == 409
    assert "Session 1 was recorded in the meantime" in words(page)
    again = {**theirs, "seen": page.context["session_form"]["seen"].value()}
    assert other.post("money", **again).status_code == 302
    assert MoneySession.objects.count() == 2


def test_session_when_corrected_then_the_form_has_what_was_recorded():
    league = a_points_league()
    desk = desk_of(league)
    wrong = league.session(Ann=8, Bob=-8, note="Late")
    page = desk.get("money", correct=wrong.public_id)
    assert "Correct session 1" in words(page)
    html = page.content.decode()
    assert 'value="-8"' in html
    assert 'value="Late"' in html
    form = fields(league, page, Ann="6", Bob="-6") | {"corrects": wrong.public_id}
    assert desk.post("money", **form).status_code == 302
    assert points_league(league.stage).rows[0].points == 6
    assert "cancelled" in words(desk.get("money"))
    assert "Session 2 recorded in place of session 1." in words(desk.get("audit"))


def test_action_when_pressed_then_done_and_said_in_the_trail():
    league = a_points_league()
    session = league.session(Ann=8, Bob=-8)
    desk = desk_of(league)
    for action, data in (
        ("strike", {"session": session.public_id}),
        ("restore", {"session": session.public_id}),
        ("finish", {}),
        ("reopen", {}),
        ("finish", {}),
    ):
        assert desk.post("change-money", action, **data).status_code == 302
    assert league.fresh().status == EventStatus.FINISHED
    trail = words(desk.get("audit"))
    for said in (
        "Session 1 cancelled.",
        "Session 1 counts again.",
        "Points league ended.",
        "resumed",
        "started",
    ):
        assert said in trail
    assert AuditEntry.objects.filter(action__startswith="money.").count() == 7


def test_action_when_impossible_then_a_friendly_answer():
    league = a_points_league()
    desk = desk_of(league)
    assert desk.post("change-money", "nonsense").status_code == 404
    assert desk.post("change-money", "strike", session="nobody").status_code == 404
    assert desk.post("change-money", "strike").status_code == 404
    assert desk.post("change-money", "open", stage="99").status_code == 404
    assert desk.post("change-money", "finish").status_code == 409
    assert desk.get("money", stage="x").status_code == 404
    assert desk.get("money", correct="nobody").status_code == 404
    assert desk.post("change-money", "take-back").status_code == 302
    assert league.stage.status == StageStatus.SETUP


def test_page_when_the_event_has_no_money_then_missing():
    tournament = an_event(entries=2)
    desk = Desk(tournament, signed_in(tournament.director))
    assert desk.get("money").status_code == 404
    assert "Points" not in words(desk.get("event"))


@pytest.mark.parametrize(
    "page",
    ["event", "settings", "entries", "paste", "seeds", "draw", "board", "holdups", "links", "audit", "money"],
)
@pytest.mark.parametrize("state", ["setup", "running", "finished"])
def test_every_page_of_the_director_when_money_is_played_then_it_stands(page, state):
    league = a_points_league()
    if state == "setup":
        undo_open_points_league(**league.where)
    else:
        league.session(Ann=8, Bob=-8)
    desk = desk_of(league)
    if state == "finished":
        desk.post("change-money", "finish")
    assert desk.get(page).status_code == 200


def test_draw_when_asked_for_a_points_league_then_refused_in_words():
    league = a_points_league(is_open=False)
    desk = desk_of(league)
    assert desk.post("make-draw").status_code in {409, 422}
    assert desk.post("change-draw", "publish").status_code == 409
    assert "has no draw" in words(desk.get("draw"))
    assert league.stage.status == StageStatus.SETUP
