"""Reports of visitors about pages of this site, and the operators' answers."""

from urllib.parse import urlsplit

from django.utils import timezone

from faults import Conflict, Fault, Invalid, raise_faults
from people.actors import Actor
from people.addresses import without_language
from people.models import PageReport
from people.models.moderation import REPORT_LIMIT
from people.services import operators
from people.services.operators import REASON_LIMIT
from people.text import clean_line
from people.transactions import durable
from tournaments.operators.services.report_mail import notify_operators
from tournaments.selectors.operators.lists import get_page_report

MAX_PAGE_LENGTH, MAX_CONTACT_LENGTH = 300, 200


@durable
def report_page(*, page: str, text: str, contact: str = "") -> PageReport:
    """Save a visitor's report about ``page``, a path of this site, and notify operators if mail is set up.

    ``contact``: how to reach the visitor, or empty. Raises ``Invalid`` for texts that are empty or too long.
    """
    page, text, contact = page_path(page), clean_line(text), clean_line(contact)
    faults = []
    if not any(letter.isalnum() for letter in text):
        faults.append(Fault("report_page.empty", "text"))
    if len(text) > REPORT_LIMIT:
        faults.append(Fault("report_page.long", "text", {"limit": REPORT_LIMIT}))
    if len(contact) > MAX_CONTACT_LENGTH:
        faults.append(Fault("report_page.long", "contact", {"limit": MAX_CONTACT_LENGTH}))
    raise_faults(faults)
    report = PageReport.objects.create(page=page, text=text, contact=contact)
    notify_operators(report=report)
    return report


def page_path(page: str) -> str:
    """Return the path of a page of this site without language prefix, query and fragment.

    Raises ``Invalid`` if ``page`` is not a path of this site.
    """
    # A browser reads "/\\host" as "//host", another site, and ignores tabs.
    is_local = page.startswith("/") and page.isprintable() and "\\" not in page
    path = without_language(urlsplit(page).path) if is_local and not page.startswith("//") else ""
    if not path or len(path) > MAX_PAGE_LENGTH or clean_line(path) != path:
        raise Invalid("report_page.no_page", field="page")
    return path


@durable
def answer_report(*, actor: Actor, public_id: str, note: str, handled: bool) -> PageReport:
    """Close a report with a note, or reopen it if ``handled`` is False.

    Raises ``Conflict`` if the report has this state already.
    """
    note = clean_line(note)
    if len(note) > REASON_LIMIT:
        raise Invalid("operator.reason_long", field="note", limit=REASON_LIMIT)
    page_report = get_page_report(public_id)
    page_report = PageReport.objects.select_for_update(of=("self",)).get(pk=page_report.pk)
    if (page_report.handled_at is not None) is handled:
        raise Conflict("report_page.stands", present={"status": "handled" if handled else "open"})
    page_report.handled_at = timezone.now() if handled else None
    page_report.handled_by, page_report.note = (actor.user, note) if handled else (None, page_report.note)
    page_report.save()
    after = "handled" if handled else "open"
    operators.record_operator_action(
        actor=actor, verb="report", subject=page_report, reason=note, kind="report", after=after
    )
    return page_report
