"""A result asks the database for no more in a large bracket than in a small one, whatever losers drop into."""

import pytest
from django.db import connection
from django.db.models import DateTimeField
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import an_event
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.changes.state import MATCH_COLUMNS, PERMANENT_COLUMNS, TIME_COLUMNS, MatchColumns
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind
from tournaments.matches.services.reports import confirm_report
from tournaments.models import Match, MatchSlot
from tournaments.selectors.access.links import entry_token
from tournaments.store.load import load_stage

pytestmark = pytest.mark.django_db
WEEKEND = BracketSettings(
    flights=(
        Flight(FlightKind.PROGRESSIVE, (3,), rounds=3),
        Flight(FlightKind.LAST_CHANCE, (1,), rounds=2),
    ),
)
READ = 3  # what is near the match and those that it feeds; and the slots of two parts of the bracket that losers come from
MOST = 16  # statements of a result that stands, the other side agreeing, with a table for the next match; without the beginnings and ends of transactions; PostgreSQL holds the club by one

WHOLE = 21  # the same with all that the request asks besides


@pytest.mark.parametrize(
    ("system", "settings"), [("single_elimination", WEEKEND), ("double_elimination", BracketSettings())]
)
def test_result_when_losers_are_to_come_then_the_matches_around_it_are_read_together(system, settings):
    tournament = an_event(entries=13, lengths=[5], system=system, bracket=settings).publish(seed=3)
    deepest = 0
    while matches := tournament.playable():
        match = matches[tournament.rng.randrange(len(matches))]
        with CaptureQueriesContext(connection) as made:
            hand = load_stage(match.stage, around=match)
        fed = list(MatchSlot.objects.filter(source_match=match).values_list("match__number", flat=True))
        with CaptureQueriesContext(connection) as none:
            for number in [match.number, *fed]:
                assert hand.state.match(number).number == number
        assert len(made) <= READ
        assert len(none) == 0
        deepest = max(deepest, len(made))
        tournament.settle(match, "a" if tournament.rng.random() < 0.5 else "b")
    assert deepest > READ - 2
    assert integrity_faults(tournament.fresh()) == []


def test_result_when_the_weekend_is_large_then_it_asks_no_more_than_in_a_small_one():
    asked = []
    for entries in (20, 150):
        tournament = an_event(entries=entries, lengths=[5], bracket=WEEKEND, tables=200).publish(seed=3)
        most = 0
        for match in tournament.playable()[:8]:
            with CaptureQueriesContext(connection) as made:
                tournament.settle(match, "a", 2)
            most = max(most, len(made))
        asked.append(most)
        assert Match.objects.filter(stage=tournament.stage, status="confirmed").exists()
    assert asked[1] <= asked[0] + 4
    assert max(asked) <= 60


def asked_by(work):
    """The statements of a service, without those that begin and end transactions."""
    with CaptureQueriesContext(connection) as made:
        work()
    frame = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
    return [query["sql"] for query in made if not query["sql"].startswith(frame)]


def test_result_when_agreed_to_or_by_a_director_then_few_statements_and_none_twice():
    tournament = an_event(entries=8, lengths=[5], tables=3).publish()
    first, second, third, *_others = tournament.playable()
    tournament.settle(first, "a", 2)  # the first one begins the stage
    for said in (second, third):
        tournament.says(said, "a", 5, 2)

    theirs = tournament.entry_at(second, "b")

    def agreed(match):
        confirm_report(
            actor=tournament.actor,
            match_id=match.pk,
            entry=theirs,
            version=1,
            submission_key=tournament.key(),
        )

    for way, match in ((agreed, second), (lambda match: tournament.settle(match, "a", 2), third)):
        asked = asked_by(lambda way=way, match=match: way(match))
        assert len(asked) == len(set(asked))
        assert len(asked) <= MOST + (connection.vendor == "postgresql"), "\n".join(asked)
    assert integrity_faults(tournament.fresh()) == []


def test_result_when_sent_by_a_phone_a_browser_or_a_program_then_21_statements_with_all_that_the_request_asks():
    tournament = an_event(entries=16, lengths=[5], tables=3).publish()
    first, second, third, fourth, *_others = tournament.playable()
    tournament.settle(first, "a", 2)  # the first one begins the stage
    tournament.says(second, "a", 5, 2)
    token = entry_token(tournament.entry_at(second, "b"))
    agreed = f"/my/{token}/agree/{second.public_id}/", {"version": 1, "submission_key": "one-key"}
    score = {"score_a": 5, "score_b": 2, "kind": "played"}
    page = f"/direct/events/{tournament.event.public_id}/matches/{third.public_id}/result/"
    told = page, {**score, "submission_key": "another-key"}
    sent = f"/api/v1/matches/{fourth.public_id}/report/", {**score, "submission_key": "a-third-key"}
    phone, director = Client(), Client()
    director.force_login(tournament.director)
    for by, (path, fields), status in ((phone, agreed, 302), (director, told, 302), (director, sent, 201)):
        answers: list[int] = []
        asked = asked_by(lambda by=by, sent=(path, fields), to=answers: to.append(by.post(*sent).status_code))
        assert answers == [status]
        assert len(asked) <= WHOLE, "\n".join(asked)
    assert integrity_faults(tournament.fresh()) == []


def test_columns_when_a_match_has_one_then_it_is_fixed_or_has_a_history():
    """A new column of a match is either one that no change touches, or a field of `MatchColumns`: undone by name from then on."""
    fixed = {"id", "public_id", "stage_id", "round_id", "number", "position", "version"}
    stored = {field.attname: field for field in Match._meta.concrete_fields}
    assert set(stored) - fixed == set(MATCH_COLUMNS)
    assert {name for name, field in stored.items() if isinstance(field, DateTimeField)} == TIME_COLUMNS
    fresh = Match()
    assert {
        name: getattr(MatchColumns("waiting", 7), name)
        for name in MATCH_COLUMNS
        if name not in PERMANENT_COLUMNS
    } == {name: getattr(fresh, name) for name in MATCH_COLUMNS if name not in PERMANENT_COLUMNS}


def test_save_when_a_result_is_written_then_only_what_differs():
    tournament = an_event(entries=4, lengths=[5]).publish()
    first = tournament.playable()[0]
    with CaptureQueriesContext(connection) as made:
        tournament.settle(first, "a", 2)
    written = [query["sql"] for query in made if 'UPDATE "tournaments_match"' in query["sql"]]
    assert len(written) == 1
    assert "score_a" in written[0]
    assert "started_at" not in written[0]
    assert sum('UPDATE "tournaments_matchslot"' in query["sql"] for query in made) == 1
