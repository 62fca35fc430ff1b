"""Import of entries from pasted text or a file: reviewed and corrected in a table, then entered at once.

Text and table values are posted again with every step, so nothing is stored between steps. A file becomes
text in the first step. Table values count only while text and columns are those they were rendered for.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import CrawfordError
from people.countries import countries
from people.ids import parse_row_id
from people.messages import describe_all
from people.snapshot import snapshot
from people.web.access import request_actor
from tournaments.engine.lists.files import MAX_FILE_BYTES, read_text
from tournaments.engine.lists.reader import MAX_LINES, MAX_TEXT_LENGTH, parse_list
from tournaments.engine.lists.values import ListedPerson, ParsedList
from tournaments.engine.lists.words import ColumnRole
from tournaments.engine.matrix import CUSTOM_FIELD_PREFIX
from tournaments.entries.services.lists import import_entries
from tournaments.entries.web.applicants import ARRIVED_PARAMETER
from tournaments.entries.web.list_rows import (
    NEW_PLAYER,
    Cell,
    ListRow,
    RowResolution,
    build_rows,
    entries_from_rows,
)
from tournaments.models import Division, Event, EventColumn
from tournaments.selectors.columns import event_custom_fields
from tournaments.selectors.entries import newest_entry_id
from tournaments.selectors.events.director import are_entries_open, linked_stages
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.divisions import DivisionSwitch, chosen_division
from tournaments.shared.frames.limits import (
    limit_context,
    overrule_reason,
    warn_about_entries,
    when_full_choice,
)
from tournaments.shared.words.consents import CONSENT_LABELS

MAX_LIMIT_WARNINGS: Final = 12  # maximum number of players named with a doubtful rating


@event_form
def import_list(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a field for the list, then the table to review; when the table is sent, enter all players."""
    stages = linked_stages(event)
    switch = chosen_division(request, event, stages)
    base_context = {
        "open": are_entries_open(switch.stage, event),
        "division": switch.division,
        "divisions": switch.links(event, "paste"),
        "back": switch.page_url(event, "entries"),
        "limit": MAX_FILE_BYTES // 1_000_000,
    }
    if request.method != "POST":
        return render_event_page(request, "entries/paste.html", event, "entries", base_context, stages=stages)
    text, fault = _list_text(request)
    if fault:
        context = {**base_context, "text": text[:MAX_TEXT_LENGTH], "fault": fault}
        return render_event_page(
            request, "entries/paste.html", event, "entries", context, stages=stages, status=INVALID_STATUS
        )
    roles = _column_roles(request.POST)
    custom_fields = [custom_field.settings for custom_field in event_custom_fields(event)]
    parsed_list = parse_list(
        text, countries(), size=switch.division.team_size, roles=roles, own=custom_fields
    )
    if not parsed_list.people:
        context = {**base_context, "text": text, "fault": _("No names were found in this list.")}
        return render_event_page(
            request, "entries/paste.html", event, "entries", context, stages=stages, status=INVALID_STATUS
        )
    return _process_table(request, event, switch, text, parsed_list)


def _list_text(request: HttpRequest) -> tuple[str, str]:
    """Return the text of the list, from the file if one was sent, and an error message (empty if fine)."""
    text = request.POST.get("list", "").replace("\0", "").replace("\r\n", "\n")
    file = request.FILES.get("file")
    if file is not None:
        try:
            text = read_text(file.read(MAX_FILE_BYTES + 1)).replace("\0", "").replace("\r\n", "\n")
        except CrawfordError as error:
            return text, " ".join(describe_all(error))
    lines = sum(1 for line in text.splitlines() if line.strip())
    if not lines:
        return text, _("Paste at least one name.")
    if len(text) > MAX_TEXT_LENGTH or lines > MAX_LINES:
        message = _("This list is too long: it has %(lines)s lines. Paste up to %(limit)s lines at a time.")
        return text, message % {"lines": lines, "limit": MAX_LINES}
    return text, ""


def _column_roles(post_data: Mapping[str, str]) -> dict[int, ColumnRole]:
    """Return the roles that the director has chosen for columns, keyed by the index of the column."""
    return {
        int(name.removeprefix("role-")): ColumnRole(value)
        for name, value in post_data.items()
        if name.startswith("role-") and name[5:].isdecimal() and len(name) < 9 and value in set(ColumnRole)
    }


def _table_key(text: str, parsed_list: ParsedList, division: Division) -> str:
    """Return a hash of the text, columns and division for which the fields of the table were rendered."""
    key_parts = (text.strip(), [column.role.value for column in parsed_list.columns], division.pk)
    return hashlib.sha256(repr(key_parts).encode()).hexdigest()[:16]


def _fill_teams(people: Sequence[ListedPerson], size: int) -> list[ListedPerson]:
    """Return the people with empty places added to incomplete teams, so that missing members can be typed.

    ``size``: players in a team.
    """
    if size == 1:
        return list(people)
    teams: dict[int, list[ListedPerson]] = {}
    for person in people:
        teams.setdefault(person.line, []).append(person)
    return [
        member
        for line, team in teams.items()
        for member in (
            *team,
            *(
                ListedPerson(line, team[0].raw, "", place=position)
                for position in range(len(team) + 1, size + 1)
            ),
        )
    ]


def _process_table(
    request: HttpRequest, event: Event, switch: DivisionSwitch, text: str, parsed_list: ParsedList
) -> HttpResponse:
    size = switch.division.team_size
    table_key = _table_key(text, parsed_list, switch.division)
    typed = request.POST if request.POST.get("for", table_key) == table_key else None
    divisions = (
        [division for division in switch.divisions if division.team_size == size]
        if switch.has_several_divisions
        else []
    )
    posted_version = request.POST.get("seen", "")
    expected_version = parse_row_id(posted_version) if posted_version else newest_entry_id(event)
    rows = build_rows(_fill_teams(parsed_list.people, size), typed, event, switch.division, divisions)
    listed = bool(request.POST.get("listed")) if typed is not None else False
    entries = entries_from_rows(rows, size, listed=listed)
    overrule = overrule_reason(request)
    if overrule:
        entries = {
            pk: [replace(new_entry, overrule=overrule) for new_entry in new_entries]
            for pk, new_entries in entries.items()
        }
    page_context = {
        "text": text,
        "read": parsed_list,
        "made_for": table_key,
        "choices": divisions if len(divisions) > 1 else [],
        "listed": listed,
        "seen": expected_version,
        "entering": sum(map(len, entries.values())),
    }
    if request.POST.get("step") != "enter" or typed is None:
        return _render_preview(request, event, switch, rows, {**page_context, "seen": newest_entry_id(event)})
    faults = _faults(rows)
    if faults:
        return _render_preview(request, event, switch, rows, page_context, faults)
    try:
        created = import_entries(
            actor=request_actor(request),
            event_id=event.pk,
            entries=entries,
            seen=expected_version,
            when_full=when_full_choice(request),
        )
    except CrawfordError as error:
        if error.status != INVALID_STATUS and error.code != "entry.meanwhile":
            return render_refused_action(request, error, back=switch.page_url(event, "entries"))
        rows = build_rows(_fill_teams(parsed_list.people, size), typed, event, switch.division, divisions)
        current_entries = entries_from_rows(rows, size, listed=listed)
        page_context = {
            **page_context,
            "seen": newest_entry_id(event),
            "entering": sum(map(len, current_entries.values())),
        }
        return _render_preview(request, event, switch, rows, page_context, describe_all(error), error.status)
    messages.success(request, _entered_message(len(created), size))
    warn_about_entries(request, event, created, MAX_LIMIT_WARNINGS)
    return redirect(f"{switch.page_url(event, 'entries')}{'&' if switch.query else '?'}{ARRIVED_PARAMETER}")


def _faults(rows: Sequence[ListRow]) -> list[str]:
    """Return messages on what must be corrected before entering; each error is also marked in its row."""
    faults = []
    if any(row.meaning is RowResolution.ASK for row in rows):
        faults.append(_("Choose a player in the marked lines."))
    faulty_rows = [row for row in rows if row.faults and row.meaning is not RowResolution.OUT]
    faults += [
        _("Line %(line)s, %(name)s: %(fault)s")
        % {"line": row.person.line, "name": row.values["name"] or "–", "fault": fault}
        for row in faulty_rows[:20]
        for fault in row.faults.values()
    ]
    return faults


@snapshot()
def _render_preview(
    request: HttpRequest,
    event: Event,
    switch: DivisionSwitch,
    rows: list[ListRow],
    page_context: Mapping[str, Any],
    faults: list[str] | None = None,
    status: int = INVALID_STATUS,
) -> HttpResponse:
    size = switch.division.team_size
    used_fields = {name for row in rows for name, value in row.values.items() if value}
    fields = [
        (name, label)
        for name, label in _field_labels(event_custom_fields(event))
        if name in used_fields | {"country", "note"}
    ]
    for row in rows:
        row.cells = [Cell(name, label, row.values[name], row.faults.get(name, "")) for name, label in fields]
    counts = {meaning: sum(row.meaning is meaning for row in rows) for meaning in RowResolution}
    unresolved_lines = {
        row.person.line
        for row in rows
        if row.meaning in {RowResolution.ASK, RowResolution.MISSING} or row.faults
    }
    groups = [
        (_("Lines to check"), [row for row in rows if row.person.line in unresolved_lines]),
        ("", [row for row in rows if row.person.line not in unresolved_lines]),
    ]
    context = {
        **page_context,
        "groups": [(title, group_rows) for title, group_rows in groups if group_rows],
        "fields": fields,
        "new": NEW_PLAYER,
        "size": size,
        "roles": _role_labels(size),
        "division": switch.division,
        "back": switch.page_url(event, "entries"),
        **_limit_context(request, switch),
        "undecided": counts[RowResolution.ASK],
        "fresh": counts[RowResolution.NEW],
        "counted": [
            (label, counts[meaning]) for meaning, label in _meaning_labels().items() if counts[meaning]
        ],
        "faults": faults or [],
    }
    return render_event_page(
        request, "entries/paste_preview.html", event, "entries", context, status=status if faults else 200
    )


def _limit_context(request: HttpRequest, switch: DivisionSwitch) -> dict[str, Any]:
    """Return the template context of the rating limit of the chosen division, or else of another division."""
    divisions = [switch.division, *switch.divisions]
    return limit_context(
        request, next((division for division in divisions if division.limit_source), switch.division)
    )


def _entered_message(count: int, size: int) -> str:
    message = (
        ngettext("%(count)s player entered.", "%(count)s players entered.", count)
        if size == 1
        else ngettext("%(count)s team entered.", "%(count)s teams entered.", count)
    )
    return message % {"count": count}


def _field_labels(custom_fields: Sequence[EventColumn]) -> list[tuple[str, str]]:
    """Return name and label of each field of the table beside the player's name, in order."""
    return [
        ("country", _("Country")),
        ("rating", _("Rating")),
        ("club", _("Club")),
        ("email", _("E-mail address")),
        ("phone", _("Phone")),
        ("paid", _("Paid")),
        ("note", _("Note")),
        *((kind.value, str(label)) for kind, label in CONSENT_LABELS.items()),
        ("minor", _("Minor")),
        ("numbers", _("Federation numbers")),
        ("outside", _("Outside ratings")),
        *((f"{CUSTOM_FIELD_PREFIX}{custom_field.pk}", custom_field.name) for custom_field in custom_fields),
    ]


def _role_labels(size: int) -> list[tuple[str, str]]:
    """Return code and label of each role that a column of the list can have. ``size``: players in a team."""
    role_labels = [
        (ColumnRole.NAME, _("Name")),
        (ColumnRole.FIRST, _("First name")),
        (ColumnRole.LAST, _("Surname")),
        (ColumnRole.COUNTRY, _("Country")),
        (ColumnRole.RATING, _("Rating")),
        (ColumnRole.CLUB, _("Club")),
        (ColumnRole.DIVISION, _("Division")),
        (ColumnRole.EMAIL, _("E-mail address")),
        (ColumnRole.PHONE, _("Phone")),
        (ColumnRole.PAID, _("Paid")),
        (ColumnRole.NOTE, _("Note")),
        *((ColumnRole(kind.value), str(role_labels)) for kind, role_labels in CONSENT_LABELS.items()),
        (ColumnRole.MINOR, _("Minor")),
        (ColumnRole.CUSTOM, _("Custom field with this name")),
        (ColumnRole.VALID_UNTIL, _("Last valid day of a number")),
        (ColumnRole.OTHER, _("Note, including its heading")),
        (ColumnRole.SKIP, _("Leave out")),
    ]
    partner = [(ColumnRole.PARTNER, _("Partner"))] if size > 1 else []
    return [(role.value, role_label) for role, role_label in (*role_labels[:3], *partner, *role_labels[3:])]


def _meaning_labels() -> dict[RowResolution, str]:
    return {
        RowResolution.ASK: _("to be decided"),
        RowResolution.MISSING: _("without a name"),
        RowResolution.KNOWN: _("known"),
        RowResolution.NEW: _("new"),
        RowResolution.TWICE: _("twice on the list"),
        RowResolution.ENTERED: _("already entered"),
        RowResolution.OUT: _("left out"),
    }
