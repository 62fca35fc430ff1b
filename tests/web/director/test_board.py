"""The matches board and the match page: call, start, results, disputes, corrections, objections."""

import re

import pytest
from django.http import HttpResponse

from people.actors import Actor
from tests.factories import an_event
from tests.support.director import Desk, desk_of, lines_of, words
from tournaments.matches.services.objections import object_to_result
from tournaments.models import Match, Objection, Report

pytestmark = pytest.mark.django_db


def state_of(desk, match: Match) -> str:
    """The state that the board shows, whatever it is narrowed to."""
    for state in ("now", "waiting", "done"):
        if line := lines_of(desk, state=state).get(match.public_id):
            return line["status"]
    return "nowhere"


@pytest.fixture
def tournament():
    return an_event(4).publish()


def test_board_when_a_match_moves_then_its_line_says_so(tournament) -> None:
    desk = desk_of(tournament)
    match, other = tournament.playable()
    final = Match.objects.get(stage=tournament.stage, status="waiting")
    assert state_of(desk, match) == "ready"
    assert state_of(desk, final) == "waiting"
    desk.post("match-act", match.public_id, "call")
    assert state_of(desk, match) == "called"
    desk.post("match-act", match.public_id, "start")
    assert state_of(desk, match) == "playing"
    desk.post("match-act", match.public_id, "send-back")
    assert state_of(desk, match) == "ready"
    tournament.says(match, "a", 7, 3)
    assert state_of(desk, match) == "reported"
    tournament.says(match, "b", 3, 7)
    assert state_of(desk, match) == "disputed"
    groups = desk.get("board", sort="state").context["groups"]
    assert [group["title"] for group in groups] == ["Disputed", "Ready"]
    tournament.settle(match, "a")
    assert state_of(desk, match) == "confirmed"
    tournament.settle(other, "b")
    assert state_of(desk, final) == "ready"


def test_board_when_nothing_is_published_then_leads_to_the_draw() -> None:
    desk = desk_of(an_event(4).draw())
    assert "Matches appear here when the draw is published." in words(desk.get("board"))


def test_board_when_looked_for_a_name_then_shows_only_its_match(tournament) -> None:
    desk = desk_of(tournament)
    first, second = tournament.playable()
    name = tournament.entry_at(first, "a").name
    assert list(lines_of(desk, q=name.lower())) == [first.public_id]
    assert second.public_id in lines_of(desk, q=str(second.number))
    assert lines_of(desk, q="nobody at all") == {}


def test_board_when_stale_then_the_present_state_is_shown(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    tournament.settle(match, "a", 3)
    answer = desk.post("match-act", match.public_id, "call")
    assert answer.status_code == 409
    text = words(answer)
    assert "This match cannot be called now." in text
    assert "7–3" in text
    assert desk.url("board") in answer.content.decode()


def test_match_when_called_twice_then_the_second_is_told(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    assert desk.post("match-act", match.public_id, "call").status_code == 302
    assert desk.post("match-act", match.public_id, "call").status_code == 409
    assert desk.post("match-act", match.public_id, "dance").status_code == 404


def test_button_when_pressed_on_the_match_page_then_back_there_and_never_elsewhere(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    page = desk.url("match", match.public_id)
    assert desk.post("match-act", match.public_id, "call", back=page)["Location"] == page
    for evil in ("https://evil.example/", "//evil.example", f"{desk.url('board')}//evil.example"):
        answer = desk.post("match-act", match.public_id, "send-back", back=evil)
        assert answer["Location"] == f"{desk.url('board')}#m-{match.public_id}"
        desk.post("match-act", match.public_id, "call")


@pytest.mark.parametrize(
    ("typed", "words_"), [("99", "Enter a table from 1 to 16."), ("x", "Enter a table from 1 to 16.")]
)
def test_table_when_odd_then_says_which_there_are(tournament, typed, words_) -> None:
    match = tournament.playable()[0]
    answer = desk_of(tournament).post("table", match.public_id, table=typed)
    assert answer.status_code == 422
    assert words_ in words(answer)


def test_table_when_taken_freed_and_given_then_follows(tournament) -> None:
    desk = desk_of(tournament)
    first, second = tournament.playable()
    assert desk.post("table", first.public_id, table=str(second.table)).status_code == 409
    assert desk.post("table", first.public_id, table="12").status_code == 302
    first.refresh_from_db()
    assert first.table == 12
    desk.post("table", first.public_id, table="")
    first.refresh_from_db()
    assert first.table is None


# --- results --------------------------------------------------------------------------------------------------------


def test_result_when_recorded_then_confirmed_and_back_to_the_board(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    answer = desk.result(match, 7, 4, note="Fine match", played_at="2026-11-20T20:15")
    assert answer["Location"] == desk.url("board")
    match.refresh_from_db()
    assert (match.status, match.score_a, match.score_b, match.winner_side) == ("confirmed", 7, 4, "a")
    assert match.played_at.isoformat() == "2026-11-20T20:15:00+00:00"
    assert Report.objects.get().note == "Fine match"


@pytest.mark.parametrize(
    ("a", "b", "field"),
    [
        (7, 7, "__all__"),
        (6, 3, "__all__"),
        (9, 3, "score_a"),
        (7, 8, "score_b"),
        (-1, 7, "score_a"),
        ("", 7, "score_a"),
        ("x", 7, "score_a"),
    ],
)
def test_result_when_impossible_then_refused_with_the_reason_and_kept(tournament, a, b, field) -> None:
    match = tournament.playable()[0]
    answer = desk_of(tournament).result(match, a, b, note="Kept words")
    assert answer.status_code == 422
    assert answer.context["form"].errors
    assert "Kept words" in answer.content.decode()
    assert not Report.objects.exists()


def test_result_when_sent_twice_then_recorded_once(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    first = desk.result(match, 7, 4, submission_key="the-same")
    again = desk.result(match, 7, 4, submission_key="the-same")
    assert (first.status_code, again.status_code) == (302, 302)
    assert Report.objects.count() == 1


def test_result_when_somebody_else_was_quicker_then_conflict_with_the_present_result(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    tournament.settle(match, "b", 2)
    answer = desk.result(match, 7, 4)
    assert answer.status_code == 409
    assert "2–7" in words(answer)
    match.refresh_from_db()
    assert match.winner_side == "b"


def test_result_when_a_retirement_then_the_winner_is_asked_for(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    answer = desk.result(match, 5, 3, kind="retired")
    assert answer.status_code == 422
    assert "Choose who won." in words(answer)
    assert desk.result(match, 5, 3, kind="retired", winner="b").status_code == 302
    match.refresh_from_db()
    assert (match.winner_side, match.result_kind) == ("b", "retired")


def test_result_when_a_walk_over_then_recorded_as_one(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    assert desk.result(match, 0, 0, kind="walkover", winner="a").status_code == 302
    match.refresh_from_db()
    assert (match.winner_side, match.result_kind) == ("a", "walkover")


def test_dispute_when_one_claim_is_right_then_one_tap_settles_it(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    tournament.says(match, "a", 7, 3)
    tournament.says(match, "b", 2, 7, note="I won the last game")
    page = words(desk.get("match", match.public_id))
    assert "Conflicting reports" in page
    assert page.count("Use this result") == 2
    assert "I won the last game" in page
    theirs = Report.objects.get(side="b")
    answer = desk.post("decide", match.public_id, version=theirs.version, submission_key="k1")
    assert answer.status_code == 302
    match.refresh_from_db()
    assert (match.status, match.score_a, match.score_b) == ("confirmed", 2, 7)
    again = desk.post("decide", match.public_id, version=theirs.version, submission_key="k1")
    assert again.status_code == 302
    late = desk.post(
        "decide", match.public_id, version=Report.objects.get(side="a").version, submission_key="k2"
    )
    assert late.status_code == 409


def test_dispute_when_a_claim_was_replaced_meanwhile_then_it_is_not_ruled_and_the_new_one_is_shown(
    tournament,
) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    tournament.says(match, "a", 7, 3)
    tournament.says(match, "b", 2, 7)
    shown = desk.get("match", match.public_id).context
    tournament.says(match, "a", 7, 5)
    version = next(claim["version"] for claim in shown["claims"] if claim["side"] == "a")
    ruling = {"version": version, "submission_key": shown["key"]}
    answer = desk.post("decide", match.public_id, **ruling)
    assert answer.status_code == 409
    assert "This report was replaced by a newer one." in words(answer)
    assert [(claim["a"], claim["b"]) for claim in answer.context["claims"]] == [(7, 5), (2, 7)]
    match.refresh_from_db()
    assert match.status == "disputed"
    assert f'name="seen" value="{match.version}"' in answer.content.decode()


def test_dispute_when_anything_was_said_since_the_page_was_drawn_then_it_is_not_ruled(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    tournament.says(match, "a", 7, 3)
    page = desk.get("match", match.public_id).content.decode()
    seen = re.search(r'name="seen" value="(\d+)"', page)[1]
    tournament.says(match, "b", 2, 7)
    ruling = {"version": 1, "submission_key": "k1", "seen": seen}
    answer = desk.post("decide", match.public_id, **ruling)
    assert answer.status_code == 409
    assert "This match has changed in the meantime." in words(answer)
    match.refresh_from_db()
    assert match.status == "disputed"


def test_dispute_when_neither_is_right_then_another_score_settles_it(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    tournament.says(match, "a", 7, 3)
    tournament.says(match, "b", 2, 7)
    assert "Or enter a different score" in words(desk.get("match", match.public_id))
    desk.result(match, 7, 5)
    match.refresh_from_db()
    assert (match.score_a, match.score_b) == (7, 5)


# --- corrections and objections -------------------------------------------------------------------------------------


def fields(a: int, b: int, key: str = "c1", **more: object) -> dict[str, object]:
    return {"score_a": a, "score_b": b, "kind": "played", "winner": "", "submission_key": key, **more}


def corrected(desk: Desk, match: Match, a: int, b: int, key: str = "c1") -> HttpResponse:
    """Looked at, then made."""
    seen = dict(desk.post("correct", match.public_id, **fields(a, b, key)).context["kept"])["seen"]
    return desk.post("correct", match.public_id, apply="1", **fields(a, b, key, seen=seen))


def test_correction_when_the_winner_changes_then_the_other_goes_on_and_was_announced(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    tournament.settle(match, "a", 3)
    page = words(desk.get("match", match.public_id))
    assert "Before anything changes, you see everything that depends on this result." in page
    answer = corrected(desk, match, 3, 7)
    assert answer["Location"] == desk.url("match", match.public_id)
    final = Match.objects.get(stage=tournament.stage, status="waiting")
    assert tournament.entry_at(match, "b").pk in final.slots.values_list("entry", flat=True)


def test_correction_when_the_next_match_has_begun_then_a_score_leaves_it_and_a_winner_stops_it(
    tournament,
) -> None:
    desk = desk_of(tournament)
    match, other = tournament.playable()
    tournament.settle(match, "a", 3)
    tournament.settle(other, "a", 3)
    final = tournament.playable()[0]
    desk.post("match-act", final.public_id, "start")
    assert corrected(desk, match, 7, 5).status_code == 302
    match.refresh_from_db()
    final.refresh_from_db()
    assert (match.score_b, final.status) == (5, "playing")
    assert corrected(desk, match, 3, 7, "c2").status_code == 302
    final.refresh_from_db()
    assert final.status == "ready"
    assert tournament.entry_at(match, "b").pk in final.slots.values_list("entry", flat=True)


def test_correction_when_impossible_or_too_early_then_refused(tournament) -> None:
    desk = desk_of(tournament)
    match, other = tournament.playable()
    tournament.settle(match, "a", 3)
    wrong = desk.post("correct", match.public_id, **fields(7, 7))
    assert wrong.status_code == 422
    assert desk.post("correct", other.public_id, **fields(7, 2)).status_code == 409


def test_objection_when_raised_then_shown_everywhere_and_settled_once(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    tournament.settle(match, "a", 3)
    loser = tournament.entry_at(match, "b")
    object_to_result(actor=Actor.with_label("x"), match_id=match.pk, entry=loser, text="It was 7–5")
    for page in ("event", "board"):
        assert "It was 7–5" in words(desk.get(page))
    objection = Objection.objects.get()
    assert desk.post("settle", match.public_id, objection=objection.pk).status_code == 302
    assert desk.post("settle", match.public_id, objection=objection.pk).status_code == 302
    assert "It was 7–5" not in words(desk.get("board"))
    assert desk.post("settle", match.public_id, objection=999999).status_code == 404


def test_names_when_they_hold_markup_then_shown_as_text() -> None:
    tournament = an_event()
    desk = desk_of(tournament)
    desk.post("paste", list="<script>alert(1)</script> Ann\nBob & Co", step="enter")
    tournament.publish()
    for page in ("entries", "draw", "board", "links", "sheet", "audit", "event"):
        assert "<script>alert" not in desk.get(page).content.decode()


def test_enter_in_a_score_field_records_the_result_and_checks_no_file(tournament) -> None:
    desk = desk_of(tournament)
    page = desk.get("match", tournament.playable()[0].public_id).content.decode()
    form = page.partition("/result/")[2].partition("</form>")[0]
    first, *others = re.findall(r"<button[^>]*type=\"submit\"[^>]*>", form)
    assert "name=" not in first
    assert any('name="check"' in button for button in others)


# --- who won ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["0", ""])
def test_result_when_the_winner_and_the_losers_points_are_given_then_the_length_fills_in(
    tournament, typed
) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    assert desk.result(match, 4, typed, winner="b").status_code == 302
    match.refresh_from_db()
    assert (match.winner_side, match.score_a, match.score_b) == ("b", 4, match.length)


def test_result_when_the_winner_has_other_points_then_nothing_is_filled_in(tournament) -> None:
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    assert desk.result(match, 6, 3, winner="a").status_code == 422
    contradicted = desk.result(match, 7, 3, winner="b")
    assert contradicted.status_code == 422
    assert contradicted.context["form"].errors
    assert not Report.objects.exists()
