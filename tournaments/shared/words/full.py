"""Message on how full a division is, for a director about to add entries to it."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def division_full_message(params: Mapping[str, Any]) -> str:
    """Return the message for the error ``entry.full``: how many places are taken.

    It also says how many waiting entries would be skipped, and by how many entries the limit would be
    exceeded. ``params``: parameters of the fault that `store.waiting.allocate_places` raises.
    """
    taken = _("%(have)s of the %(places)s places in %(division)s are taken.")
    sentences = [taken % {name: params[name] for name in ("have", "places", "division")}]
    if params["waiting"]:
        waiting = ngettext(
            "%(count)s entry on the waiting list would be skipped.",
            "%(count)s entries on the waiting list would be skipped.",
            params["waiting"],
        )
        sentences.append(waiting % {"count": params["waiting"]})
    excess = params["have"] + params["count"] - params["places"]
    if excess > 0:
        exceeded = ngettext(
            "The division would then be %(count)s entry over its limit.",
            "The division would then be %(count)s entries over its limit.",
            excess,
        )
        sentences.append(exceeded % {"count": excess})
    return " ".join(sentences)
