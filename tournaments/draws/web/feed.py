"""Where a stage gets its entries from: who goes on from the stages before, what decided it, and whether that changed since the draw."""

from django.utils.translation import gettext as _

from faults import Invalid
from people.messages import describe_all
from tournaments.models import Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.entries import entry_names
from tournaments.selectors.standings.feeds import drawn_from_feed, feed_is_ready, qualification_of
from tournaments.selectors.standings.sources import sources_of
from tournaments.selectors.standings.tables import in_rounds
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.fragments.standings import border_words
from tournaments.shared.words.names import group_name


def feed_has_changed(part: Shape | None) -> bool:
    """Whether others should be in a stage than those who were drawn into it."""
    return part is not None and bool(part.get("missing") or part.get("extra"))


def feed_part(stage: Stage, draw: Draw) -> Shape | None:
    """What ``draws/_feed.html`` shows; None for a stage that everybody of the division plays in."""
    if stage.fed_by_id is None:
        return None
    if not feed_is_ready(stage):
        return {"over": False}
    try:
        found = qualification_of(stage)
    except Invalid as refused:
        return {"over": True, "faults": describe_all(refused)}
    drawn = drawn_from_feed(draw)
    now = set(found.entries)
    names = entry_names(stage.division_id)
    notes = []
    for going in found.going:
        for number, cut in enumerate(going.cuts, start=1):
            words = border_words(going, cut, names, final=True)[1:]
            notes += [f"{group_name(number)}: {word}" if len(going.cuts) > 1 else word for word in words]
    if found.elsewhere:
        there = ", ".join(names[entry] for entry in found.elsewhere)
        notes.append(_("Already drawn into another stage and left there: %(names)s.") % {"names": there})
    return {
        "over": True,
        "bracket": any(not in_rounds(before) for before, _source in sources_of(stage)),
        "losers": not stage.settings.feed.by_result,
        "entries": [names[entry] for entry in found.entries],
        "notes": notes,
        "missing": sorted(names[entry] for entry in now - drawn) if drawn else [],
        "extra": sorted(names[entry] for entry in drawn - now) if drawn else [],
    }
