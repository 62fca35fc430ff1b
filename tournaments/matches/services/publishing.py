"""Whether everybody may read the games of a match, settled for one record of it."""

from faults import Conflict, Missing
from people.actors import Actor
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.consents import Reply
from tournaments.engine.trail.matches import RecordPublicitySet
from tournaments.models import Match, Report
from tournaments.selectors.consents import game_record_reply
from tournaments.store.lock import lock_for_director, record_action


@durable
def set_record_visibility(*, actor: Actor, match_id: int, report: int, shown: bool) -> None:
    """The players were asked about the record that came with this ``report`` (its version), and agree; or it is not to be public after all.

    Refused where one of them said no: only they can take that back.
    """
    found = one_or_none(Match.objects.select_related("stage__division").filter(pk=match_id))
    if found is None:
        raise Missing("match.unknown")
    event = lock_for_director(actor, found.stage.division.event_id, called_off=True)
    row = Report.objects.filter(match=found, version=report).exclude(record=None).first()
    if row is None:
        raise Missing("record.unknown")
    if shown and game_record_reply(found) is Reply.NO:
        raise Conflict("record.minds", present=found)
    same = Report.objects.filter(match=found, record=row.record_id)  # the same file handed in twice is one
    if same.exclude(record_shown=shown).exists() or row.record_shown is None:
        same.update(record_shown=shown)
        record_action(
            event, actor=actor, action=RecordPublicitySet(report=row.version, shown=shown), subject=found
        )
