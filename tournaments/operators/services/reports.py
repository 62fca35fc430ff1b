"""Reports of pages: anybody makes one, operators answer for them."""

from urllib.parse import urlsplit

from django.utils import timezone

from faults import Conflict, Fault, Invalid, refuse
from people.actors import Actor
from people.addresses import bare
from people.models import PageReport
from people.models.moderation import REPORT_LIMIT
from people.services import operators
from people.services.operators import REASON_LIMIT
from people.text import one_line
from people.transactions import durable
from tournaments.operators.services.report_mail import tell_operators
from tournaments.selectors.operators.lists import report_with

PAGE_LIMIT, CONTACT_LIMIT = 300, 200


@durable
def report_page(*, page: str, text: str, contact: str = "") -> PageReport:
    """Keep what somebody says is wrong with ``page``, a path of this site; operators are told by mail, if there is mail."""
    page, text, contact = clean_page(page), one_line(text), one_line(contact)
    faults = []
    if not any(letter.isalnum() for letter in text):
        faults.append(Fault("report_page.empty", "text"))
    if len(text) > REPORT_LIMIT:
        faults.append(Fault("report_page.long", "text", {"limit": REPORT_LIMIT}))
    if len(contact) > CONTACT_LIMIT:
        faults.append(Fault("report_page.long", "contact", {"limit": CONTACT_LIMIT}))
    refuse(faults)
    made = PageReport.objects.create(page=page, text=text, contact=contact)
    tell_operators(report=made)
    return made


def clean_page(page: str) -> str:
    """The path of a page of this site, without anything behind it or a language in front; ``Invalid`` for all else."""
    # A browser reads "/\\host" as "//host", another site, and overlooks tabs.
    ours = page.startswith("/") and page.isprintable() and "\\" not in page
    path = bare(urlsplit(page).path) if ours and not page.startswith("//") else ""
    if not path or len(path) > PAGE_LIMIT or one_line(path) != path:
        raise Invalid("report_page.no_page", field="page")
    return path


@durable
def answer_report(*, actor: Actor, public_id: str, note: str, handled: bool) -> PageReport:
    """Close it with a note, or open it again. ``Conflict`` if it stands so: another operator was quicker."""
    note = one_line(note)
    if len(note) > REASON_LIMIT:
        raise Invalid("operator.reason_long", field="note", limit=REASON_LIMIT)
    found = report_with(public_id)
    found = PageReport.objects.select_for_update(of=("self",)).get(pk=found.pk)
    if (found.handled_at is not None) is handled:
        raise Conflict("report_page.stands", present={"status": "handled" if handled else "open"})
    found.handled_at = timezone.now() if handled else None
    found.handled_by, found.note = (actor.user, note) if handled else (None, found.note)
    found.save()
    after = "handled" if handled else "open"
    operators.note(actor=actor, verb="report", subject=found, reason=note, kind="report", after=after)
    return found
