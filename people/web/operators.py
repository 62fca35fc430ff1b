"""Sentences for the operators' audit log, and labels for the kinds of objects in it."""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.models import AuditEntry
from people.web.trail import Facts, action_sentence, register_sentences, sentence_facts

KIND_LABELS: Final = {
    "account": gettext_lazy("Account"),
    "club": gettext_lazy("Club"),
    "list": gettext_lazy("Rating list"),
    "event": gettext_lazy("Event"),
    "player": gettext_lazy("Player"),
    "announcement": gettext_lazy("Announcement"),
    "description": gettext_lazy("Event description"),
    "about": gettext_lazy("Club description"),
    "note": gettext_lazy("Session note"),
    "report": gettext_lazy("Report"),
}
QUOTA_NAMES: Final = {
    "clubs": gettext_lazy("Clubs owned"),
    "checks": gettext_lazy("Match files checked per day"),
    "members": gettext_lazy("People with a role"),
    "invitations": gettext_lazy("Invitations per day"),
    "players": gettext_lazy("Players in the club"),
    "entries": gettext_lazy("Entries per event"),
    "lists": gettext_lazy("Rating lists"),
    "archives": gettext_lazy("Game record archives per day"),
}
STATE_LABELS: Final = {
    "": gettext_lazy("public"),
    "hidden": gettext_lazy("hidden"),
    "removed": gettext_lazy("removed"),
    "suspended": gettext_lazy("suspended"),
}


def kind_name(kind: str) -> str:
    """Return the label of a kind of object, such as “Event”; the kind itself if it has none."""
    return str(KIND_LABELS.get(kind, kind))


def _moderation_sentence(facts: Facts) -> str:
    template = {
        "hidden": _("%(kind)s hidden: %(subject)s"),
        "removed": _("%(kind)s removed: %(subject)s"),
        "": _("%(kind)s restored: %(subject)s"),
    }[str(facts["after"])]
    return template % {"kind": kind_name(str(facts["kind"])), "subject": facts["subject"]}


def _allowance_sentence(facts: Facts) -> str:
    quota = QUOTA_NAMES.get(str(facts["quota"]), facts["quota"])
    if facts["after"] is None:
        return _("%(subject)s: %(quota)s, default limit restored") % {
            "subject": facts["subject"],
            "quota": quota,
        }
    return _("%(subject)s: %(quota)s, limit set to %(count)s") % {
        "subject": facts["subject"],
        "quota": quota,
        "count": facts["after"],
    }


def _page_report_sentence(facts: Facts) -> str:
    return _("Page report resolved") if facts["after"] == "handled" else _("Page report reopened")


register_sentences(
    {
        "operator.moderate": _moderation_sentence,
        "operator.quota": _allowance_sentence,
        "operator.list_club": gettext_lazy("Events listed immediately: %(subject)s"),
        "operator.merge": gettext_lazy("Two players merged into %(subject)s"),
        "operator.undo_merge": gettext_lazy("Merge undone: %(subject)s"),
        "operator.erase": gettext_lazy("Player erased"),
        "operator.report": _page_report_sentence,
    }
)


@dataclass(frozen=True, slots=True)
class OperatorAction:
    """An entry of the operators' audit log: ``kind`` and database id (``pk``) of its object, and the reason.

    ``keep``: the remaining player of a merge.
    """

    kind: str
    pk: int | None
    reason: str
    keep: int | None
    is_merge: bool


def action_from_entry(row: AuditEntry) -> OperatorAction:
    """Parse an entry of the audit log, written by this release or an earlier one."""
    kinds = {"people.user": "account", "people.club": "club"}
    return OperatorAction(
        kind=str(row.data.get("kind") or kinds.get(row.subject_type, "")),
        pk=row.subject_id,
        reason=str(row.data.get("reason", "")),
        keep=row.data.get("keep"),
        is_merge=row.action == "operator.merge",
    )


def operator_action_sentence(row: AuditEntry, name: str) -> str:
    """Return the entry as a sentence; ``name``: that of its object, "" if it no longer exists."""
    return action_sentence(row.action, sentence_facts(row, name))
