"""The desk line through its address: what is shown, what is done, what is refused, and twice is once."""

from itertools import count

import pytest

from people.models import Assistance
from tests.factories import a_director, a_user, an_event
from tests.support.director import Desk, desk_of, words
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.statuses import MatchAction, MatchStatus
from tournaments.hall.services.calling import move_match
from tournaments.matches.services.rulings import add_clock
from tournaments.models import Match, Report
from tournaments.models.trail import audit_scope

pytestmark = pytest.mark.django_db
SCRIPT = {"X-Requested-With": "desk"}
KEYS = (f"line-{number}" for number in count())


@pytest.fixture
def tournament():
    """Eight in a bracket to 5, four tables: Ann meets somebody at a table each."""
    return an_event(8, tables=4, lengths=[5]).publish()


def shown(desk: Desk, line: str) -> dict:
    answer = desk.client.get(desk.url("line"), {"line": line}, headers=SCRIPT)
    assert answer.status_code == 200
    return answer.json()


def enters(desk: Desk, line: str, key: str = "", mark: str | None = None):
    """Types a line, looks at what it means and presses Enter."""
    mark = shown(desk, line)["meanings"][0]["mark"] if mark is None else mark
    return sends(desk, line, mark, key)


def sends(desk: Desk, line: str, mark: str, key: str = "", **more: str):
    data = {"line": line, "mark": mark, "submission_key": key or next(KEYS), **more}
    return desk.client.post(desk.url("line"), data, headers=SCRIPT)


def names_at(tournament, match: Match) -> tuple[str, str]:
    return tournament.entry_at(match, "a").name, tournament.entry_at(match, "b").name


def test_preview_when_a_result_is_typed_then_winner_match_and_what_follows(tournament):
    match = Match.objects.get(table=1)
    left, right = names_at(tournament, match)
    told = shown(desk_of(tournament), f"1 {left} 3")
    (meaning,) = told["meanings"]
    assert (meaning["before"], meaning["strong"], meaning["after"]) == (
        "Table 1 · #1",
        f"{left} 5–3",
        f"{right}, to 5",
    )
    assert meaning["follows"] == [
        f"{left} plays #5 (Semifinal), waits for #2",
        f"{right} is out",
        "table 1 becomes free",
    ]
    assert meaning["mark"] == f"result:{match.public_id}:{match.version}:played:5-3:a"
    assert not Report.objects.exists()


def test_enter_when_the_line_was_shown_then_recorded_and_told(tournament):
    match = Match.objects.get(table=1)
    left, right = names_at(tournament, match)
    answer = enters(desk_of(tournament), f"1 {left} 3")
    assert answer.json() == {
        "done": f"Table 1: {left} 5–3 {right} · table 1 becomes free",
        "match": match.public_id,
    }
    match.refresh_from_db()
    assert (match.status, match.score_a, match.score_b) == (MatchStatus.CONFIRMED, 5, 3)


def test_enter_when_pressed_twice_then_once_recorded_and_the_same_answer(tournament):
    desk = desk_of(tournament)
    line = f"1 {names_at(tournament, Match.objects.get(table=1))[0]}"
    mark = shown(desk, line)["meanings"][0]["mark"]
    first, again = (sends(desk, line, mark, "once") for _ in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["done"] == again.json()["done"]
    assert Report.objects.count() == 1


def test_call_when_its_answer_was_lost_then_the_same_sending_calls_no_second_match(tournament):
    desk = desk_of(tournament)
    called = [sends(desk, "call", "typed", "one-key").json()["done"] for _ in range(2)]
    assert called[0] == called[1]
    assert Match.objects.filter(status=MatchStatus.CALLED).count() == 1
    # The key counts for this line alone.
    assert sends(desk, "call 2", "typed", "one-key").status_code == 409


def test_line_when_enter_was_quicker_than_the_preview_then_done_if_it_has_one_meaning(tournament):
    desk = desk_of(tournament)
    assert sends(desk, "1 5-3", "typed").json()["done"].startswith("Table 1: ")
    asked = sends(desk, "2 w/o", "typed", "asked")
    assert (asked.status_code, len(asked.json()["meanings"])) == (409, 2)
    chosen = asked.json()["meanings"][0]["mark"]
    assert sends(desk, "2 w/o", chosen, "asked").status_code == 200  # nothing was done under the key before
    unknown = sends(desk, "qqqq 3", "typed")
    assert (unknown.status_code, unknown.json()["meanings"]) == (409, [])


def test_line_when_one_before_it_was_rejected_then_only_a_result_is_done_without_a_look(tournament):
    desk = desk_of(tournament)
    assert sends(desk, "1 5-3", "typed-result").status_code == 200
    held = sends(desk, "undo", "typed-result")
    assert (held.status_code, held.json()) == (409, {"waits": True})
    assert Report.objects.count() == 1


def test_line_when_another_account_typed_it_then_not_done(tournament):
    xenia = a_director(tournament.club, "Xenia")
    desk = desk_of(tournament)
    answer = sends(desk, "1 5-3", "typed", account=str(xenia.pk))
    assert (answer.status_code, answer.json()) == (409, {"other_account": True})
    assert not Report.objects.exists()
    assert sends(desk, "1 5-3", "typed", account=str(tournament.director.pk)).status_code == 200


def test_second_director_when_it_is_reported_already_then_told_by_whom_and_nothing_changes(tournament):
    other = desk_of(tournament, a_director(tournament.club, "Xenia"))
    desk = desk_of(tournament)
    left, right = names_at(tournament, Match.objects.get(table=1))
    seen = shown(desk, f"1 {right} 2")["meanings"][0]["mark"]
    enters(other, f"1 {left} 3", "x")
    answer = sends(desk, f"1 {right} 2", seen)
    assert answer.status_code == 409
    (said,) = answer.json()["sentences"]
    assert said.startswith(f"Already reported: {left} 5–3 {right}, by Xenia at ")
    for line in (f"1 {right} 2", "1 5-1", f"#1 {left}", f"{left} 5 1"):
        assert shown(desk, line)["sentences"] == [said]
    assert Report.objects.count() == 1


def test_enter_when_the_line_means_something_else_by_now_then_nothing_is_done(tournament):
    desk = desk_of(tournament)
    match = Match.objects.get(table=1)
    line = f"1 {names_at(tournament, match)[0]}"
    mark = shown(desk, line)["meanings"][0]["mark"]
    move_match(
        actor=tournament.actor, event_id=tournament.event.pk, match_id=match.pk, action=MatchAction.START
    )
    answer = sends(desk, line, mark)
    assert answer.status_code == 409
    assert "changed in the meantime" in answer.json()["sentences"][0]
    assert answer.json()["meanings"][0]["mark"] != mark
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    "mark", ["result:x:0:played:5-0:a", "result:\0:0", "\0", "result:", "call", "9" * 300]
)
def test_enter_when_the_mark_is_made_up_then_refused(tournament, mark):
    answer = sends(desk_of(tournament), "1 5-3", mark)
    assert answer.status_code == 409
    assert not Report.objects.exists()


def test_key_when_no_database_could_keep_it_then_refused_with_words(tournament):
    answer = enters(desk_of(tournament), "1 5-3", "\0")
    assert answer.status_code == 409
    assert answer.json()["sentences"]


def test_walkover_when_entered_then_the_named_one_goes_on(tournament):
    match = Match.objects.get(table=2)
    left, right = names_at(tournament, match)
    desk = desk_of(tournament)
    (meaning,) = shown(desk, f"#2 w/o {right}")["meanings"]
    assert (meaning["strong"], meaning["after"]) == (right, f"advances: walkover, {left} does not play")
    assert len(shown(desk, "#2 w/o")["meanings"]) == 2
    enters(desk, f"#2 w/o {right}")
    match.refresh_from_db()
    assert (match.result_kind, match.winner_side) == ("walkover", "b")


def test_calls_when_entered_then_the_one_that_was_shown(tournament):
    desk = desk_of(tournament)
    first = Match.objects.get(table=1)
    (meaning,) = shown(desk, "call")["meanings"]
    assert meaning["strong"] == " – ".join(names_at(tournament, first))
    assert sends(desk, "call", meaning["mark"]).json()["done"].endswith("to table 1")
    # Once more with the mark of then: another match is next by now.
    assert sends(desk, "call", meaning["mark"]).status_code == 409
    assert enters(desk, "call 3").status_code == 200
    assert set(Match.objects.filter(status=MatchStatus.CALLED).values_list("table", flat=True)) == {1, 3}
    assert shown(desk, "call 3")["sentences"] == ["This match has already been called or started."]


def test_lateness_when_entered_then_points_or_the_match(tournament):
    desk = desk_of(tournament)
    match = Match.objects.get(table=1)
    left, right = names_at(tournament, match)
    (meaning,) = shown(desk, f"late {left} 12")["meanings"]
    assert (meaning["strong"], meaning["after"]) == (f"{left} is 12 minutes late", f"1 point for {right}")
    enters(desk, f"late {left} 12")
    match.refresh_from_db()
    assert (match.start_a, match.start_b) == (0, 1)
    (lost,) = shown(desk, f"late {left} 40")["meanings"]
    assert lost["strong"] == right
    assert "40 minutes late and loses the match (walkover)" in lost["after"]


@pytest.mark.parametrize(
    ("line", "kind", "score", "strong", "after"),
    [
        ("1 retired {left} 3-2", "retired", (3, 2, "b"), "{right} 2–3", "wins against {left}, to 5: retired"),
        ("1 time {right} 1-4", "lost_on_time", (4, 1, "a"), "{left} 4–1", "wins against {right}, to 5: lost on time"),
        ("1 forfeit {left}", "forfeit", (0, 5, "b"), "{right}", "advances: forfeit, {left} does not play"),
        ("1 dsq {left}", "disqualified", (0, 5, "b"), "{right} 5–0", "wins against {left}, to 5: disqualified"),
        ("1 settled {left} 3-2", "settled", (3, 2, "a"), "{left} 3–2", "wins against {right}, to 5: settled"),
        ("1 nobody", "double_walkover", (0, 0, ""), "{left} 0–0 {right}", "double walkover: no winner"),
        ("1 unfinished 3-4", "unfinished", (3, 4, ""), "{left} 3–4 {right}", "unfinished: no winner"),
    ],
)  # fmt: skip
def test_other_endings_when_entered_then_shown_recorded_told_and_taken_back(
    tournament, line, kind, score, strong, after
):
    match = Match.objects.get(table=1)
    left, right = names_at(tournament, match)
    named, desk = {"left": left, "right": right}, desk_of(tournament)
    (meaning,) = shown(desk, line.format(**named))["meanings"]
    assert (meaning["strong"], meaning["after"]) == (strong.format(**named), after.format(**named))
    assert meaning["follows"]
    told = [enters(desk, line.format(**named), "once", meaning["mark"]).json()["done"] for _ in range(2)]
    assert told[0] == told[1]
    match.refresh_from_db()
    assert (match.result_kind, match.score_a, match.score_b, match.winner_side) == (kind, *score)
    assert enters(desk, "undo").status_code == 200
    match.refresh_from_db()
    assert (match.status, match.table) == (MatchStatus.READY, 1)
    assert integrity_faults(tournament.fresh()) == []


def test_refusal_when_both_sides_have_the_same_fault_then_said_once(tournament):
    assert shown(desk_of(tournament), "1 unfinished 5-5")["sentences"] == [
        "With this result neither side can have 5 points."
    ]


def test_dispute_when_decided_in_the_line_then_the_chosen_word_stands(tournament):
    match, desk = Match.objects.get(table=1), desk_of(tournament)
    left, right = names_at(tournament, match)
    assert shown(desk, "ok")["sentences"] == ["No reports are waiting for you."]
    tournament.says(match, "a", 5, 3)
    (one,) = shown(desk, "ok")["meanings"]
    assert one["before"] == f"Table 1 · #1 · as {left} reported"
    tournament.says(match, "b", 2, 5)
    assert len(shown(desk, "1 ok")["meanings"]) == 2
    assert sends(desk, "ok", one["mark"]).status_code == 409  # the match has changed since
    (meaning,) = shown(desk, f"1 ok {right}")["meanings"]
    assert meaning["strong"] == f"{right} 5–2"
    assert enters(desk, f"1 ok {right}").json()["done"].startswith(f"Table 1: {right} 5–2 {left}")
    match.refresh_from_db()
    assert (match.status, match.winner_side) == (MatchStatus.CONFIRMED, "b")


def test_match_when_adjourned_and_resumed_in_the_line_then_so_and_undone(tournament):
    match, desk = Match.objects.get(table=1), desk_of(tournament)
    enters(desk, "start 1", "a")
    (meaning,) = shown(desk, "adjourn 1 3-2")["meanings"]
    assert "is adjourned at 3–2" in meaning["after"]
    enters(desk, "adjourn 1 3-2", "b")
    match.refresh_from_db()
    assert (match.status, match.table, match.adjourned["score"]) == (MatchStatus.ADJOURNED, None, [3, 2])
    told = shown(desk, "adjourn #1 3-3")
    assert "already adjourned" in told["sentences"][0]
    assert told["go"] == desk.url("match", match.public_id)
    enters(desk, "resume #1", "c")
    match.refresh_from_db()
    assert (match.status, match.adjourned["score"]) == (MatchStatus.READY, [3, 2])
    enters(desk, "undo", "d")
    match.refresh_from_db()
    assert match.status == MatchStatus.ADJOURNED
    assert "adjournment undone" not in enters(desk, "undo", "e").json()["done"]
    match.refresh_from_db()
    assert (match.status, match.adjourned) == (MatchStatus.READY, {})
    assert integrity_faults(tournament.fresh()) == []


def test_match_when_started_and_sent_back_in_the_line_then_so(tournament):
    match, desk = Match.objects.get(table=2), desk_of(tournament)
    assert enters(desk, "2 start", "a").json()["done"].endswith("starts now")
    match.refresh_from_db()
    assert match.status == MatchStatus.PLAYING
    enters(desk, "back 2", "b")
    match.refresh_from_db()
    assert match.status == MatchStatus.READY
    assert shown(desk, "back #2")["sentences"] == ["This match is not at a table."]


def test_swap_when_entered_then_both_have_the_other_table(tournament):
    desk = desk_of(tournament)
    before = {match.pk: match.table for match in Match.objects.filter(table__in=[1, 3])}
    enters(desk, "swap 1 3")
    assert {match.pk: match.table for match in Match.objects.filter(pk__in=before)} == {
        pk: 4 - table for pk, table in before.items()
    }


def test_out_when_entered_then_its_page_and_nothing_done(tournament):
    (meaning,) = shown(desk_of(tournament), "out ann")["meanings"]
    assert meaning["go"] == desk_of(tournament).url("leave", tournament.entry("Ann").public_id)
    assert enters(desk_of(tournament), "out ann").json() == {"go": meaning["go"]}
    assert tournament.entry("Ann").status == "active"


def test_undo_when_nothing_was_done_then_says_so(tournament):
    someone = desk_of(tournament, a_director(tournament.club, "Xenia"))
    assert shown(someone, "undo")["sentences"] == ["You have no action to undo here."]


def test_undo_when_entered_again_and_again_then_one_action_after_the_other(tournament):
    desk = desk_of(tournament)
    match = Match.objects.get(table=1)
    left, _right = names_at(tournament, match)
    enters(desk, "swap 1 2", "a")
    enters(desk, "call 1", "b")
    enters(desk, f"late {left} 12", "c")
    enters(desk, "2 5-3", "d")
    states = []
    for _ in range(4):
        answer = enters(desk, "undo")
        assert answer.status_code == 200, answer.json()
        states.append(answer.json()["done"])
        match.refresh_from_db()
    assert states[0].startswith("Undone: Match ")
    assert states[3].startswith("Undone: Tables 1 and 2 swapped")
    assert not Report.objects.filter(state="confirmed").exists()
    assert Match.objects.filter(status=MatchStatus.CALLED).count() == 0
    assert (match.table, match.start_b, match.status) == (1, 0, MatchStatus.READY)
    assert shown(desk, "undo")["sentences"][0].startswith("This cannot be undone from the command bar")


def test_undo_when_a_clock_was_put_on_then_it_is_taken_off(tournament):
    desk = desk_of(tournament)
    match = Match.objects.get(table=1)
    known = {"actor": tournament.actor, "event_id": tournament.event.pk, "match_id": match.pk}
    add_clock(**known, seen=match.version)
    assert "clock added" in enters(desk, "undo").json()["done"]
    match.refresh_from_db()
    assert match.clock == {}
    assert "Draw published" in shown(desk, "undo")["sentences"][0]


def test_clock_when_put_on_and_taken_off_in_the_line_then_so_shown_and_refused_twice(tournament):
    desk, match = desk_of(tournament), Match.objects.get(table=1)
    (meaning,) = shown(desk, "clock 1 3-2")["meanings"]
    assert meaning["after"] == "is played with a clock from 3–2: reserve 5:00 for each side"
    (plain,) = shown(desk, "clock 1")["meanings"]
    assert enters(desk, "clock 1", mark=plain["mark"]).json()["done"].endswith("from the next game")
    match.refresh_from_db()
    assert match.clock["a"] is None
    assert sends(desk, "clock 1", plain["mark"]).status_code == 409
    assert shown(desk, "clock 1")["sentences"] == ["This match already has a clock. Check its current state."]
    assert enters(desk, "clock 1 3-2").status_code == 200
    assert "clock 12 off" in words(desk.get("line-help"))
    german = {**SCRIPT, "accept-language": "de"}
    (off,) = desk.client.get(desk.url("line"), {"line": "uhr 1 weg"}, headers=german).json()["meanings"]
    assert (off["line"], off["mark"].split(":")[0]) == ("uhr #1 weg", "clock-off")
    assert enters(desk, "1 off").json()["done"].endswith("continues without a clock")
    match.refresh_from_db()
    assert match.clock == {}
    assert shown(desk, "off 1")["sentences"] == ["No clock was added to this match."]
    assert integrity_faults(tournament.fresh()) == []


def test_undo_when_the_next_match_is_called_then_says_that_it_is_sent_back(tournament):
    desk, other = desk_of(tournament), desk_of(tournament, a_director(tournament.club, "Xenia"))
    enters(desk, "1 5-0", "k1")
    enters(desk, "2 5-0", "k2")
    enters(other, "call #5", "x")
    (meaning,) = shown(desk, "undo")["meanings"]
    assert meaning["follows"] == ["match 5 returns to the queue"]
    assert enters(desk, "undo").status_code == 200
    assert Match.objects.get(number=5).status == MatchStatus.WAITING


def test_undo_when_the_result_was_built_on_then_leads_to_its_page(tournament):
    desk, other = desk_of(tournament), desk_of(tournament, a_director(tournament.club, "Xenia"))
    enters(desk, "1 5-0", "k1")
    enters(desk, "2 5-0", "k2")
    enters(other, "#5 5-0", "x")
    told = shown(desk, "undo")
    assert told["sentences"][0].startswith("Later matches depend on this result.")
    assert told["go"] == desk.url("match", Match.objects.get(number=2).public_id)
    assert told["meanings"] == []


def test_undo_when_somebody_else_went_on_then_refused(tournament):
    desk, other = desk_of(tournament), desk_of(tournament, a_director(tournament.club, "Xenia"))
    enters(desk, "call 1")
    enters(other, "1 5-3", "x")
    assert "This match has changed since then" in shown(desk, "undo")["sentences"][0]


def test_page_without_scripts_when_sent_then_shows_and_its_button_does_it(tournament):
    desk = desk_of(tournament)
    left, _right = names_at(tournament, Match.objects.get(table=1))
    page = desk.post("line", line=f"1 {left} 3", back=desk.url("board"))
    assert page.status_code == 200
    assert f"{left} 5–3" in words(page)
    assert not Report.objects.exists()
    mark = page.context["heard"]["meanings"][0]["mark"]
    done = desk.post("line", line=f"1 {left} 3", mark=mark, submission_key="p", back=desk.url("event"))
    assert done.status_code == 302
    assert done["Location"] == desk.url("event")
    assert Report.objects.count() == 1
    refused = desk.post("line", line=f"1 {left} 3", mark=mark, submission_key="q")
    assert refused.status_code == 409
    assert "Already reported" in words(refused)


def test_line_when_two_fit_then_both_are_offered_and_one_can_be_sent(tournament):
    desk = desk_of(tournament)
    (*_, last) = meanings = shown(desk, "1 w/o")["meanings"]
    assert len(meanings) == 2
    assert sends(desk, "1 w/o", last["mark"]).status_code == 200
    assert Match.objects.get(number=1).winner_side == "b"


def test_line_when_the_page_is_german_then_its_words_are_too(tournament):
    desk = desk_of(tournament)
    desk.client.headers = {}
    answer = desk.client.get(desk.url("line"), {"line": "ruf"}, headers={**SCRIPT, "accept-language": "de"})
    assert answer.json()["meanings"][0]["mark"].startswith("call:")


def test_help_when_opened_then_every_word_of_every_language(tournament, settings):
    desk = desk_of(tournament)
    said = words(desk.get("line-help"))
    for text in ("12 bob 3", "#74 w/o ann", "late bob 12", "kampflos", "zurück", "Deutsch"):
        assert text in said
    # A language without words of its own for the line: English ones do.
    settings.LANGUAGES = [*settings.LANGUAGES, ("fr", "French")]
    assert "kampflos" in words(desk.get("line-help"))


def test_field_when_the_event_runs_then_once_on_every_page(tournament):
    for page in ("board", "event", "entries", "settings", "line-help", "audit"):
        assert desk_of(tournament).get(page).content.decode().count('id="desk-line"') == 1


def test_preview_when_a_result_is_typed_then_costs_few_statements(tournament, django_assert_max_num_queries):
    desk = desk_of(tournament)
    with django_assert_max_num_queries(26):
        shown(desk, "1 5-3")


def test_line_of_an_assistant_when_it_is_theirs_then_done_and_else_told(tournament):
    helper = a_user("Hella Helps")
    Assistance.objects.create(user=helper, club=tournament.club, scope=audit_scope(tournament.event))
    desk = desk_of(tournament, helper)
    assert "data-desk-line" in desk.get("board").content.decode()
    assert desk.get("line-help").status_code == 200
    match = Match.objects.get(table=1)
    left, _right = names_at(tournament, match)
    assert enters(desk, "call 2").status_code == 200
    assert enters(desk, f"1 {left} 3").status_code == 200
    assert Report.objects.get(match=match).user == helper
    for line in (
        "say coffee is ready",
        f"out {names_at(tournament, Match.objects.get(table=2))[0]}",
        "3 late 10 ann",
        "clock 3",
    ):
        meanings = shown(desk, line)["meanings"]
        if not meanings:
            continue
        answer = sends(desk, line, meanings[0]["mark"], "k2")
        assert answer.status_code == 409, line
        assert "Only directors can do this" in str(answer.json())
    assert not tournament.event.notices.exists()
    tournament.play_out()
    assert desk.get("line").status_code == 403  # it ends with the event
