"""Sentences about actions on rating lists and the ledger, for the audit log of a club."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.web.trail import Facts, register_sentences


def _ledger_players(facts: Facts) -> str:
    """Return the names of the players of a fact as one text; an opening rating or a place has one player."""
    return " – ".join(name for name in (facts.get("winner"), facts.get("loser")) if name)


register_sentences(
    {
        "rating_list.create": gettext_lazy("Rating list created."),
        "rating_list.update": gettext_lazy("Rating list changed."),
        "rating_list.archive": lambda facts: (
            _("Rating list removed from the public pages.")
            if facts.get("archived")
            else _("Rating list shown on the public pages again.")
        ),
        "rating_list.rebuild": gettext_lazy("Rating list recalculated."),
        "rating_list.stop_rebuild": gettext_lazy("Rating list recalculation stopped."),
        "rating_list.import_openings": gettext_lazy("Opening ratings imported: %(new)s."),
        "rating_list.official": lambda facts: (
            _("Official list of %(day)s corrected, replacing number %(replaces)s.") % facts
            if facts.get("replaces")
            else _("Official list of %(day)s created.") % facts
        ),
        "rating_list.official_schedule": gettext_lazy("Schedule of official lists changed."),
        "ledger.import_results": gettext_lazy("Results imported into the ledger: %(new)s."),
        "ledger.replace": lambda facts: (
            _("Ledger: entry of %(names)s corrected.") % {"names": _ledger_players(facts)}
        ),
        "ledger.void": lambda facts: (
            _("Ledger: entry of %(names)s removed.") % {"names": _ledger_players(facts)}
        ),
    }
)
