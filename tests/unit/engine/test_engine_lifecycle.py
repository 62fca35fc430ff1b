"""Every pair of status and action, one by one: the tables below are written out again by hand, as a director reads them."""

import itertools

import pytest

from tournaments.engine.errors import TransitionRefused
from tournaments.engine.statuses import (
    REFUSAL_CODES,
    EntryAction,
    EntryStatus,
    EventAction,
    EventStatus,
    MatchAction,
    MatchStatus,
    StageAction,
    StageStatus,
    allowed_actions,
    can_request_correction,
    next_status,
)

MATCH = """
waiting   pair      ready
waiting   pass_bye  confirmed
waiting   void      void
ready     adjourn   adjourned
ready     call      called
ready     start     playing
ready     report    reported
ready     dispute   disputed
ready     confirm   confirmed
ready     void      void
called    adjourn   adjourned
called    start     playing
called    send_back ready
called    report    reported
called    dispute   disputed
called    confirm   confirmed
playing   adjourn   adjourned
playing   send_back ready
playing   report    reported
playing   dispute   disputed
playing   confirm   confirmed
reported  adjourn   adjourned
reported  report    reported
reported  dispute   disputed
reported  confirm   confirmed
disputed  adjourn   adjourned
disputed  report    reported
disputed  dispute   disputed
disputed  confirm   confirmed
adjourned adjourn   adjourned
adjourned resume    ready
adjourned report    reported
adjourned dispute   disputed
adjourned confirm   confirmed
confirmed correct   confirmed
"""
EVENT = """
draft     open    open
draft     start   running
draft     cancel  cancelled
open      close   draft
open      start   running
open      cancel  cancelled
running   unstart open
running   finish  finished
running   cancel  cancelled
finished  reopen  running
cancelled restore draft
"""
STAGE = """
setup     draw      drawn
drawn     draw      drawn
drawn     discard   setup
drawn     publish   published
published unpublish drawn
published start     running
running   unstart   published
running   finish    finished
finished  reopen    running
"""
ENTRY = """
expected  approve  active
unseen    approve  waiting
waiting   move_up  active
unseen    move_up  expected
active    withdraw withdrawn
waiting   withdraw withdrawn
withdrawn return   active
withdrawn queue    waiting
active    move_back waiting
expected  move_back unseen
active    unapprove expected
waiting   unapprove unseen
"""
NOUNS = [
    ("match", MatchStatus, MatchAction, MATCH),
    ("event", EventStatus, EventAction, EVENT),
    ("stage", StageStatus, StageAction, STAGE),
    ("entry", EntryStatus, EntryAction, ENTRY),
]
PAIRS = [
    (noun, status, action, table)
    for noun, statuses, actions, table in NOUNS
    for status, action in itertools.product(statuses, actions)
]


def written(table):
    rows = [line.split() for line in table.strip().splitlines()]
    return {(status, action): after for status, action, after in rows}


@pytest.mark.parametrize(
    ("noun", "status", "action", "table"), PAIRS, ids=[f"{n}-{s}-{a}" for n, s, a, _t in PAIRS]
)
def test_next_status_for_every_pair_when_written_down_follows_else_refuses(noun, status, action, table):
    after = written(table).get((status, action))
    if after is not None:
        result = next_status(status, action)
        assert result == after
        assert type(result) is type(status)
        return
    with pytest.raises(TransitionRefused) as refused:
        next_status(status, action)
    assert refused.value.code == f"{noun}.{action}_refused"
    assert refused.value.code in REFUSAL_CODES
    assert refused.value.params == {"status": status, "action": action}


@pytest.mark.parametrize(("noun", "statuses", "actions", "table"), NOUNS)
def test_allowed_actions_are_those_that_are_not_refused(noun, statuses, actions, table):
    for status in statuses:
        assert set(allowed_actions(status)) == {a for a in actions if (status, a) in written(table)}


def test_next_status_when_the_action_belongs_to_another_noun_then_it_is_our_fault():
    # "finished" + "reopen" exists for events and stages; the enums must not be taken for each other
    with pytest.raises(TypeError):
        next_status(EventStatus.FINISHED, StageAction.REOPEN)


def test_a_statuses_equal_by_value_stay_in_their_own_table():
    assert type(next_status(EventStatus.FINISHED, EventAction.REOPEN)) is EventStatus
    assert type(next_status(StageStatus.FINISHED, StageAction.REOPEN)) is StageStatus


def test_no_match_is_a_dead_end_and_every_status_can_be_reached():
    for _noun, statuses, _actions, table in NOUNS:
        rows = written(table)
        # What is void stays so, unless a repair says otherwise.
        assert {status for status, _action in rows} == set(statuses) - {MatchStatus.VOID}
        start = {next(iter(statuses))} if statuses is not EntryStatus else {EntryStatus.WAITING_PENDING}
        assert {*start, *rows.values()} == set(statuses)


def test_objections_are_heard_only_about_confirmed_matches():
    assert [status for status in MatchStatus if can_request_correction(status)] == [MatchStatus.CONFIRMED]
