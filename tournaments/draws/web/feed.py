"""Template context of the origin of a stage's entries: who qualified, how, and changes since the draw."""

from django.utils.translation import gettext as _

from faults import Invalid
from people.messages import describe_all
from tournaments.models import Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.entries import entry_names
from tournaments.selectors.standings.feeds import first_round_entries, is_feed_resolved, load_qualification
from tournaments.selectors.standings.sources import feeds_of
from tournaments.selectors.standings.tables import is_round_based
from tournaments.shared.fragments.cards import Context
from tournaments.shared.fragments.standings import border_messages
from tournaments.shared.words.names import group_name


def has_feed_changed(part: Context | None) -> bool:
    """Return whether the qualified entries differ from those that were drawn.

    ``part``: the result of `feed_context`.
    """
    return part is not None and bool(part.get("missing") or part.get("extra"))


def feed_context(stage: Stage, draw: Draw) -> Context | None:
    """Return the context of ``draws/_feed.html``: qualified entries, notes, and differences from the draw.

    None for a stage whose entries do not come from another stage.
    """
    if stage.fed_by_id is None:
        return None
    if not is_feed_resolved(stage):
        return {"over": False}
    try:
        qualified = load_qualification(stage)
    except Invalid as error:
        return {"over": True, "faults": describe_all(error)}
    drawn_ids = first_round_entries(draw)
    qualified_ids = set(qualified.entries)
    names = entry_names(stage.division_id)
    notes = []
    for source_cut in qualified.source_cuts:
        for number, cut in enumerate(source_cut.cuts, start=1):
            messages = border_messages(source_cut, cut, names, final=True)[1:]
            notes += [
                f"{group_name(number)}: {message}" if len(source_cut.cuts) > 1 else message
                for message in messages
            ]
    if qualified.drawn_elsewhere:
        elsewhere_names = ", ".join(names[entry] for entry in qualified.drawn_elsewhere)
        notes.append(
            _("Already drawn into another stage and left there: %(names)s.") % {"names": elsewhere_names}
        )
    return {
        "over": True,
        "bracket": any(not is_round_based(source) for source, _source in feeds_of(stage)),
        "losers": not stage.settings.feed.by_result,
        "entries": [names[entry] for entry in qualified.entries],
        "notes": notes,
        "missing": sorted(names[entry] for entry in qualified_ids - drawn_ids) if drawn_ids else [],
        "extra": sorted(names[entry] for entry in drawn_ids - qualified_ids) if drawn_ids else [],
    }
