"""Audit log of an event as sentences, newest first: the director's page, and excerpts for other pages."""

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from names.folding import fold_text
from people.models import AuditEntry
from people.web.trail import action_sentence, sentence_facts
from tournaments.engine.trail.draws import DrawPublished, DrawUnpublished
from tournaments.engine.trail.events import EventCancelled, EventRestored
from tournaments.engine.trail.matches import CorrectionRequested
from tournaments.engine.trail.repairs import RepairUndone, ResultCorrected
from tournaments.models import Event
from tournaments.models.trail import parse_row
from tournaments.selectors.access.phones import LINK_LABEL_PREFIX
from tournaments.selectors.access.trail import AuditSubjects, audit_rows, audit_subjects, entry_names_in
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.prizes import last_prize_change
from tournaments.selectors.repairs.undo import last_repairs
from tournaments.selectors.together import last_bulk_action
from tournaments.shared.frames.access import event_page
from tournaments.shared.frames.director import render_event_page
from tournaments.shared.frames.divisions import stage_name
from tournaments.shared.words.names import clock_time, date_and_time
from tournaments.site.web.trail_words import PAIRS_KEY

ROWS_PER_PAGE = 50
MAX_SEARCHED_ROWS = 20_000  # rows that a search reads, the newest first


@event_page
def audit_log(request: HttpRequest, event: Event) -> HttpResponse:
    """Page of all actions in the event with their actors.

    ``?q=`` searches in at most `MAX_SEARCHED_ROWS` rows; ``?before=`` continues the search.
    """
    text = request.GET.get("q", "")[:80].replace("\0", "")
    stages = linked_stages(event)
    stage_names = {stage.pk: stage_name(stage, stages) for stage in stages} if len(stages) > 1 else {}
    number = request.GET.get("page")
    search_words = fold_text(text).split()
    older_id: int | None = None
    if search_words:
        searched_rows = list(audit_rows(event, _before_row_id(request))[:MAX_SEARCHED_ROWS])
        older_id = searched_rows[-1].pk if len(searched_rows) == MAX_SEARCHED_ROWS else None
        matching = [
            line for line in _describe_rows(searched_rows, stage_names) if _matches_search(line, search_words)
        ]
        page: Page[Any] = Paginator(matching, ROWS_PER_PAGE).get_page(number)
        described_rows = list(page)
    else:
        page = Paginator(audit_rows(event), ROWS_PER_PAGE).get_page(number)
        described_rows = _describe_rows(list(page), stage_names)
    undoable_ids, prize_change, bulk_action = (
        last_repairs(event),
        last_prize_change(event),
        last_bulk_action(event),
    )
    entries = [
        {
            "words": sentence,
            "when": date_and_time(row.at, event),
            "who": actor_text(row),
            "major": is_major(row),
            "undo": row.pk if row.pk in undoable_ids else None,
            "undo_prizes": row.pk if prize_change is not None and prize_change[0].pk == row.pk else None,
            "undo_together": row.pk if bulk_action is not None and bulk_action[0].pk == row.pk else None,
            "undone": row.undone_by_id is not None,
        }
        for row, sentence in described_rows
    ]
    before_id = _before_row_id(request)
    query = _query_string(text, before_id) if text else ""
    context = {
        "page": page,
        "entries": entries,
        "text": text,
        "query": query,
        "older": _query_string(text, older_id) if older_id is not None else "",
    }
    return render_event_page(request, "site/audit.html", event, "audit", context, stages=stages)


def rows_with_descriptions(event: Event, rows: list[AuditEntry]) -> list[tuple[AuditEntry, str]]:
    """Return pairs of row and sentence for these rows of the audit log of ``event``."""
    stages = linked_stages(event)
    stage_names = {stage.pk: stage_name(stage, stages) for stage in stages} if len(stages) > 1 else {}
    return _describe_rows(rows, stage_names)


def latest_changes(event: Event, count: int = 5) -> list[dict[str, Any]]:
    """Return template contexts of the latest ``count`` actions, newest first: sentence, actor, time.

    The time is a date for actions before today.
    """
    zone = ZoneInfo(event.timezone)
    today = timezone.now().astimezone(zone).date()
    return [
        {
            "key": row.pk,
            "words": sentence,
            "is_undone": row.undone_by_id is not None,
            "who": actor_text(row),
            "when": clock_time(row.at, event)
            if row.at.astimezone(zone).date() == today
            else date_format(row.at.astimezone(zone), "MONTH_DAY_FORMAT"),
        }
        for row, sentence in rows_with_descriptions(event, list(audit_rows(event)[:count]))
    ]


def is_major(row: AuditEntry) -> bool:
    """Return whether the row of the audit log is highlighted."""
    return row.action in _MAJOR_ACTIONS


def actor_text(row: AuditEntry) -> str:
    """Return the label of the actor; for a personal link, with its entry and the number of its device."""
    name = row.actor_label.removeprefix(LINK_LABEL_PREFIX)
    if name == row.actor_label:
        return name
    phone = getattr(parse_row(row), "phone", 0)
    if phone:
        return _("link of %(name)s, phone %(number)s") % {"name": name, "number": phone}
    return _("link of %(name)s") % {"name": name}


def _before_row_id(request: HttpRequest) -> int | None:
    """Return the database id of the row before which a search continues; None without a valid one."""
    text = request.GET.get("before", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 18 else None


def _query_string(text: str, before: int | None) -> str:
    return urlencode({"q": text} if before is None else {"q": text, "before": str(before)})


def _describe_rows(rows: list[AuditEntry], stage_names: Mapping[int, str]) -> list[tuple[AuditEntry, str]]:
    """Return each row of the audit log with its sentence, as a pair."""
    subjects = audit_subjects(rows)
    names = _subject_names(subjects, stage_names)
    pairs = {pk: " – ".join(sides) for pk, (_number, _stage, sides) in subjects.matches.items()}
    return [
        (
            row,
            _with_part_name(
                action_sentence(
                    row.action,
                    {
                        **sentence_facts(row, names.get((row.subject_type, row.subject_id), "")),
                        PAIRS_KEY: pairs,
                    },
                ),
                stage_names.get(row.subject_id or 0, "") if row.subject_type == "tournaments.stage" else "",
            ),
        )
        for row in rows
    ]


def _matches_search(line: tuple[AuditEntry, str], words: list[str]) -> bool:
    """Return whether sentence, actor or names contain every word; ignores accents, case and punctuation.

    ``line``: a row with its sentence.
    """
    row, sentence = line
    text = fold_text(" ".join([sentence, row.actor_label, actor_text(row), *entry_names_in(row)]))
    return all(word in text for word in words)


def _with_part_name(sentence: str, part: str) -> str:
    return f"{part}: {sentence}" if part else sentence


_MAJOR_ACTIONS = frozenset(
    action_class.kind
    for action_class in (
        DrawPublished,
        DrawUnpublished,
        ResultCorrected,
        RepairUndone,
        CorrectionRequested,
        EventCancelled,
        EventRestored,
    )
)


def _subject_names(
    subjects: AuditSubjects, stage_names: Mapping[int, str]
) -> dict[tuple[str, int | None], str]:
    """Return labels of the audit rows' subjects, keyed by type and id.

    A match is “12 (Ann – Bob)”, with the stage if there are several; entries and players are names.
    """
    labels: dict[tuple[str, int | None], str] = {}
    for pk, (number, stage, sides) in subjects.matches.items():
        details = [text for text in (stage_names.get(stage, ""), " – ".join(sides)) if text]
        labels["tournaments.match", pk] = f"{number} ({', '.join(details)})" if details else str(number)
    labels |= {("tournaments.entry", pk): name for pk, name in subjects.entries.items()}
    labels |= {("people.player", pk): name for pk, name in subjects.players.items()}
    return labels
