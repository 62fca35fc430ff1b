"""Two phones report by one link at the same moment: one is the first, the other is told; and one code lets one phone in."""

import pytest

from faults import Invalid, NotAllowed
from tests.factories import an_event
from tests.support.races import race
from tests.support.tournaments import first_match
from tournaments.engine.types import Claim, Side
from tournaments.matches.services.phones import create_access_code, redeem_access_code
from tournaments.matches.services.reports import submit_report
from tournaments.models import LinkPhone, Report
from tournaments.selectors.access.phones import RequestOrigin, link_actor

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def reports(tournament, match, device):
    entry = tournament.entry_at(match, Side.A)
    given = {"actor": link_actor(entry), "match_id": match.pk, "entry": entry, "claim": Claim(5, 3)}
    return lambda: submit_report(**given, submission_key=device, phone=RequestOrigin(device))


def two_first(*, locks):
    tournament = an_event(4, lengths=[5]).publish(seed=1)
    match = first_match(tournament)
    jobs = (reports(tournament, match, "one"), reports(tournament, match, "two"))
    return race(*jobs, meet_after='JOIN "tournaments_linkphone"', locks=locks)


def test_two_phones_when_they_report_at_once_then_one_is_the_first_and_one_is_told():
    outcomes = two_first(locks=True)
    (refused,) = (outcome.error for outcome in outcomes if outcome.error)
    assert isinstance(refused, NotAllowed)
    assert refused.code == "phone.other"
    assert LinkPhone.objects.count() == Report.objects.count() == 1


def test_two_phones_without_the_lock_would_both_be_first_so_this_test_sees_the_race():
    outcomes = two_first(locks=False)
    codes = {getattr(outcome.error, "code", type(outcome.error).__name__) for outcome in outcomes}
    assert "phone.other" not in codes


def test_code_when_two_phones_type_it_at_once_then_one_is_let_in():
    tournament = an_event(4, lengths=[5]).publish(seed=1)
    match = first_match(tournament)
    reports(tournament, match, "one")()
    entry = tournament.entry_at(match, Side.A)
    code = create_access_code(entry=entry, phone=RequestOrigin("one")).code
    jobs = [
        lambda device=device: redeem_access_code(entry=entry, phone=RequestOrigin(device), code=code)
        for device in ("two", "six")
    ]
    outcomes = race(*jobs, meet_after='FROM "tournaments_phonecode"')
    (refused,) = (outcome.error for outcome in outcomes if outcome.error)
    assert isinstance(refused, Invalid)
    assert LinkPhone.objects.filter(way="code").count() == 1
