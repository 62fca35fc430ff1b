"""The audit trail of an event in words, newest first."""

from collections.abc import Mapping

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse

from people.models import AuditEntry
from people.web.trail import facts_of, sentence_of
from tournaments.engine.trail.draws import DrawPublished, DrawTakenBack
from tournaments.engine.trail.events import EventCalledOff, EventRestored
from tournaments.engine.trail.matches import ResultObjected
from tournaments.engine.trail.repairs import RepairUndone, ResultCorrected
from tournaments.models import Event
from tournaments.selectors.access.trail import subjects_of, trail_of
from tournaments.selectors.events.director import stages_of
from tournaments.selectors.repairs.undo import last_repairs
from tournaments.shared.frames.access import event_page
from tournaments.shared.frames.director import show
from tournaments.shared.frames.divisions import stage_name
from tournaments.shared.words.names import day_and_time

ROWS_PER_PAGE = 50


@event_page
def audit(request: HttpRequest, event: Event) -> HttpResponse:
    """Everything that was done in the event and by whom."""
    page = Paginator(trail_of(event), ROWS_PER_PAGE).get_page(request.GET.get("page"))
    stages = stages_of(event)
    parts = {one.pk: stage_name(one, stages) for one in stages} if len(stages) > 1 else {}
    names = _subjects(list(page), parts)
    undoable = last_repairs(event)
    entries = [
        {
            "words": _in_part(
                sentence_of(row.action, facts_of(row, names.get((row.subject_type, row.subject_id), ""))),
                parts.get(row.subject_id or 0, "") if row.subject_type == "tournaments.stage" else "",
            ),
            "when": day_and_time(row.at, event),
            "who": row.actor_label,
            "major": row.action in _MAJOR,
            "undo": row.pk if row.pk in undoable else None,
            "undone": row.undone_by_id is not None,
        }
        for row in page
    ]
    return show(request, "site/audit.html", event, "audit", {"page": page, "entries": entries}, stages=stages)


def _in_part(words: str, part: str) -> str:
    return f"{part}: {words}" if part else words


_MAJOR = frozenset(
    one.kind
    for one in (
        DrawPublished,
        DrawTakenBack,
        ResultCorrected,
        RepairUndone,
        ResultObjected,
        EventCalledOff,
        EventRestored,
    )
)


def _subjects(rows: list[AuditEntry], parts: Mapping[int, str]) -> dict[tuple[str, int | None], str]:
    """What the rows speak of: numbers of matches, with their stage where there are several, names of entries and players."""
    subjects = subjects_of(rows)
    found: dict[tuple[str, int | None], str] = {}
    for pk, (number, stage) in subjects.matches.items():
        found["tournaments.match", pk] = f"{number} ({parts[stage]})" if stage in parts else str(number)
    found |= {("tournaments.entry", pk): name for pk, name in subjects.entries.items()}
    found |= {("people.player", pk): name for pk, name in subjects.players.items()}
    return found
