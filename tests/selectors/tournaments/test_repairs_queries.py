"""A repair costs as many queries as it changes results, whatever the size of the draw."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import an_event
from tests.support.director import desk_of
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.types import Claim
from tournaments.models import Match
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.late_entry import add_late_entry
from tournaments.repairs.services.undo import undo_repair
from tournaments.repairs.services.withdraw import withdraw_after_draw
from tournaments.selectors.repairs.corrections import correction_preview, rating_effects
from tournaments.selectors.repairs.late import late_entry_stages
from tournaments.selectors.repairs.undo import last_repair
from tournaments.selectors.repairs.withdrawals import withdrawal_preview

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def queries_of(job):
    cache.clear()  # what the jobs before have kept
    with CaptureQueriesContext(connection) as seen:
        job()
    return len(seen)


def costs(entries):
    """Queries of each repair and its preview in a draw of so many entries, with one free bye."""
    tournament = an_event(entries=entries, lengths=[5], tables=4).publish(seed=1)
    at = {"actor": tournament.actor, "event_id": tournament.event.pk}
    match = tournament.playable()[0]
    tournament.settle(match, "a")
    match = Match.objects.select_related("stage__division__event", "round").get(pk=match.pk)
    found = {}
    found["preview"] = queries_of(lambda: correction_preview(match, Claim(3, 5)))
    found["effects"] = queries_of(lambda: rating_effects(match, Claim(3, 5)))
    fix = {**at, "match_id": match.pk, "claim": Claim(3, 5), "submission_key": "fix"}
    found["correct"] = queries_of(lambda: correct_result(**fix))
    done = last_repair(tournament.fresh(), tournament.stage)
    found["trail"] = queries_of(lambda: desk_of(tournament).get("audit"))
    found["undo"] = queries_of(lambda: undo_repair(**at, audit_id=done.pk))
    leaver = tournament.entry_at(tournament.playable()[0], "a")
    found["leaving"] = queries_of(lambda: withdrawal_preview(leaver))
    found["leave"] = queries_of(lambda: withdraw_after_draw(**at, entry_id=leaver.pk))
    (drawn,) = late_entry_stages(tournament.event)
    stage, places = drawn.stage, drawn.places
    found["free"] = queries_of(lambda: late_entry_stages(tournament.event))
    place = {"stage_id": stage.pk, "match": places[0].match.number, "side": places[0].side}
    found["late"] = queries_of(lambda: add_late_entry(**at, entry=NewEntry(name="Zoe"), **place))
    return found


def test_repairs_when_the_draw_is_eight_times_as_large_then_they_cost_the_same_queries():
    small, large = costs(7), costs(63)
    more = {name: (small[name], large[name]) for name in small if large[name] > small[name] + 2}
    assert more == {}
    assert large["correct"] < 70
