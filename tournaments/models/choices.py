"""The engine's codes as database choices with translated labels.

The engine is pure and has no translations; each of its codes gets its label here, and a missing label fails
at import.
"""

from collections.abc import Mapping
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.engine.consents import Reply
from tournaments.engine.matches.reporting import ReportPolicy
from tournaments.engine.standings.leaving import WithdrawnRights
from tournaments.engine.statuses import EntryStatus, EventStatus, MatchStatus, StageStatus
from tournaments.engine.types import ResultKind, Side

Label = str | Promise


def choices(kind: type[StrEnum], labels: Mapping[str, Label]) -> list[tuple[str, Label]]:
    """Return Django choices, pairs of code and label, for all codes of ``kind``, in their order.

    ``labels`` are keyed by code. Raises ``LookupError`` for a code without a label.
    """
    return [(code.value, labels[code.value]) for code in kind]


EVENT_STATUS_CHOICES = choices(
    EventStatus,
    {
        "draft": _("Draft"),
        "open": _("Open for entries"),
        "running": _("Running"),
        "finished": _("Finished"),
        "cancelled": _("Cancelled"),
    },
)
STAGE_STATUS_CHOICES = choices(
    StageStatus,
    {
        "setup": _("Being set up"),
        "drawn": _("Drawn"),
        "published": _("Published"),
        "running": _("Running"),
        "finished": _("Finished"),
    },
)
ENTRY_STATUS_CHOICES = choices(
    EntryStatus,
    {
        "active": _("Entered"),
        "expected": _("Pending approval"),
        "waiting": _("On the waiting list"),
        "unseen": _("Pending approval, on the waiting list"),
        "withdrawn": _("Withdrawn"),
    },
)
WITHDRAWAL_CHOICES = choices(
    WithdrawnRights,
    {
        "keep": _("keep their place and their prize"),
        "place": _("keep their place; their prize goes to the next player"),
        "nothing": _("are placed last and get no prize"),
    },
)
MATCH_STATUS_CHOICES = choices(
    MatchStatus,
    {
        "waiting": _("Waiting"),
        "ready": _("Ready"),
        "called": _("Called"),
        "playing": _("Playing"),
        "reported": _("Reported"),
        "disputed": _("Disputed"),
        "adjourned": _("Adjourned"),
        "confirmed": _("Done"),
        "void": _("Void"),
    },
)
RESULT_KIND_CHOICES = choices(
    ResultKind,
    {
        "played": _("Played"),
        "lost_on_time": _("Lost on time"),
        "retired": _("Retired"),
        "walkover": _("Walkover"),
        "forfeit": _("Forfeit"),
        "double_walkover": _("Double walkover"),
        "bye": _("Bye"),
        "disqualified": _("Disqualified"),
        "settled": _("Settled"),
        "unfinished": _("Unfinished"),
        "adjourned": _("Adjourned"),
    },
)
REPORT_POLICY_CHOICES = choices(
    ReportPolicy,
    {
        "opponent_confirms": _("Both players agree, or the director decides"),
        "single_report_settles": _("One report is enough"),
        "director_only": _("Only the director records results"),
    },
)
SIDE_CHOICES = choices(Side, {"a": _("First side"), "b": _("Second side")})
REPLY_CHOICES = choices(Reply, {"yes": _("yes"), "ask": _("ask each time"), "no": _("no")})
