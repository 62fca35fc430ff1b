"""The part of the form of a stage that asks who plays: everybody, places of an earlier table, all others of it, losers of rounds.

One choice names stage and kind together, so that nothing can be chosen that does not go together.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.engine.brackets.double import LOWER
from tournaments.engine.brackets.sections import SECTIONS
from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.stages.feeding import Admission, Feeding, Taken
from tournaments.events.services.stages import MOST_TAKEN, StageDetails
from tournaments.events.web.fields import number_field
from tournaments.events.web.flight_fields import admission_field
from tournaments.models import Stage
from tournaments.shared.words.flights import section_name

EVERYBODY: Final = "0"
MOST_ROUND: Final = 20
FEED_FIELDS: Final = (
    "fed_by",
    "takes_from",
    "takes",
    "losers_of",
    "losers_from",
    "losers",
    "losers_admission",
)
_MARKS: Final = {Taken.PLACES: "", Taken.REST: "-rest", Taken.LOSERS: "-losers"}


def feed_fields() -> dict[str, forms.Field]:
    """Which stage and what of it; for places and for losers what else has to be known."""
    return {
        "fed_by": forms.ChoiceField(label=_("Who plays"), required=False, choices=(), initial=EVERYBODY),
        "takes_from": number_field(_("From place"), 1, MOST_TAKEN, initial=1),
        "takes": number_field(_("How many go on, from each group"), 1, MOST_TAKEN),
        "losers_of": forms.ChoiceField(
            label=_("Losers of"),
            required=False,
            choices=[(code, section_name(code)) for code in SECTIONS],
            initial=MAIN,
        ),
        "losers_from": number_field(_("From round"), 1, MOST_ROUND, initial=1),
        "losers": number_field(_("Through round"), 1, MOST_ROUND, initial=1),
        "losers_admission": admission_field(_("Who of the losers comes in")),
    }


def feed_choices(earlier: Sequence[Stage]) -> list[tuple[str, Any]]:
    """What earlier stages of the division, by place, have to give."""
    found: list[tuple[str, Any]] = []
    for place, stage in enumerate(earlier, start=1):
        if stage.system in Stage.IN_ROUNDS:
            found += [
                (f"{place}", _("the best of: %(stage)s") % {"stage": stage}),
                (f"{place}-rest", _("all others of: %(stage)s") % {"stage": stage}),
            ]
        elif stage.system in Stage.ELIMINATIONS:
            found.append((f"{place}-losers", _("losers of: %(stage)s") % {"stage": stage}))
    return found


def usual_feed(earlier: Sequence[Stage]) -> dict[str, Any]:
    """What is offered for one more stage behind these: the best of the last table, then all its others; after a double
    elimination a last chance.
    """
    place, source = len(earlier), earlier[-1]
    while place > 1 and source.fed_by_id is not None:
        place = next(at for at, one in enumerate(earlier, start=1) if one.pk == source.fed_by_id)
        source = earlier[place - 1]
    fed = [one for one in earlier if one.fed_by_id == source.pk]
    if source.system in Stage.IN_ROUNDS and not fed:
        return {"fed_by": f"{place}", "takes": 4, "draw_method": Stage.DrawMethod.SEEDED}
    if source.system in Stage.IN_ROUNDS:
        return {
            "fed_by": f"{place}{_MARKS[Taken.REST]}",
            "name": str(_("Consolation")),
            "draw_method": Stage.DrawMethod.SEEDED,
        }
    if source.system == Stage.System.DOUBLE_ELIMINATION and not fed:
        return {
            "fed_by": f"{place}{_MARKS[Taken.LOSERS]}",
            "losers_of": LOWER,
            "losers": 2,
            "name": str(_("Last chance")),
        }
    return {}


def chosen_feed(data: Mapping[str, Any]) -> dict[str, Any]:
    """``fed_by``, ``takes`` and ``feed`` of a stage."""
    place, _dash, mark = (data["fed_by"] or EVERYBODY).partition("-")
    taken = next(kind for kind, ending in _MARKS.items() if ending.removeprefix("-") == mark)
    if taken is Taken.LOSERS:
        feed = Feeding(
            taken,
            data["losers_from"] or 1,
            data["losers_of"] or MAIN,
            Admission(data["losers_admission"] or Admission.PLAYED),
        )
        return {"fed_by": int(place), "takes": data["losers"] or 0, "feed": feed}
    first = data["takes_from"] or 1
    if taken is Taken.REST or place == EVERYBODY:
        return {"fed_by": int(place), "takes": 0, "feed": Feeding(taken)}
    count = data["takes"] or 0
    return {"fed_by": int(place), "takes": count and first + count - 1, "feed": Feeding(taken, first)}


def feed_values(stage: StageDetails) -> dict[str, Any]:
    """What stands in the fields for it."""
    if not stage.fed_by:
        return {"fed_by": EVERYBODY}
    feed = stage.feed
    values: dict[str, Any] = {"fed_by": f"{stage.fed_by}{_MARKS[feed.taken]}"}
    if feed.taken is Taken.PLACES:
        values |= {"takes_from": feed.first, "takes": max(0, stage.takes - feed.first + 1) or None}
    if feed.taken is Taken.LOSERS:
        values |= {
            "losers_of": feed.section,
            "losers_from": feed.first,
            "losers": stage.takes,
            "losers_admission": str(feed.admission),
        }
    return values


def fields_of_feed_faults(fed_by: str) -> dict[str, str]:
    """Where the form has another name for what the services call it, with this chosen."""
    losers = fed_by.endswith(_MARKS[Taken.LOSERS])
    return {
        "feed.taken": "fed_by",
        "feed.section": "losers_of",
        "feed.first": "losers_from" if losers else "takes_from",
        **({"takes": "losers"} if losers else {}),
    }
