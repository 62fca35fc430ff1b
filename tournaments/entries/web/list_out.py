"""Export of the entries of a division for spreadsheets, with the columns that an import reads.

For directors only: the file contains e-mail addresses and phone numbers.
"""

import io
from collections.abc import Sequence

import xlsxwriter
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from people.spreadsheets import BYTE_ORDER_MARK, csv_text
from tournaments.engine.consents import Consent, Reply
from tournaments.models import Division, EntryDetail, Event, EventColumn
from tournaments.selectors.columns import event_custom_fields
from tournaments.selectors.entries import entries_by_division, entry_details, minor_player_ids
from tournaments.selectors.events.director import linked_stages
from tournaments.shared.frames.access import event_page
from tournaments.shared.frames.divisions import chosen_division
from tournaments.shared.words.consents import CONSENT_LABELS, SHORT_REPLY_LABELS

CellValue = str | float | None
_CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@event_page
def entries_file(request: HttpRequest, event: Event, kind: str) -> HttpResponse:
    """Return a file with a row for each entry that takes part. ``kind``: "csv" or "xlsx"."""
    division = chosen_division(request, event, linked_stages(event)).division
    rows = [_heads(division), *_rows(division)]
    response = HttpResponse(
        _csv(rows) if kind == "csv" else _workbook(rows), content_type=_CONTENT_TYPES[kind]
    )
    response["Content-Disposition"] = f'attachment; filename="entries-{event.public_id}.{kind}"'
    response["Cache-Control"] = "private, no-store"
    return response


def entries_as_csv(division: Division) -> str:
    """Return the entries of a division as CSV text, with the same columns as the file for download."""
    return _csv([_heads(division), *_rows(division)])


def _heads(division: Division) -> list[CellValue]:
    partner_heads = [
        _("Player %(number)s") % {"number": position} for position in range(2, division.team_size + 1)
    ]
    detail_heads = [_("Country"), _("Rating"), _("Club"), _("Division")]
    return [
        _("Name"),
        *partner_heads,
        *detail_heads,
        _("E-mail address"),
        _("Phone"),
        _("Paid"),
        _("Note"),
        *_consent_heads(),
        *(custom_field.name for custom_field in event_custom_fields(division.event)),
    ]


def _consent_heads() -> list[CellValue]:
    return [*(str(CONSENT_LABELS[kind]) for kind in Consent), _("Minor")]


def _reply_label(detail: EntryDetail | None, kind: Consent) -> str:
    reply = getattr(detail, kind) if detail is not None else ""
    return str(SHORT_REPLY_LABELS[Reply(reply)]) if reply else ""


def _custom_value(detail: EntryDetail | None, column: EventColumn) -> str:
    value = str(detail.extra.get(str(column.pk), "")) if detail is not None else ""
    return _("yes") if value and column.kind == EventColumn.Kind.TICK else value


def _rows(division: Division) -> list[list[CellValue]]:
    details = entry_details([division.pk])
    minors, custom_fields = minor_player_ids(division), event_custom_fields(division.event)
    rows: list[list[CellValue]] = []
    for entry in entries_by_division([division.pk])[division.pk]:
        if entry.withdrawn or not entry.players:
            continue
        first = entry.players[0]
        detail = details.get((entry.pk, first.pk))
        paid = {True: _("yes"), False: _("no"), None: ""}[detail.paid if detail is not None else None]
        rows.append(
            [
                *(player.name for player in entry.players),
                *[""] * (division.team_size - len(entry.players)),
                first.country,
                detail.rating if detail is not None else None,
                (detail.club if detail is not None else "") or first.club,
                division.name,
                detail.email if detail is not None else "",
                detail.phone if detail is not None else "",
                paid,
                detail.note if detail is not None else "",
                *(_reply_label(detail, kind) for kind in Consent),
                _("yes") if minors.get(first.pk) else "",
                *(_custom_value(detail, custom_field) for custom_field in custom_fields),
            ]
        )
    return rows


def _csv(rows: Sequence[Sequence[CellValue]]) -> str:
    return BYTE_ORDER_MARK + csv_text(
        [f"{cell:g}" if isinstance(cell, float) else cell or "" for cell in row] for row in rows
    )


def _workbook(rows: Sequence[Sequence[CellValue]]) -> bytes:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as workbook:
        sheet = workbook.add_worksheet(_("Entries")[:31])
        bold = workbook.add_format({"bold": True})
        for number, row in enumerate(rows):
            for column, cell in enumerate(row):
                if isinstance(cell, float):
                    sheet.write_number(number, column, cell)
                else:  # always as text, never as a formula
                    sheet.write_string(number, column, cell or "", None if number else bold)
        sheet.freeze_panes(1, 0)
        sheet.autofit()
    return file.getvalue()
