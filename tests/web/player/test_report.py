"""A player tells how the match ended, on a phone, over a bad network, and sometimes wrongly."""

import re
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import an_event
from tests.support.tournaments import first_match, link_of, revoke, stranger_to, text_of
from tournaments.engine.statuses import MatchAction
from tournaments.hall.services.calling import move_match
from tournaments.models import Match, Objection, Report
from tournaments.selectors.access.links import entry_token

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


class Phone:
    """The phone of one side of a match: the page, and what can be sent from it."""

    def __init__(self, tournament, match, side):
        self.tournament, self.match, self.side = tournament, match, side
        self.token = link_of(tournament, match, side)
        self.client = Client()

    def url(self, name, *args):
        return reverse(f"player:{name}", args=[self.token, *args])

    def page(self):
        return self.client.get(self.url("home"))

    def text(self):
        return text_of(self.page())

    def says(self, mine, theirs, key="k1", **more):
        data = {"mine": mine, "theirs": theirs, "submission_key": key, "kind": "played", "winner": "", **more}
        return self.client.post(self.url("report", self.match.public_id), data, follow=True)

    def agrees(self, version=1, key="a1"):
        return self.client.post(
            self.url("agree", self.match.public_id), {"version": version, "submission_key": key}, follow=True
        )

    def objects(self, text="It was 5–4"):
        return self.client.post(self.url("object", self.match.public_id), {"text": text}, follow=True)


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[5]).publish()


@pytest.fixture
def match(tournament):
    return first_match(tournament)


@pytest.fixture
def ann(tournament, match):
    return Phone(tournament, match, "a")


@pytest.fixture
def bob(tournament, match):
    return Phone(tournament, match, "b")


def other(tournament, match, side):
    return tournament.entry_at(match, side).name


def test_page_tells_opponent_table_length_and_what_to_do(tournament, match, ann):
    text = ann.text()
    assert f"against {other(tournament, match, 'b')}" in text
    assert "Table 1" in text
    assert "to 5 points" in text
    assert "Who won?" in text
    assert "Send result" in text


def test_page_when_called_then_it_says_where_to_come(tournament, match, ann):
    move_match(
        actor=tournament.actor, event_id=tournament.event.pk, match_id=match.pk, action=MatchAction.CALL
    )
    text = ann.text()
    for words in ("Called at", "Table 1", "Please come to table 1 now.", "Match to 5 points"):
        assert words in text
    assert re.search(r"Be at the table by \d\d:\d\d\. After that your opponent gets 1 point", text)
    for action in ("I’m on my way", "I need 5 minutes", "Report result"):
        assert action in text


def test_page_when_called_before_play_begins_then_lateness_counts_from_the_start_of_play(
    tournament, match, ann
):
    now = timezone.now()
    tournament.event.opens_at = (now + timedelta(minutes=20)).time().replace(second=0, microsecond=0)
    tournament.event.save()
    move_match(
        actor=tournament.actor, event_id=tournament.event.pk, match_id=match.pk, action=MatchAction.CALL
    )
    rule = tournament.stage.settings.conduct.lateness
    opens = (now + timedelta(minutes=20)).replace(second=0, microsecond=0)
    by = opens + timedelta(minutes=rule.grace + rule.step)
    assert f"Be at the table by {by:%H:%M}." in ann.text()


def test_result_of_a_retired_match_with_an_odd_score_is_refused_where_it_was_typed(ann):
    page = ann.says(9, 3, kind="retired", winner="them", loser="3")
    assert page.status_code == 422
    html = page.content.decode()
    hidden_by_script = html.split("data-loser>")[1].split("</fieldset>")[0]
    assert "field-error" in html.replace(hidden_by_script, "")
    assert '<div class="field-error">' not in hidden_by_script


@pytest.mark.parametrize(
    ("chosen", "score"),
    [({"winner": "me", "loser": 3}, (5, 3)), ({"winner": "them", "loser": 0}, (0, 5))],
)
def test_two_taps_make_the_score_without_a_script(match, ann, chosen, score):
    ann.says("", "", **chosen)
    report = Report.objects.get(match=match)
    assert (report.score_a, report.score_b) == score


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        ({}, "Choose who won"),
        ({"loser": 2}, "Choose who won"),
        ({"winner": "them"}, "Choose the loser’s points"),
        ({"winner": "me", "loser": 5}, "Select a valid choice"),
    ],
)
def test_incomplete_form_when_sent_then_what_is_missing_is_said(ann, chosen, reason):
    answer = ann.says("", "", **chosen)
    assert answer.status_code == 422
    said = re.findall(
        r'<ul class="errorlist"[^>]*>.*?</ul>|class="field-error" id=.*?</(?:div|ul|p)>',
        answer.content.decode(),
        re.DOTALL,
    )
    assert reason in " ".join(said)
    assert not Report.objects.exists()


def test_nothing_is_chosen_when_the_page_opens_and_the_own_report_when_it_is_changed(match, ann):
    first = ann.page().content.decode().partition('id="report-')[2].partition("</form>")[0]
    assert "checked" not in first
    ann.says("", "", winner="them", loser=1)
    again = ann.page().content.decode().partition('id="report-')[2].partition("</form>")[0]
    checked = re.findall(r'<input type="radio" name="(\w+)" value="(\w+)"[^>]* checked', again)
    assert checked == [("winner", "them"), ("loser", "1")]


@pytest.mark.parametrize(
    ("length", "columns", "kind"), [(1, 1, "radio"), (9, 5, "radio"), (11, 6, "radio"), (31, 0, "select")]
)
def test_loser_s_points_are_a_row_or_a_list_in_a_long_match(length, columns, kind):
    tournament = an_event(entries=2, lengths=[length]).publish()
    html = Phone(tournament, first_match(tournament), "a").page().content.decode()
    if kind == "select":
        assert '<select name="loser"' in html
    else:
        assert f'data-columns="{columns}"' in html
        assert html.count('name="loser"') == length


def test_both_sides_when_they_agree_then_the_result_is_confirmed(tournament, match, ann, bob):
    assert "has to confirm it" in text_of(ann.says(5, 3))
    text = bob.text()
    assert f"{other(tournament, match, 'a')} reported: you lost" in text
    assert "Yes, I lost 3–5" in text
    assert "The result is confirmed" in text_of(bob.agrees())
    match.refresh_from_db()
    assert (match.status, match.score_a, match.score_b) == ("confirmed", 5, 3)
    assert "You won" in ann.text()
    assert "You lost" in bob.text()


def test_side_b_writes_its_own_points_first_and_they_land_on_side_b(match, bob):
    bob.says(5, 2)
    report = Report.objects.get(match=match)
    assert (report.score_a, report.score_b, report.side) == (2, 5, "b")


def test_both_sides_when_they_differ_then_both_see_both_claims_and_either_can_give_way(match, ann, bob):
    ann.says(5, 3)
    assert "reported different results" in text_of(bob.says(5, 3, key="k2"))
    match.refresh_from_db()
    assert match.status == "disputed"
    assert "you won" in ann.text()
    assert "reported: you lost" in ann.text()
    assert "The result is confirmed" in text_of(ann.agrees(version=2))
    match.refresh_from_db()
    assert (match.winner_side, match.status) == ("b", "confirmed")


@pytest.mark.parametrize(
    ("mine", "theirs", "reason"),
    [
        (5, 5, "Only one side can have 5 points"),
        (4, 3, "Neither side has 5 points"),
        (6, 3, "Enter 5 as the winner’s score"),
        (5, -1, "Enter a score of 0 or more"),
        (5, "", "required"),
        ("five", 3, "whole number"),
        (10**30, 3, "Enter 5 as the winner’s score"),
    ],
)
def test_impossible_score_is_refused_with_the_reason_and_what_was_typed_stays(
    match, ann, mine, theirs, reason
):
    response = ann.says(mine, theirs, note="Long day")
    html = response.content.decode()
    assert response.status_code == 422
    assert reason in html
    assert f'value="{mine}"' in html
    assert "Long day" in html
    assert 'value="k1"' in html
    assert not Report.objects.exists()


def test_reason_stands_beside_the_field_it_concerns(ann, bob):
    """Side b's own points are its first field, whatever the database calls them."""
    for phone, wrong in ((ann, "mine"), (bob, "mine")):
        html = phone.says(-1, 5).content.decode()
        line = html.split(f'for="id_{phone.match.public_id}_{wrong}"')[1].split("score-line")[0]
        assert "Enter a score of 0 or more" in line


def test_winner_that_contradicts_the_score_is_refused(match, ann):
    response = ann.says(5, 3, winner="them")
    assert response.status_code == 422
    assert "According to the score, the other side won" in text_of(response)


def test_player_who_retires_says_so_and_who_won(match, ann, bob):
    assert "Choose who won" in text_of(ann.says(2, 3, kind="retired"))
    ann.says(2, 3, kind="retired", winner="them")
    bob.agrees()
    match.refresh_from_db()
    assert (match.result_kind, match.winner_side) == ("retired", "b")


def test_kind_that_is_the_director_s_to_say_is_not_offered_and_not_taken(match, ann):
    assert "walkover" not in ann.page().content.decode()
    assert ann.says(5, 0, kind="walkover").status_code == 422
    assert not Report.objects.exists()


def test_same_form_sent_twice_is_one_report(match, ann):
    for _time in range(3):
        assert ann.says(5, 3, key="same").status_code == 200
    assert Report.objects.count() == 1


def test_agreeing_twice_is_once(match, ann, bob):
    ann.says(5, 3)
    bob.agrees(key="same")
    assert bob.agrees(key="same").status_code == 200
    assert Report.objects.count() == 2


def test_every_rendered_form_has_its_own_key(ann):
    keys = {re.search(r'name="submission_key" value="([^"]+)"', ann.page().content.decode())[1] for _ in "ab"}
    assert len(keys) == 2


def test_late_contradiction_is_told_how_it_stands(match, ann, bob):
    ann.says(5, 3)
    bob.agrees()
    response = bob.says(5, 0, key="late")
    assert response.status_code == 409
    text = text_of(response)
    assert "A different result was confirmed in the meantime" in text
    assert "You lost" in text
    match.refresh_from_db()
    assert match.winner_side == "a"


def test_agreeing_to_a_report_that_was_replaced_agrees_to_nothing(match, ann, bob):
    ann.says(5, 3)
    ann.says(5, 4, key="k2")
    response = bob.agrees(version=1)
    assert response.status_code == 409
    assert "replaced by a newer one" in text_of(response)
    match.refresh_from_db()
    assert match.status == "reported"


@pytest.mark.parametrize("version", ["", "0", "99", "-1", "x", "1.5", "9" * 40, "²"])
def test_agreeing_to_nonsense_is_a_friendly_404(match, ann, bob, version):
    ann.says(5, 3)
    assert bob.agrees(version=version).status_code == 404
    match.refresh_from_db()
    assert match.status == "reported"


def test_odd_bytes_are_no_reason_to_break(match, ann, bob):
    assert ann.says(5, 3, note="\0").status_code == 422
    assert ann.says(5, 3, key="\0").status_code == 422
    ann.says(5, 3)
    assert bob.agrees(key="\0").status_code == 404
    assert bob.agrees(key="x" * 65).status_code == 404
    match.refresh_from_db()
    assert match.status == "reported"


def test_objection_tells_the_director_once_and_changes_nothing(match, ann, bob):
    ann.says(5, 3)
    bob.agrees()
    assert "Mistake reported to the director" in text_of(bob.objects())
    bob.objects("Again")
    assert Objection.objects.count() == 1
    assert Objection.objects.get().text == "It was 5–4"
    match.refresh_from_db()
    assert (match.status, match.winner_side) == ("confirmed", "a")
    assert "Mistake reported" in bob.text()
    assert "Mistake reported" not in ann.text()


def test_objection_without_words_or_before_a_result_is_refused(match, ann, bob):
    assert bob.objects().status_code == 409
    ann.says(5, 3)
    bob.agrees()
    response = bob.objects("")
    assert response.status_code == 422
    assert "required" in text_of(response)
    assert not Objection.objects.exists()


def test_player_of_another_match_can_neither_see_nor_say_anything(tournament, match):
    stranger = Phone(tournament, match, "a")
    stranger.token = stranger_to(tournament, match)
    assert stranger.says(5, 0).status_code == 403
    assert stranger.agrees().status_code == 403
    assert stranger.objects().status_code == 403
    assert stranger.client.get(stranger.url("report", match.public_id)).status_code == 404
    assert not Report.objects.exists()


def test_director_only_stage_says_that_the_director_confirms():
    tournament = an_event(entries=2, lengths=[5], report_policy="director_only").publish()
    ann = Phone(tournament, first_match(tournament), "a")
    assert "The director has to confirm it" in text_of(ann.says(5, 3))
    assert "Waiting for the director" in ann.text()


def test_page_before_the_draw_during_the_wait_and_after_the_last_match():
    tournament = an_event(entries=4, lengths=[5])
    token = entry_token(tournament.entry("Ann"))
    page = lambda: text_of(Client().get(reverse("player:home", args=[token])))  # noqa: E731
    assert "You are entered" in page()
    tournament.publish()
    mine = Match.objects.get(slots__entry=tournament.entry("Ann"))
    side = mine.slots.get(entry=tournament.entry("Ann")).side
    tournament.settle(mine, side)
    assert "Winner of match" in page()
    assert "as soon as the pairing is known" in page()
    tournament.settle(tournament.playable()[0], "a")
    final = tournament.playable()[0]
    tournament.settle(final, final.slots.get(entry=tournament.entry("Ann")).side)
    assert "You won. Congratulations!" in page()
    loser = tournament.entry_at(final, {"a": "b", "b": "a"}[Match.objects.get(pk=final.pk).winner_side])
    assert "Final place: 2" in text_of(Client().get(reverse("player:home", args=[entry_token(loser)])))


def test_page_keeps_its_secret(tournament, match, ann):
    for response in (ann.page(), ann.client.get(ann.url("report", match.public_id)), ann.says(1, 1)):
        assert response["Cache-Control"] == "private, no-store"
        assert response["Referrer-Policy"] == "same-origin"
        assert response["X-Robots-Tag"] == "noindex, nofollow"
        for address in re.findall(r'(?:href|src|action)="([^"]+)"', response.content.decode()):
            assert address.startswith(("/", "#", "?")), address


def test_refusals_do_not_write_the_link_into_the_log(tournament, match, ann, bob, caplog):
    ann.says(9, 9)
    ann.says(5, 3, key="k2")
    bob.agrees(version=1)
    stranger = Phone(tournament, match, "a")
    stranger.token = stranger_to(tournament, match)
    statuses = [
        ann.says(0, 5, key="k3").status_code,
        ann.agrees(version=99, key="a2").status_code,
        stranger.says(5, 3).status_code,
    ]
    assert statuses == [409, 404, 403]
    for token in (ann.token, bob.token, stranger.token):
        assert token not in caplog.text


def test_page_is_a_304_until_something_happens(match, ann, bob):
    first = ann.page()
    ask = lambda: ann.client.get(ann.url("home"), headers={"If-None-Match": first["ETag"]})  # noqa: E731
    assert ask().status_code == 304
    assert ask()["Cache-Control"] == "private, no-store"
    bob.says(5, 3)
    assert ask().status_code == 200


def test_link_that_is_broken_revoked_or_too_old_says_what_to_do(tournament, match, ann):
    broken = Client().get(reverse("player:home", args=[f"{ann.token}x"]))
    assert broken.status_code == 404
    assert "Scan the code again" in text_of(broken)
    revoke(tournament, match, "a")
    revoked = ann.page()
    assert revoked.status_code == 404
    assert "Ask the director for a new one" in text_of(revoked)
    assert "can print or send you a new link" in text_of(revoked)
    assert ann.says(5, 3).status_code == 404
    assert not Report.objects.exists()


def test_link_when_the_event_is_long_over_then_it_has_ended():
    tournament = an_event(entries=2, starts_on=date(2020, 1, 1), ends_on=date(2020, 1, 1)).publish()
    response = Phone(tournament, first_match(tournament), "a").page()
    assert response.status_code == 404
    assert "expired 30 days after the event" in text_of(response)
    assert "can print or send you a new link" not in text_of(response)  # nobody can


@pytest.mark.parametrize(("mine", "answered"), [(5, 302), (9, 422)])
def test_word_that_a_phone_keeps_when_answered_taken_or_refused_then_its_key_comes_back(ann, mine, answered):
    data = {"mine": mine, "theirs": 3, "submission_key": "k1", "kind": "played", "winner": ""}
    said = ann.client.post(ann.url("report", ann.match.public_id), data)
    assert said.status_code == answered
    assert (said.cookies["answered"].value, said.cookies["answered"]["path"]) == ("k1", "/my/")
    odd = ann.client.post(ann.url("report", ann.match.public_id), {**data, "submission_key": 'k"; x=1'})
    assert "answered" not in odd.cookies


@pytest.mark.parametrize("name", ["report", "agree", "object"])
def test_forms_are_guarded_against_other_sites(match, ann, name):
    strict = Client(enforce_csrf_checks=True)
    data = {"mine": 5, "theirs": 3, "submission_key": "k", "kind": "played", "version": 1, "text": "x"}
    assert strict.post(ann.url(name, match.public_id), data).status_code == 403
    assert not Report.objects.exists()


def test_form_of_the_page_itself_is_taken(match, ann):
    strict = Client(enforce_csrf_checks=True)
    html = strict.get(ann.url("home")).content.decode()
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', html))
    data = {**fields, "mine": 5, "theirs": 3, "kind": "played"}
    assert strict.post(ann.url("report", match.public_id), data).status_code == 302
    assert Report.objects.get().submission_key == fields["submission_key"]


def test_enter_in_a_score_field_sends_the_result_and_checks_no_file(tournament, match):
    """A browser presses a form's first button on Enter; the one that only checks a record stands further down."""
    form = (
        Phone(tournament, match, "a")
        .page()
        .content.decode()
        .partition('id="report-')[2]
        .partition("</form>")[0]
    )
    first, *others = re.findall(r"<button[^>]*type=\"submit\"[^>]*>", form)
    assert "name=" not in first
    assert any('name="check"' in button for button in others)
