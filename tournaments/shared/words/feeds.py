"""Who comes into a stage from the one that feeds it, and what it waits for, in words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.stages.feeding import Taken
from tournaments.models import Stage
from tournaments.shared.words.flights import section_name


def who_plays(stage: Stage, source: str) -> str:
    """“the first 8 of: Swiss”, “all others of: Swiss”, “losers of rounds 1–2, Lower bracket: Double elimination”."""
    feed = stage.settings.feed
    words = {"stage": source, "count": stage.takes, "first": feed.first, "last": stage.takes}
    if feed.taken is Taken.REST:
        return _("all others of: %(stage)s") % words
    if feed.taken is Taken.LOSERS:
        words["section"] = section_name(feed.section)
        if feed.first == stage.takes:
            return _("losers of round %(first)s, %(section)s: %(stage)s") % words
        return _("losers of rounds %(first)s–%(last)s, %(section)s: %(stage)s") % words
    if feed.first > 1:
        return _("places %(first)s–%(last)s of: %(stage)s") % words
    return _("the first %(count)s of: %(stage)s") % words


def draw_method_words(stage: Stage) -> str:
    """How a stage is drawn: one that takes places of a table, or all others, in their order."""
    if stage.fed_by_id is not None and stage.settings.feed.by_result:
        return _("Seeded by the table before")
    return str(stage.get_draw_method_display())


def waits_words(stage: Stage, source: str) -> str:
    """When a stage can be drawn that the stage of this name feeds."""
    if stage.settings.feed.by_result:
        return _("It is drawn from the places of %(name)s when that is over.") % {"name": source}
    return _("It is drawn when these are known: %(losers)s.") % {"losers": who_plays(stage, source)}


def goes_on_words(stage: Stage, *, everybody: bool) -> str:
    """Who of a table goes on into a stage; ``everybody``: it has no more than those."""
    feed = stage.settings.feed
    words = {"stage": str(stage), "count": stage.takes, "first": feed.first, "last": stage.takes}
    if feed.taken is Taken.REST:
        return _("All others go on: %(stage)s.") % words
    if feed.first > 1:
        return _("Places %(first)s to %(last)s go on: %(stage)s.") % words
    if everybody:
        return _("Everybody goes on: %(stage)s.") % words
    return (
        ngettext("The first goes on: %(stage)s.", "The first %(count)s go on: %(stage)s.", stage.takes)
        % words
    )
