"""Fields in the form of a stage for where its participants come from.

They are all entries, places of an earlier stage, all others of it, or losers of rounds. One choice combines
stage and kind, so that only valid combinations can be chosen: ``2`` and ``2-places-consolation`` are places
of the second stage, ``2-rest`` all its others, ``2-losers`` losers. Rows of the same choice add further
participants.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.engine.brackets.double import LOWER
from tournaments.engine.brackets.sections import SECTIONS
from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.stages.feeding import MAX_EXTRA_SOURCES, Admission, Feeding, FeedPart, FeedSource
from tournaments.events.services.stages import MAX_ADVANCING, StageDetails
from tournaments.events.web.fields import number_field
from tournaments.events.web.flight_fields import admission_field
from tournaments.models import Stage
from tournaments.selectors.standings.sources import takes_rest
from tournaments.shared.words.flights import section_name

ALL_ENTRIES: Final = "0"
MAX_ROUND: Final = 20
ADDITIONAL_FEEDS: Final = tuple(f"also_{number}" for number in range(1, MAX_EXTRA_SOURCES + 1))
FEED_FIELDS: Final = (
    "fed_by",
    "takes_from",
    "takes",
    "losers_of",
    "losers_from",
    "losers",
    "losers_admission",
    *(f"{row}{part}" for row in ADDITIONAL_FEEDS for part in ("", "_first", "_last", "_admission")),
)
_LOSERS_SUFFIX: Final = f"-{FeedPart.LOSERS}"  # of the first choice


def feed_fields() -> dict[str, forms.Field]:
    """Return the form fields, keyed by name: stage and kind, details, and rows for further participants."""
    return {
        "fed_by": forms.ChoiceField(label=_("Participants"), required=False, choices=(), initial=ALL_ENTRIES),
        "takes_from": number_field(_("From place"), 1, MAX_ADVANCING, initial=1),
        "takes": number_field(_("Number advancing from each group"), 1, MAX_ADVANCING),
        "losers_of": forms.ChoiceField(
            label=_("Losers of"),
            required=False,
            choices=[(code, section_name(code)) for code in SECTIONS],
            initial=MAIN,
        ),
        "losers_from": number_field(_("From round"), 1, MAX_ROUND, initial=1),
        "losers": number_field(_("Through round"), 1, MAX_ROUND, initial=1),
        "losers_admission": admission_field(_("Which losers enter")),
        **{name: field for row in ADDITIONAL_FEEDS for name, field in _feed_row(row)},
    }


def _feed_row(name: str) -> Iterator[tuple[str, forms.Field]]:
    yield name, forms.ChoiceField(label=_("And"), required=False, choices=(), initial="")
    yield f"{name}_first", number_field(_("From place or round"), 1, MAX_ADVANCING, initial=1)
    yield f"{name}_last", number_field(_("Through place or round"), 1, MAX_ADVANCING, initial=1)
    yield f"{name}_admission", admission_field(_("Which losers enter"))


def additional_feed_contexts(form: forms.Form) -> list[dict[str, Any]]:
    """Return the context of each row for further participants: its choice and the fields for details."""
    return [
        {"choice": form[row], **{part: form[f"{row}_{part}"] for part in ("first", "last", "admission")}}
        for row in ADDITIONAL_FEEDS
    ]


def _choice_value(place: int, taken: FeedPart, section: str = MAIN) -> str:
    """Return the form value of a choice.

    ``place``: place of the stage, from 1; ``taken``: kind of participants; ``section``: section of a bracket.
    """
    if section != MAIN or taken is FeedPart.LOSERS:
        return f"{place}-{taken}-{section}"
    return f"{place}" if taken is FeedPart.PLACES else f"{place}-{taken}"


def _parse_choice(choice: str) -> tuple[int, FeedPart, str]:
    place, taken, section = (*choice.split("-", 2), "", "")[:3]
    return int(place), FeedPart(taken or FeedPart.PLACES), section or MAIN


def feed_choices(earlier: Sequence[Stage]) -> list[tuple[str, Any]]:
    """Return value and label of each choice that earlier stages offer, in the order of the stages.

    Losers are one choice for each stage; another field has the section.
    """
    choices: list[tuple[str, Any]] = []
    for place, stage in enumerate(earlier, start=1):
        choices += _ranking_choices(place, stage)
        if stage.system in Stage.ELIMINATIONS:
            choices.append((f"{place}{_LOSERS_SUFFIX}", _("losers of: %(stage)s") % {"stage": stage}))
    return choices


def additional_feed_choices(earlier: Sequence[Stage]) -> list[tuple[str, Any]]:
    """Return value and label of each choice for further participants.

    Losers of each section are a separate choice.
    """
    choices: list[tuple[str, Any]] = [("", _("no other players"))]
    for place, stage in enumerate(earlier, start=1):
        choices += _ranking_choices(place, stage)
        if stage.system in Stage.ELIMINATIONS:
            is_double = stage.system == Stage.System.DOUBLE_ELIMINATION
            parts = [LOWER] if is_double else [MAIN, *_flights(stage)]
            choices += [
                (
                    _choice_value(place, FeedPart.LOSERS, part),
                    _("losers of: %(stage)s") % {"stage": _part_label(stage, part)},
                )
                for part in parts
            ]
    return choices


def _ranking_choices(place: int, stage: Stage) -> Iterator[tuple[str, Any]]:
    """Yield the choices “the best of” and “all others of” a table, or of each section of a bracket.

    ``place``: place of the stage, from 1.
    """
    has_table = stage.system in Stage.IN_ROUNDS
    if not has_table and stage.system not in Stage.ELIMINATIONS:
        return
    for part in (MAIN,) if has_table else (MAIN, *_flights(stage)):
        params = {"stage": stage if part == MAIN else _part_label(stage, part)}
        yield _choice_value(place, FeedPart.PLACES, part), _("the best of: %(stage)s") % params
        yield _choice_value(place, FeedPart.REST, part), _("all others of: %(stage)s") % params


def _flights(stage: Stage) -> list[str]:
    return [flight.kind.section for flight in stage.settings.bracket.flights]


def _part_label(stage: Stage, part: str) -> str:
    return f"{stage}, {section_name(part)}"


def default_feed(earlier: Sequence[Stage]) -> dict[str, Any]:
    """Return default form values for a new stage after the stages ``earlier``.

    By default the best of the last table play in it, then all others of that table; after a double
    elimination the new stage is a last chance. Empty if nothing suits.
    """
    place, source = len(earlier), earlier[-1]
    while place > 1 and source.fed_by_id is not None:
        place = next(number for number, stage in enumerate(earlier, start=1) if stage.pk == source.fed_by_id)
        source = earlier[place - 1]
    fed_stages = [
        (number, stage) for number, stage in enumerate(earlier, start=1) if stage.fed_by_id == source.pk
    ]
    if source.system in Stage.IN_ROUNDS and not fed_stages:
        return {"fed_by": f"{place}", "takes": 4, "draw_method": Stage.DrawMethod.SEEDED}
    if source.system in Stage.IN_ROUNDS and not any(
        takes_rest(stage, source) for _number, stage in fed_stages
    ):
        return {
            "fed_by": _choice_value(place, FeedPart.REST),
            "name": str(_("Consolation")),
            "draw_method": Stage.DrawMethod.SEEDED,
        }
    if source.system in Stage.IN_ROUNDS:
        return _last_chance_feed(fed_stages)
    if source.system == Stage.System.DOUBLE_ELIMINATION and not fed_stages:
        return {
            "fed_by": f"{place}{_LOSERS_SUFFIX}",
            "losers_of": LOWER,
            "losers": 2,
            "name": str(_("Last chance")),
        }
    return {}


def _last_chance_feed(fed_stages: Sequence[tuple[int, Stage]]) -> dict[str, Any]:
    """Return form values for a last chance of first-round losers from the first two stages in ``fed_stages``.

    These are the main draw and the consolation, both fed by one table. Empty if they are not brackets.
    """
    if len(fed_stages) < 2 or any(
        stage.system not in Stage.ELIMINATIONS for _number, stage in fed_stages[:2]
    ):
        return {}
    (first, main), (second, other) = fed_stages[:2]
    return {
        "fed_by": f"{first}{_LOSERS_SUFFIX}",
        "losers_of": _losers_section(main),
        "losers": 1,
        ADDITIONAL_FEEDS[0]: _choice_value(second, FeedPart.LOSERS, _losers_section(other)),
        "name": str(_("Last chance")),
    }


def _losers_section(stage: Stage) -> str:
    return LOWER if stage.system == Stage.System.DOUBLE_ELIMINATION else MAIN


def feed_from_form(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings ``fed_by``, ``takes`` and ``feed`` of a stage from the cleaned form data."""
    chosen = data["fed_by"] or ALL_ENTRIES
    place, taken, section = _parse_choice(chosen)
    if not place:
        return {"fed_by": 0, "takes": 0, "feed": Feeding()}
    also = tuple(_additional_sources(data, place))
    if taken is FeedPart.LOSERS:
        feed = Feeding(
            taken,
            data["losers_from"] or 1,
            data["losers_of"] or MAIN,
            Admission(data["losers_admission"] or Admission.PLAYED),
            also,
        )
        return {"fed_by": place, "takes": data["losers"] or 0, "feed": feed}
    if taken is FeedPart.REST:
        return {"fed_by": place, "takes": 0, "feed": Feeding(taken, section=section, also=also)}
    first, count = data["takes_from"] or 1, data["takes"] or 0
    return {
        "fed_by": place,
        "takes": count and first + count - 1,
        "feed": Feeding(taken, first, section, also=also),
    }


def _additional_sources(data: Mapping[str, Any], fed_by: int) -> Iterator[FeedSource]:
    for row in ADDITIONAL_FEEDS:
        if not data[row]:
            continue
        place, taken, section = _parse_choice(data[row])
        yield FeedSource(
            0 if place == fed_by else place,
            taken,
            (data[f"{row}_first"] or 1) if taken is not FeedPart.REST else 1,
            (data[f"{row}_last"] or 0) if taken is not FeedPart.REST else 1,
            section,
            Admission(data[f"{row}_admission"] or Admission.PLAYED),
        )


def feed_initial(stage: StageDetails) -> dict[str, Any]:
    """Return the initial values of the form fields for a stage."""
    if not stage.fed_by:
        return {"fed_by": ALL_ENTRIES}
    feed = stage.feed
    losers = feed.taken is FeedPart.LOSERS
    values: dict[str, Any] = {
        "fed_by": f"{stage.fed_by}{_LOSERS_SUFFIX}"
        if losers
        else _choice_value(stage.fed_by, feed.taken, feed.section)
    }
    if feed.taken is FeedPart.PLACES:
        values |= {"takes_from": feed.first, "takes": max(0, stage.takes - feed.first + 1) or None}
    if losers:
        values |= {
            "losers_of": feed.section,
            "losers_from": feed.first,
            "losers": stage.takes,
            "losers_admission": str(feed.admission),
        }
    for row, source in zip(ADDITIONAL_FEEDS, feed.also, strict=False):
        values |= {
            row: _choice_value(source.stage or stage.fed_by, source.taken, source.section),
            f"{row}_first": source.first,
            f"{row}_last": source.last,
            f"{row}_admission": str(source.admission),
        }
    return values


def feed_fault_fields(fed_by: str) -> dict[str, str]:
    """Return the form field for each field of a service's error, where their names differ.

    ``fed_by``: the choice in the form, on which this depends.
    """
    losers = fed_by.endswith(_LOSERS_SUFFIX)
    rows = {
        f"feed.also.{index}.{part}": f"{row}_{part}" if part in {"first", "last"} else row
        for index, row in enumerate(ADDITIONAL_FEEDS)
        for part in ("stage", "taken", "section", "first", "last")
    }
    return {
        "feed.taken": "fed_by",
        "feed.section": "losers_of" if losers else "fed_by",
        "feed.first": "losers_from" if losers else "takes_from",
        **({"takes": "losers"} if losers else {}),
        **rows,
    }
