"""Public visibility of a match's games, set for one of its game records."""

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
def set_record_visibility(*, actor: Actor, match_id: int, report_version: int, is_public: bool) -> None:
    """Set whether the game record that was sent with report version ``report_version`` is public.

    ``is_public``: True publishes it, after the players were asked and agreed. Other reports with the same file
    are set too. Raises ``Conflict`` if a player has refused publication: only that player can change it.
    """
    match = one_or_none(Match.objects.select_related("stage__division").filter(pk=match_id))
    if match is None:
        raise Missing("match.unknown")
    event = lock_for_director(actor, match.stage.division.event_id, called_off=True)
    row = Report.objects.filter(match=match, version=report_version).exclude(record=None).first()
    if row is None:
        raise Missing("record.unknown")
    if is_public and game_record_reply(match) is Reply.NO:
        raise Conflict("record.minds", present=match)
    same_record = Report.objects.filter(match=match, record=row.record_id)  # the same file is one record
    if same_record.exclude(record_shown=is_public).exists() or row.record_shown is None:
        same_record.update(record_shown=is_public)
        record_action(
            event, actor=actor, action=RecordPublicitySet(report=row.version, shown=is_public), subject=match
        )
