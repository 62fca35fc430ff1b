"""Table numbers: a match that can start gets the lowest free table, or waits for one."""

from tournaments.engine.lifecycle import MatchStatus, StageStatus
from tournaments.engine.tables import assign_tables
from tournaments.engine.types import MatchNo, TableNo
from tournaments.models import Event, Match

AT_TABLE = (
    MatchStatus.READY,
    MatchStatus.CALLED,
    MatchStatus.PLAYING,
    MatchStatus.REPORTED,
    MatchStatus.DISPUTED,
)


def hand_out_tables(event: Event) -> None:
    """Give tables to the ready matches of the event's published stages that have none, in the order of the draw."""
    live = Match.objects.filter(
        stage__division__event=event,
        stage__status__in=[StageStatus.PUBLISHED, StageStatus.RUNNING],
        status__in=AT_TABLE,
    )
    taken = [TableNo(table) for table in live.values_list("table", flat=True) if table is not None]
    if len(taken) >= event.tables:
        return
    waiting = list(
        live.filter(table=None, status=MatchStatus.READY)
        .order_by("round__number", "position", "pk")
        .values_list("pk", flat=True)[: event.tables]
    )
    given = assign_tables([MatchNo(pk) for pk in waiting], taken, event.tables)
    rows = [Match(pk=pk, table=table) for pk, table in given.items()]
    Match.objects.bulk_update(rows, ["table"], batch_size=200)
