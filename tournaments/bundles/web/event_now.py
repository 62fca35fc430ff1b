"""*My event, now*: an event as a ZIP file for its directors: bundle, draws and lists to print and to open.

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
    """Download a ZIP file with the current state of the event."""
    content, bundle = io.BytesIO(), f"{event.public_id}.bundle"
    stamp = timezone.now().strftime("%Y-%m-%d-%H%M")
    with (
        zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive,
        tempfile.TemporaryFile() as bundle_file,  # without a name, so that it is deleted with the process
    ):
        for name, text in _archive_pages(request, event, bundle):
            archive.writestr(name, text)
        write_event_bundle(bundle_file, event_id=event.pk)
        bundle_file.seek(0)
        bundle_info = zipfile.ZipInfo(bundle, timezone.localtime().timetuple()[:6])
        with archive.open(bundle_info, "w", force_zip64=True) as member:
            shutil.copyfileobj(bundle_file, member)
    response = HttpResponse(content.getvalue(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="event-{event.public_id}-{stamp}.zip"'
    return response


def _archive_pages(request: HttpRequest, event: Event, bundle: str) -> Iterator[tuple[str, str]]:
    """Yield name and text of each file: pages for any browser, an index, and entries as a spreadsheet."""
    activate_audience(Audience.FULL)
    # On every sheet, because the tournament may have continued since.
    date_label = f"{event_dates_label(event)} · {_('As of')} {date_and_time(timezone.now(), event)}"
    common = {"style": (settings.BASE_DIR / _STYLE_PATH).read_text(), "when": date_label}
    divisions = {stage.division_id: stage.division for stage in linked_stages(event)}
    papers: list[Context] = []
    for number, division in enumerate(divisions.values(), start=1):
        division_name = division.name if len(divisions) > 1 else ""
        for kind in PRINTED_PAPERS:
            paper_name = str(PAPERS[kind].name)
            context = {
                **paper_context(request, event, kind, division=division.pk),
                **common,
                "title": " · ".join(filter(None, [event.name, division.name, paper_name])),
            }
            file = f"{_division_file_name(number, division)}-{kind}.html"
            papers.append({"file": file, "title": " · ".join(filter(None, [division_name, paper_name]))})
            yield file, render_to_string("bundles/printed.html", context, request)
        file = f"{_division_file_name(number, division)}-{slugify(_('Entries')) or 'entries'}.csv"
        papers.append({"file": file, "title": " · ".join(filter(None, [division_name, _("Entries"), "CSV"]))})
        yield file, entries_as_csv(division)
    index_context = {**common, "event": event, "papers": papers, "bundle": bundle}
    yield "index.html", render_to_string("bundles/start.html", index_context, request)


def _division_file_name(number: int, division: Division) -> str:
    name = slugify(division.name)
    return f"{number}-{name}" if name else str(number)
