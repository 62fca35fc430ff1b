"""*My event, now*: all of an event in one file, for its directors: the bundle for another site, and draws and lists to print and to open.

If the site goes, the tournament goes on by hand from these pages; and another site takes the bundle in.
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

from people.audience import Audience, read_for
from tournaments.bundles.services.exporting import write_event
from tournaments.entries.web.list_out import entries_as_csv
from tournaments.models import Division, Event
from tournaments.selectors.events.director import stages_of
from tournaments.shared.frames.access import event_page
from tournaments.shared.words.names import when_words
from tournaments.site.web.paper import PAPERS, paper_of

PRINTED: Final = ("draw", "attendance", "places")
_STYLE: Final = "static/css/pages/paper.css"


@event_page
def event_now(request: HttpRequest, event: Event) -> HttpResponse:
    """The file, as it stands at this moment."""
    content = io.BytesIO()
    stamp = timezone.now().strftime("%Y-%m-%d-%H%M")
    with (
        zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as whole,
        tempfile.TemporaryFile() as bundle,  # without a name: gone with the process, whatever ends it
    ):
        write_event(bundle, event_id=event.pk)
        bundle.seek(0)
        stored = zipfile.ZipInfo(f"{event.public_id}.bundle", timezone.localtime().timetuple()[:6])
        with whole.open(stored, "w", force_zip64=True) as member:
            shutil.copyfileobj(bundle, member)
        for name, text in _papers(request, event):
            whole.writestr(name, text)
    response = HttpResponse(content.getvalue(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="event-{event.public_id}-{stamp}.zip"'
    return response


def _papers(request: HttpRequest, event: Event) -> Iterator[tuple[str, str]]:
    """Pages that open in any browser, without network; and each division's entries for a spreadsheet."""
    read_for(Audience.FULL)
    style = (settings.BASE_DIR / _STYLE).read_text()
    divisions = {stage.division_id: stage.division for stage in stages_of(event)}
    for number, division in enumerate(divisions.values(), start=1):
        for kind in PRINTED:
            context = {
                **paper_of(request, event, kind, division=division.pk),
                "style": style,
                "when": when_words(event),
                "title": " · ".join(filter(None, [event.name, division.name, str(PAPERS[kind].name)])),
            }
            yield (
                f"{_named(number, division)}-{kind}.html",
                render_to_string("bundles/printed.html", context, request),
            )
        yield f"{_named(number, division)}-{slugify(_('Entries')) or 'entries'}.csv", entries_as_csv(division)


def _named(number: int, division: Division) -> str:
    name = slugify(division.name)
    return f"{number}-{name}" if name else str(number)
