"""What was done to rating lists and the ledger in words, for the trail of a club."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.web.trail import Facts, register


def _in_ledger(facts: Facts) -> str:
    """Whom an entry of the ledger is about: an opening rating or a place has one player."""
    return " – ".join(name for name in (facts.get("winner"), facts.get("loser")) if name)


register(
    {
        "rating_list.create": gettext_lazy("Rating list made."),
        "rating_list.update": gettext_lazy("Rating list changed."),
        "rating_list.archive": lambda facts: (
            _("Rating list taken off the public pages.")
            if facts.get("archived")
            else _("Rating list shown on the public pages again.")
        ),
        "rating_list.rebuild": gettext_lazy("Rating list worked out anew."),
        "rating_list.stop_rebuild": gettext_lazy("Working out a rating list anew was stopped."),
        "rating_list.import_openings": gettext_lazy("Opening ratings taken in: %(new)s."),
        "rating_list.official": lambda facts: (
            _("Official list of %(day)s made again, instead of number %(replaces)s.") % facts
            if facts.get("replaces")
            else _("Official list of %(day)s made.") % facts
        ),
        "rating_list.official_schedule": gettext_lazy("Schedule of official lists changed."),
        "ledger.import_results": gettext_lazy("Results taken into the ledger: %(new)s."),
        "ledger.replace": lambda facts: (
            _("Ledger: the entry of %(names)s was corrected.") % {"names": _in_ledger(facts)}
        ),
        "ledger.void": lambda facts: (
            _("Ledger: the entry of %(names)s was taken back.") % {"names": _in_ledger(facts)}
        ),
    }
)
