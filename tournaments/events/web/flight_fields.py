"""The part of the form of a stage that asks for what losers play on in: the same fields for each section that there is.

Which sections and which ways to play them: rows of ``tournaments.engine.brackets.consolation``; labels: ``shared/words/flights``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.engine.brackets.consolation import FLIGHTS, FLIGHTS_OF, FlightKind
from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.stages.elimination import MOST_ROUNDS_FED, Flight
from tournaments.engine.stages.feeding import Admission
from tournaments.events.web.fields import LengthsField, number_field
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.words.flights import KIND_WORDS, SECTION_WORDS
from tournaments.shared.words.names import lengths_words

PARTS: Final = ("lengths", "rounds", "admission")
# Those that are not folded away.
FIRST_FLIGHT_FIELDS: Final = frozenset(
    f"{section}{part}" for section in FLIGHTS_OF for part in ("", "_lengths")
)
# Where the form has another name for what the engine calls a setting.
FIELDS_OF_FLIGHT_FAULTS: Final = {
    "flights": next(iter(FLIGHTS_OF)),
    **{f"{kind}_{part}": f"{kind.section}_{part}" for kind in FlightKind for part in ("lengths", "rounds")},
}


def flight_fields() -> dict[str, forms.Field]:
    """For each section: whether or how it is played, its lengths, from how many rounds losers come in, and who of them."""
    fields: dict[str, forms.Field] = {}
    for section, kinds in FLIGHTS_OF.items():
        words = SECTION_WORDS[section]
        choice: dict[str, Any] = {"label": words.name, "required": False, "help_text": words.help}
        ways = [("", _("none")), *((kind.value, KIND_WORDS[kind].choice) for kind in kinds)]
        usual = {"initial": FLIGHTS[kinds[0]].usual_rounds, "help_text": words.rounds_help}
        fields |= {
            section: forms.ChoiceField(choices=ways, **choice)
            if len(kinds) > 1
            else forms.BooleanField(**choice),
            f"{section}_lengths": LengthsField(label=words.lengths, required=False),
            f"{section}_rounds": number_field(words.rounds, 1, MOST_ROUNDS_FED, **usual),
            f"{section}_admission": admission_field(words.admission),
        }
    return fields


def admission_field(label: Any) -> forms.ChoiceField:
    """Which losers are admitted (F17)."""
    words = [
        (Admission.PLAYED.value, _("losers of played matches")),
        (Admission.ALSO_WALKOVERS.value, _("also players who lost by a walkover")),
    ]
    return forms.ChoiceField(label=label, required=False, choices=words)


def flight_shapes(form: forms.Form, source: str = MAIN, outer: tuple[str, ...] = ()) -> list[Shape]:
    """The sections that losers of ``source`` play on in, each with its fields and with those that it feeds itself.

    ``only``, ``all_only``: classes by which `director.css` shows what belongs to a section that is played, and to one that is
    fed by it. ``some_rounds_only``: not every way to play it asks from how many rounds losers come in.
    """
    shapes: list[Shape] = []
    for section, kinds in FLIGHTS_OF.items():
        if kinds[0].source == source:
            only = f"{section.replace('_', '-')}-only"
            shapes.append(
                {
                    "choice": form[section],
                    **{part: form[f"{section}_{part}"] for part in PARTS},
                    "only": only,
                    "all_only": " ".join((*outer, only)),
                    "some_rounds_only": any(FLIGHTS[kind].first_match_only for kind in kinds),
                    "fed": flight_shapes(form, section, (*outer, only)),
                }
            )
    return shapes


def one_by_one(shapes: Iterable[Shape]) -> Iterator[Shape]:
    """Each of them, and those that it feeds."""
    for shape in shapes:
        yield shape
        yield from one_by_one(shape["fed"])


def chosen_flights(data: Mapping[str, Any]) -> Iterator[Flight]:
    """What was said, in the order of the draw."""
    for section, kinds in FLIGHTS_OF.items():
        if data[section]:
            yield Flight(
                kinds[0] if data[section] is True else FlightKind(data[section]),
                tuple(data[f"{section}_lengths"]),
                rounds=data[f"{section}_rounds"] or 1,
                admission=Admission(data[f"{section}_admission"] or Admission.PLAYED),
            )


def flight_values(flights: Iterable[Flight]) -> dict[str, Any]:
    """What stands in the fields for these."""
    values: dict[str, Any] = {}
    for flight in flights:
        section = flight.kind.section
        values |= {
            section: flight.kind.value if len(FLIGHTS_OF[section]) > 1 else True,
            f"{section}_lengths": lengths_words(flight.lengths),
            f"{section}_rounds": flight.rounds,
            f"{section}_admission": flight.admission.value,
        }
    return values
