"""The entries of a division as a file for spreadsheets, with the columns that a list may have: what goes out can come in again.

For directors alone: it holds addresses and telephones.
"""

import io
from collections.abc import Sequence

import xlsxwriter
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from people.spreadsheets import MARK, csv_text
from tournaments.engine.consents import Consent, Reply
from tournaments.models import Division, EntryDetail, Event, EventColumn
from tournaments.selectors.columns import columns_of
from tournaments.selectors.entries import details_of, entries_of, minors_in
from tournaments.selectors.events.director import stages_of
from tournaments.shared.frames.access import event_page
from tournaments.shared.frames.divisions import chosen_division
from tournaments.shared.words.consents import CONSENTS, SHORT

Cell = str | float | None
_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@event_page
def entries_file(request: HttpRequest, event: Event, kind: str) -> HttpResponse:
    """A row for each entry that takes part: CSV, or a workbook of Excel."""
    division = chosen_division(request, event, stages_of(event)).division
    rows = [_heads(division), *_rows(division)]
    response = HttpResponse(_csv(rows) if kind == "csv" else _workbook(rows), content_type=_TYPES[kind])
    response["Content-Disposition"] = f'attachment; filename="entries-{event.public_id}.{kind}"'
    response["Cache-Control"] = "private, no-store"
    return response


def entries_as_csv(division: Division) -> str:
    """The same file of a division as text."""
    return _csv([_heads(division), *_rows(division)])


def _heads(division: Division) -> list[Cell]:
    others = [_("Player %(number)s") % {"number": place} for place in range(2, division.team_size + 1)]
    about = [_("Country"), _("Rating"), _("Club"), _("Division")]
    return [
        _("Name"),
        *others,
        *about,
        _("E-mail address"),
        _("Phone"),
        _("Paid"),
        _("Note"),
        *_agreed_heads(),
        *(one.name for one in columns_of(division.event)),
    ]


def _agreed_heads() -> list[Cell]:
    return [*(str(CONSENTS[kind]) for kind in Consent), _("Minor")]


def _reply(about: EntryDetail | None, kind: Consent) -> str:
    reply = getattr(about, kind) if about is not None else ""
    return str(SHORT[Reply(reply)]) if reply else ""


def _value(about: EntryDetail | None, column: EventColumn) -> str:
    value = str(about.extra.get(str(column.pk), "")) if about is not None else ""
    return _("yes") if value and column.kind == EventColumn.Kind.TICK else value


def _rows(division: Division) -> list[list[Cell]]:
    details = details_of([division.pk])
    minors, own = minors_in(division), columns_of(division.event)
    rows: list[list[Cell]] = []
    for entry in entries_of([division.pk])[division.pk]:
        if entry.withdrawn or not entry.players:
            continue
        first = entry.players[0]
        about = details.get((entry.pk, first.pk))
        paid = {True: _("yes"), False: _("no"), None: ""}[about.paid if about is not None else None]
        rows.append(
            [
                *(player.name for player in entry.players),
                *[""] * (division.team_size - len(entry.players)),
                first.country,
                about.rating if about is not None else None,
                (about.club if about is not None else "") or first.club,
                division.name,
                about.email if about is not None else "",
                about.phone if about is not None else "",
                paid,
                about.note if about is not None else "",
                *(_reply(about, kind) for kind in Consent),
                _("yes") if minors.get(first.pk) else "",
                *(_value(about, one) for one in own),
            ]
        )
    return rows


def _csv(rows: Sequence[Sequence[Cell]]) -> str:
    return MARK + csv_text(
        [f"{cell:g}" if isinstance(cell, float) else cell or "" for cell in row] for row in rows
    )


def _workbook(rows: Sequence[Sequence[Cell]]) -> bytes:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        sheet = book.add_worksheet(_("Entries")[:31])
        bold = book.add_format({"bold": True})
        for number, row in enumerate(rows):
            for column, cell in enumerate(row):
                if isinstance(cell, float):
                    sheet.write_number(number, column, cell)
                else:  # a text, whatever it begins with: nothing is calculated
                    sheet.write_string(number, column, cell or "", None if number else bold)
        sheet.freeze_panes(1, 0)
        sheet.autofit()
    return file.getvalue()
