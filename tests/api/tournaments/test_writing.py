"""Reporting by API: the same door as the pages, with statuses that a program can act on."""

import pytest
from django.test import Client
from django.urls import reverse

from people.models import KeptAnswer
from tests.factories import an_event
from tests.support.described import described
from tests.support.tournaments import first_match, link_of, revoke, signed_in, stranger_to
from tournaments.matches.services.phones import create_access_code
from tournaments.models import LinkPhone, Match, Objection, Report
from tournaments.selectors.access.phones import RequestOrigin

pytestmark = pytest.mark.django_db


class Caller:
    """A program that speaks for somebody."""

    def __init__(self, match, token=None, client=None):
        self.match = match
        self.client = client or Client()
        self.headers = {"Authorization": f"Link {token}"} if token else {}

    def post(self, action, body, **headers):
        answer = self.client.post(
            f"/api/v1/matches/{self.match.public_id}/{action}/",
            body,
            content_type="application/json",
            headers={**self.headers, **headers},
        )
        if answer.status_code < 300 and answer.json().get("device"):
            self.headers["Device"] = answer.json()["device"]
        return described(answer)

    def says(self, score_a, score_b, key="k1", **more):
        return self.post("report", {"score_a": score_a, "score_b": score_b, "submission_key": key, **more})

    def agrees(self, version=1, key="a1"):
        return self.post("agree", {"version": version, "submission_key": key})

    def objects(self, text="It was 7–5"):
        return self.post("object", {"text": text})


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[7]).publish()


@pytest.fixture
def match(tournament):
    return first_match(tournament)


@pytest.fixture
def ann(tournament, match):
    return Caller(match, link_of(tournament, match, "a"))


@pytest.fixture
def bob(tournament, match):
    return Caller(match, link_of(tournament, match, "b"))


@pytest.fixture
def director(tournament, match):
    return Caller(match, client=signed_in(tournament.director))


def test_player_reports_202_and_the_opponent_agrees_201(match, ann, bob):
    said = ann.says(7, 4)
    assert (said.status_code, said.json()["decision"]) == (202, "reported")
    agreed = bob.agrees(said.json()["report"])
    assert (agreed.status_code, agreed.json()["decision"]) == (201, "confirmed")
    assert [side["score"] for side in agreed.json()["match"]["sides"]] == [7, 4]


def test_equal_reports_confirm_and_different_ones_dispute(match, ann, bob):
    ann.says(7, 4)
    differs = bob.says(4, 7, key="k2")
    assert (differs.status_code, differs.json()["decision"]) == (202, "disputed")
    assert bob.says(7, 4, key="k3").status_code == 201


def test_key_that_the_opponent_used_is_refused_and_not_taken_for_theirs(match, ann, bob):
    ann.says(7, 4, key="same")
    assert bob.says(4, 7, key="same").status_code == 409
    assert Report.objects.count() == 1


def test_director_by_session_settles_at_once(match, director):
    answer = director.says(7, 0, kind="walkover", winner="a")
    assert answer.status_code == 201
    match.refresh_from_db()
    assert (match.status, match.result_kind) == ("confirmed", "walkover")


def test_report_over_what_was_said_since_it_was_looked_at_is_409(match, ann, director):
    seen = Match.objects.get(pk=match.pk).version
    ann.says(7, 4)
    late = director.says(4, 7, key="late", seen=seen)
    assert (late.status_code, late.json()["code"]) == (409, "match.changed_meanwhile")
    now = late.json()["present"]
    assert (now["status"], now["version"]) == ("reported", seen + 1)
    assert Report.objects.count() == 1
    assert director.says(4, 7, key="again", seen=now["version"]).status_code == 201
    assert director.says(4, 7, key="again", seen=now["version"]).json()["repeated"]


def test_director_who_names_nothing_that_was_seen_has_the_last_word(match, ann, director):
    ann.says(7, 4)
    assert director.says(4, 7, key="mine", seen=None).status_code == 201
    match.refresh_from_db()
    assert (match.score_a, match.score_b) == (4, 7)


def test_same_key_gets_the_same_answer_from_the_body_or_the_header(match, ann):
    first = ann.says(7, 4, key="same")
    again = ann.says(7, 4, key="same")
    by_header = ann.post("report", {"score_a": 7, "score_b": 4}, **{"Idempotency-Key": "same"})
    assert first.status_code == again.status_code == by_header.status_code == 202
    assert (first.json()["repeated"], again.json()["repeated"], by_header.json()["repeated"]) == (
        False,
        True,
        True,
    )
    assert Report.objects.count() == 1


def test_report_and_agreement_by_header_are_repeated_by_their_service_also_when_the_answer_was_lost(ann, bob):
    key, other = {"Idempotency-Key": "said"}, {"Idempotency-Key": "agreed"}
    says = [ann.post("report", {"score_a": 7, "score_b": 4}, **key) for _ in range(2)]
    agrees = [bob.post("agree", {"version": 1}, **other) for _ in range(2)]
    assert [answer.status_code for answer in says + agrees] == [202, 202, 201, 201]
    assert [answer.json()["repeated"] for answer in says + agrees] == [False, True, False, True]
    assert not KeptAnswer.objects.exists()


def test_code_that_was_refused_under_a_key_is_refused_again_and_the_right_one_is_taken(
    tournament, match, ann
):
    ann.says(7, 4)
    entry = tournament.entry_at(match, "a")
    code = create_access_code(entry=entry, phone=RequestOrigin(LinkPhone.objects.get().device)).code
    other = Caller(match, link_of(tournament, match, "a"))
    wrong = str((int(code) + 1) % 10**6).zfill(6)
    answers = [
        other.client.post(
            reverse("api:link-phone"),
            {"code": typed},
            content_type="application/json",
            headers={**other.headers, "Idempotency-Key": "k"},
        )
        for typed in (wrong, wrong, code)
    ]
    assert [answer.status_code for answer in answers] == [422, 422, 200]
    assert {answer.json()["code"] for answer in answers[:2]} == {"phone.code_wrong"}


def test_report_without_a_key_is_refused(match, ann):
    answer = ann.post("report", {"score_a": 7, "score_b": 4})
    assert answer.status_code == 422
    assert answer.json()["faults"][0]["field"] == "submission_key"


def test_impossible_result_is_422_with_every_finding(match, ann):
    answer = ann.says(8, -1, kind="walkover")
    assert answer.status_code == 422
    codes = {fault["code"] for fault in answer.json()["faults"]}
    assert codes == {"score.negative", "score.winner_not_at_length", "report.kind_not_yours"}
    assert all(fault["detail"] for fault in answer.json()["faults"])
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    "body",
    [{}, [], "7-4", {"score_a": "seven", "score_b": 4}, {"score_a": 7, "score_b": 4, "kind": "luck"}],
)
def test_nonsense_is_400(match, ann, body):
    assert ann.post("report", body).status_code == 400


def test_contradiction_after_the_end_is_409_with_the_present_state(match, ann, bob):
    ann.says(7, 4)
    bob.agrees()
    answer = bob.says(4, 7, key="late")
    assert answer.status_code == 409
    assert answer.json()["present"]["status"] == "confirmed"
    assert (answer.json()["present"]["score_a"], answer.json()["present"]["winner_side"]) == (7, "a")


def test_agreeing_to_what_was_replaced_is_409(match, ann, bob):
    ann.says(7, 4)
    ann.says(7, 5, key="k2")
    assert bob.agrees(1).status_code == 409
    assert bob.agrees(99).status_code == 404


def test_match_of_a_later_round_is_409(tournament, ann):
    ann.match = Match.objects.get(round__code="final")
    # Nobody stands in the final yet, so it is nobody's match.
    assert ann.says(7, 4).status_code == 403
    director = Caller(ann.match, client=signed_in(tournament.director))
    assert director.says(7, 4).status_code == 409


def test_objection_is_taken_once_and_changes_nothing(match, ann, bob):
    assert bob.objects().status_code == 409
    ann.says(7, 4)
    bob.agrees()
    assert bob.objects().status_code == 202
    assert bob.objects("Again").json()["text"] == "It was 7–5"
    assert Objection.objects.count() == 1
    match.refresh_from_db()
    assert match.winner_side == "a"


@pytest.mark.parametrize("action", ["report", "agree", "object"])
def test_nobody_is_asked_who_they_are(match, action):
    answer = Caller(match).post(action, {})
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == 'Link realm="crawford"'


def test_link_that_is_no_good_is_401_and_says_why(tournament, match, ann):
    revoke(tournament, match, "a")
    answer = ann.says(7, 4)
    assert answer.status_code == 401
    assert "no longer valid" in answer.json()["detail"]


def test_stranger_and_other_players_are_403(tournament, match):
    other = Caller(match, stranger_to(tournament, match))
    assert other.says(7, 4).status_code == 403
    assert other.says(7, 4).json()["code"] == "report.not_your_match"
    assert other.agrees().status_code == 403
    other_director = Caller(match, client=signed_in(an_event().director))
    assert other_director.says(7, 4).status_code == 403
    assert other_director.says(7, 4).json()["code"] == "people.not_director"
    assert not Report.objects.exists()


def test_director_cannot_agree_in_a_player_s_place(match, ann, director):
    ann.says(7, 4)
    assert director.agrees().status_code == 403


def test_session_needs_the_csrf_token(tournament, match):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(tournament.director, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert Caller(match, client=strict).says(7, 4).status_code == 403
    assert not Report.objects.exists()


def test_match_that_does_not_exist_or_is_not_public_is_404(tournament, ann):
    ann.match = Match(public_id="0000000000zz")
    assert ann.says(7, 4).status_code == 404
    hidden = an_event(entries=2).draw()
    ann.match = Match.objects.get(stage=hidden.stage)
    assert ann.says(7, 4).status_code == 404


def test_report_when_json_is_nested_without_end_then_malformed(ann):
    ann.client.raise_request_exception = False
    answer = ann.client.post(
        f"/api/v1/matches/{ann.match.public_id}/report/",
        "[" * 100_000,
        content_type="application/json",
        headers=ann.headers,
    )
    assert answer.status_code == 400
