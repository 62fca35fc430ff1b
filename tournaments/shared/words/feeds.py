"""Texts on where the participants of a later stage come from, and on what its draw waits for."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.stages.feeding import FeedPart, FeedSource
from tournaments.models import Stage
from tournaments.selectors.standings.sources import Feed
from tournaments.shared.words.flights import section_name


def participants_label(parts: Sequence[Feed], name: Callable[[Stage], str] = str) -> str:
    """Return where a stage's participants come from, with the sources joined by semicolons.

    A source is like “the top 8 of Swiss”, “all others of: Swiss” or “losers of rounds 1–2, Main draw
    (Knockout)”. ``name``: function that names a stage.
    """
    return "; ".join(_source_label(part.source, name(part.stage)) for part in parts)


def _source_label(source: FeedSource, stage: str) -> str:
    params = {"stage": stage, "count": source.last, "first": source.first, "last": source.last}
    if source.taken is FeedPart.LOSERS:
        params["section"] = section_name(source.section)
        if source.first == source.last:
            return _("losers of round %(first)s, %(section)s (%(stage)s)") % params
        return _("losers of rounds %(first)s–%(last)s, %(section)s (%(stage)s)") % params
    if source.section != MAIN:
        params["stage"] = f"{stage}, {section_name(source.section)}"
    if source.taken is FeedPart.REST:
        return _("all others of: %(stage)s") % params
    if source.first > 1:
        return _("places %(first)s–%(last)s of %(stage)s") % params
    return _("the top %(count)s of %(stage)s") % params


def draw_method_label(stage: Stage) -> str:
    """Return how a stage is drawn: seeded by the results of an earlier stage, or by its own draw method."""
    if stage.fed_by_id is not None and stage.settings.feed.by_result:
        return _("Seeded by the results of the previous stage")
    return str(stage.get_draw_method_display())


def waiting_message(parts: Sequence[Feed], name: Callable[[Stage], str] = str) -> str:
    """Return what must be known before a stage can be drawn whose participants come from ``parts``."""
    if len(parts) == 1 and parts[0].source.by_result:
        return _("Drawn from the places in %(name)s once it has finished.") % {"name": name(parts[0].stage)}
    return _("Drawn once these are known: %(losers)s.") % {"losers": participants_label(parts, name)}


def advancement_message(stage: Stage, source: FeedSource, *, everybody: bool) -> str:
    """Return which players of an earlier stage continue in ``stage``.

    ``everybody``: True if ``source`` takes all entries of the earlier stage.
    """
    params = {"stage": str(stage), "count": source.last, "first": source.first, "last": source.last}
    if source.taken is FeedPart.LOSERS:
        if source.first == source.last:
            return _("Losers of round %(first)s continue in: %(stage)s.") % params
        return _("Losers of rounds %(first)s to %(last)s continue in: %(stage)s.") % params
    if source.taken is FeedPart.REST:
        return _("All other players continue in: %(stage)s.") % params
    if source.first > 1:
        return _("Places %(first)s to %(last)s continue in: %(stage)s.") % params
    if everybody:
        return _("All players continue in: %(stage)s.") % params
    return (
        ngettext(
            "First place continues in: %(stage)s.", "The top %(count)s continue in: %(stage)s.", source.last
        )
        % params
    )
