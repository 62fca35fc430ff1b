"""What operators did, as sentences; and what the kinds of things are called."""

from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.models import AuditEntry
from people.web.trail import Facts, facts_of, register, sentence_of
from tournaments.selectors.operators.subjects import Subject, subject_of_row

KINDS: Final = {
    "account": gettext_lazy("Account"),
    "club": gettext_lazy("Club"),
    "list": gettext_lazy("Rating list"),
    "event": gettext_lazy("Event"),
    "player": gettext_lazy("Player"),
    "announcement": gettext_lazy("Announcement"),
    "description": gettext_lazy("Description of an event"),
    "about": gettext_lazy("What a club says about itself"),
    "note": gettext_lazy("Note of a session"),
    "report": gettext_lazy("Report"),
}
QUOTA_NAMES: Final = {
    "clubs": gettext_lazy("Clubs it owns"),
    "checks": gettext_lazy("Records checked within a day"),
    "members": gettext_lazy("People with a role"),
    "invitations": gettext_lazy("Invitations within a day"),
    "players": gettext_lazy("Players it knows"),
    "entries": gettext_lazy("Entries of one event"),
    "lists": gettext_lazy("Rating lists"),
    "archives": gettext_lazy("Archives of records within a day"),
}
STATES: Final = {
    "": gettext_lazy("public"),
    "hidden": gettext_lazy("hidden"),
    "removed": gettext_lazy("removed"),
    "suspended": gettext_lazy("suspended"),
}


def kind_name(kind: str) -> str:
    """“Event”."""
    return str(KINDS.get(kind, kind))


def _moderated(facts: Facts) -> str:
    words = {
        "hidden": _("%(kind)s hidden: %(subject)s"),
        "removed": _("%(kind)s removed: %(subject)s"),
        "": _("%(kind)s restored: %(subject)s"),
    }[str(facts["after"])]
    return words % {"kind": kind_name(str(facts["kind"])), "subject": facts["subject"]}


def _allowed(facts: Facts) -> str:
    quota = QUOTA_NAMES.get(str(facts["quota"]), facts["quota"])
    if facts["after"] is None:
        return _("%(subject)s: %(quota)s as for everybody") % {"subject": facts["subject"], "quota": quota}
    return _("%(subject)s: %(quota)s up to %(count)s") % {
        "subject": facts["subject"],
        "quota": quota,
        "count": facts["after"],
    }


def _answered(facts: Facts) -> str:
    return _("A report handled") if facts["after"] == "handled" else _("A report opened again")


register(
    {
        "operator.moderate": _moderated,
        "operator.quota": _allowed,
        "operator.merge": gettext_lazy("Two players merged into %(subject)s"),
        "operator.undo_merge": gettext_lazy("A merge taken back: %(subject)s"),
        "operator.erase": gettext_lazy("A player erased"),
        "operator.report": _answered,
    }
)


def trail_row(row: AuditEntry) -> dict[str, Any]:
    """A row of the operators' trail for `operators/_trail.html`."""
    about = _subject_of(row)
    return {
        "row": row,
        "words": sentence_of(row.action, facts_of(row, about.name if about is not None else "")),
        "reason": row.data.get("reason", ""),
        "about": about,
        "merged": row.subject_id if row.action == "operator.merge" else None,
    }


def _subject_of(row: AuditEntry) -> Subject | None:
    kind = str(
        row.data.get("kind") or {"people.user": "account", "people.club": "club"}.get(row.subject_type, "")
    )
    pk = row.data.get("keep", row.subject_id)
    return subject_of_row(kind, int(pk)) if kind in KINDS and kind != "report" and pk is not None else None
