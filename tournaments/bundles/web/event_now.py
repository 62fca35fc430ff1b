"""*My event, now*: an event in one file for its directors: bundle, draws and lists to print and to open.

If the site fails, the tournament continues by hand from these pages, or on another site that imports the
bundle.
"""

import io
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from people.audience import Audience, activate_audience
from tournaments.bundles.services.exporting import write_event_bundle
from tournaments.entries.web.list_out import entries_as_csv
from tournaments.models import Division, Event
from tournaments.selectors.events.director import linked_stages
from tournaments.shared.fragments.cards import Context
from tournaments.shared.frames.access import event_page
from tournaments.shared.words.names import date_and_time, event_dates_label
from tournaments.site.web.paper import PAPERS, paper_context

PRINTED_PAPERS: Final = ("draw", "attendance", "places")
_STYLE_PATH: Final = "static/css/pages/paper.css"


@event_page
def download_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Download the file with the current state."""
    content, bundle = io.BytesIO(), f"{event.public_id}.bundle"
    stamp = timezone.now().strftime("%Y-%m-%d-%H%M")
    with (
        zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as whole,
        tempfile.TemporaryFile() as made,  # without a name, so that it is deleted with the process
    ):
        for name, text in _archive_pages(request, event, bundle):
            whole.writestr(name, text)
        write_event_bundle(made, event_id=event.pk)
        made.seek(0)
        stored = zipfile.ZipInfo(bundle, timezone.localtime().timetuple()[:6])
        with whole.open(stored, "w", force_zip64=True) as member:
            shutil.copyfileobj(made, member)
    response = HttpResponse(content.getvalue(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="event-{event.public_id}-{stamp}.zip"'
    return response


def _archive_pages(request: HttpRequest, event: Event, bundle: str) -> Iterator[tuple[str, str]]:
    """Pages for any browser, offline, with an index, and each division's entries as a spreadsheet."""
    activate_audience(Audience.FULL)
    # On every sheet, because the tournament may have continued since.
    when = f"{event_dates_label(event)} · {_('As of')} {date_and_time(timezone.now(), event)}"
    common = {"style": (settings.BASE_DIR / _STYLE_PATH).read_text(), "when": when}
    divisions = {stage.division_id: stage.division for stage in linked_stages(event)}
    papers: list[Context] = []
    for number, division in enumerate(divisions.values(), start=1):
        named = division.name if len(divisions) > 1 else ""
        for kind in PRINTED_PAPERS:
            what = str(PAPERS[kind].name)
            context = {
                **paper_context(request, event, kind, division=division.pk),
                **common,
                "title": " · ".join(filter(None, [event.name, division.name, what])),
            }
            file = f"{_division_file_name(number, division)}-{kind}.html"
            papers.append({"file": file, "title": " · ".join(filter(None, [named, what]))})
            yield file, render_to_string("bundles/printed.html", context, request)
        file = f"{_division_file_name(number, division)}-{slugify(_('Entries')) or 'entries'}.csv"
        papers.append({"file": file, "title": " · ".join(filter(None, [named, _("Entries"), "CSV"]))})
        yield file, entries_as_csv(division)
    start = {**common, "event": event, "papers": papers, "bundle": bundle}
    yield "index.html", render_to_string("bundles/start.html", start, request)


def _division_file_name(number: int, division: Division) -> str:
    name = slugify(division.name)
    return f"{number}-{name}" if name else str(number)
