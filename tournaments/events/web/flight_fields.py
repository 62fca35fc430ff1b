"""Fields in the form of a stage for its flights: the sections of the bracket in which losers play on.

Each section has the same fields. Sections and kinds are defined in
``tournaments.engine.brackets.consolation``, labels in ``shared/words/flights``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.engine.brackets.consolation import FLIGHT_RULES, FLIGHTS_BY_SOURCE, FlightKind
from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.stages.elimination import MAX_FED_ROUNDS, Flight
from tournaments.engine.stages.feeding import Admission
from tournaments.events.web.fields import LengthsField, number_field
from tournaments.shared.fragments.cards import Context
from tournaments.shared.words.flights import FLIGHT_LABELS, SECTION_LABELS
from tournaments.shared.words.names import lengths_label

FLIGHT_PARTS: Final = ("lengths", "rounds", "admission")
# Fields that are not folded.
UNFOLDED_FLIGHT_FIELDS: Final = frozenset(
    f"{section}{part}" for section in FLIGHTS_BY_SOURCE for part in ("", "_lengths")
)
# Names of fields in the form by the names of the settings in the engine.
FLIGHT_FAULT_FIELDS: Final = {
    "flights": next(iter(FLIGHTS_BY_SOURCE)),
    **{f"{kind}_{part}": f"{kind.section}_{part}" for kind in FlightKind for part in ("lengths", "rounds")},
}


def flight_fields() -> dict[str, forms.Field]:
    """Return the form fields of each section, keyed by name.

    They are kind, match lengths, number of rounds whose losers enter, and admission.
    """
    fields: dict[str, forms.Field] = {}
    for section, kinds in FLIGHTS_BY_SOURCE.items():
        labels = SECTION_LABELS[section]
        choice: dict[str, Any] = {"label": labels.name, "required": False, "help_text": labels.help}
        choices = [("", _("none")), *((kind.value, FLIGHT_LABELS[kind].choice) for kind in kinds)]
        rounds_options = {"initial": FLIGHT_RULES[kinds[0]].default_rounds, "help_text": labels.rounds_help}
        fields |= {
            section: forms.ChoiceField(choices=choices, **choice)
            if len(kinds) > 1
            else forms.BooleanField(**choice),
            f"{section}_lengths": LengthsField(label=labels.lengths, required=False),
            f"{section}_rounds": number_field(labels.rounds, 1, MAX_FED_ROUNDS, **rounds_options),
            f"{section}_admission": admission_field(labels.admission),
        }
    return fields


def admission_field(label: Any) -> forms.ChoiceField:
    """Return a form field for which losers enter: of played matches, or by a walkover too (rule F17)."""
    choices = [
        (Admission.PLAYED.value, _("losers of played matches")),
        (Admission.ALSO_WALKOVERS.value, _("also players who lost by a walkover")),
    ]
    return forms.ChoiceField(label=label, required=False, choices=choices)


def flight_contexts(form: forms.Form, source: str = MAIN, outer: tuple[str, ...] = ()) -> list[Context]:
    """Return the template context of each section in which losers of the section ``source`` play on.

    It has the form fields and in ``fed`` the sections that this one feeds. ``only``, ``all_only``: classes by
    which `director.css` shows fields of a chosen section, and of one that it feeds. ``some_rounds_only``:
    some kinds have no choice of rounds. ``outer``: classes of the sections outside, for the recursion.
    """
    contexts: list[Context] = []
    for section, kinds in FLIGHTS_BY_SOURCE.items():
        if kinds[0].source == source:
            only = f"{section.replace('_', '-')}-only"
            contexts.append(
                {
                    "choice": form[section],
                    **{part: form[f"{section}_{part}"] for part in FLIGHT_PARTS},
                    "only": only,
                    "all_only": " ".join((*outer, only)),
                    "some_rounds_only": any(FLIGHT_RULES[kind].first_match_only for kind in kinds),
                    "fed": flight_contexts(form, section, (*outer, only)),
                }
            )
    return contexts


def flatten_flights(contexts: Iterable[Context]) -> Iterator[Context]:
    """Yield the template context of each section, followed by those of the sections that it feeds."""
    for context in contexts:
        yield context
        yield from flatten_flights(context["fed"])


def flights_from_form(data: Mapping[str, Any]) -> Iterator[Flight]:
    """Yield the flights that the cleaned form data choose, in the order of the draw."""
    for section, kinds in FLIGHTS_BY_SOURCE.items():
        if data[section]:
            yield Flight(
                kinds[0] if data[section] is True else FlightKind(data[section]),
                tuple(data[f"{section}_lengths"]),
                rounds=data[f"{section}_rounds"] or 1,
                admission=Admission(data[f"{section}_admission"] or Admission.PLAYED),
            )


def flight_initial(flights: Iterable[Flight]) -> dict[str, Any]:
    """Return the initial values of the form fields for these flights."""
    values: dict[str, Any] = {}
    for flight in flights:
        section = flight.kind.section
        values |= {
            section: flight.kind.value if len(FLIGHTS_BY_SOURCE[section]) > 1 else True,
            f"{section}_lengths": lengths_label(flight.lengths),
            f"{section}_rounds": flight.rounds,
            f"{section}_admission": flight.admission.value,
        }
    return values
