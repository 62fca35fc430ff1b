"""The working of a change, in words and numbers. What is said here is computed by the formula itself (`Working`)."""

import math
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rating.formulas import system_named
from rating.formulas.base import Working
from rating.formulas.elo import AFTER
from rating.formulas.master import division_weight, shared_factor
from rating.formulas.rateable import Discipline
from rating.models import FactKind, RatingList
from rating.selectors import Why
from rating.selectors.shown import delta_text, number_text, percent_text, rating_text
from rating.web.explain_period import period_steps
from rating.web.reason import Reason

SYSTEM_NAMES = {
    "fibs": gettext_lazy("FIBS with experience ramp"),
    "fibs_flat": gettext_lazy("FIBS without ramp"),
    "elo": gettext_lazy("Elo by match length"),
    "galaxy": gettext_lazy("Backgammon Galaxy (2023)"),
    "glicko2": gettext_lazy("Glicko-2"),
    "master": gettext_lazy("Master points"),
}

PARAMETER_NAMES = {
    "experience": gettext_lazy("Experience is counted"),
    "divisor": gettext_lazy("Divisor"),
    "exponent": gettext_lazy("Exponent of the length"),
    "schedule": gettext_lazy("K by experience"),
    "shape": gettext_lazy("Between the steps of K"),
    "tau": gettext_lazy("System constant τ"),
    "deviation": gettext_lazy("Deviation of a newcomer"),
    "volatility": gettext_lazy("Volatility of a newcomer"),
    "period_days": gettext_lazy("Days of a rating period"),
}

CHOICE_NAMES = {
    "before": gettext_lazy("before the match"),
    "after": gettext_lazy("with the match"),
    "line": gettext_lazy("a straight line"),
    "steps": gettext_lazy("steps"),
}


@dataclass(frozen=True, slots=True)
class SystemWords:
    name: str
    source: str
    formula: tuple[str, ...]
    parameters: list[tuple[str, str]]
    counts: list[str]  # what the list counts besides its lengths and days


DISCIPLINES = [
    (Discipline.STANDARD, gettext_lazy("matches of backgammon")),
    (Discipline.SPEED, gettext_lazy("speedgammon")),
    (Discipline.TEAM, gettext_lazy("team matches")),
    (Discipline.VARIANT, gettext_lazy("variants")),
]


def _number(value: float, digits: int = 4) -> str:
    return number_text(value, digits)


def system_words(rating_list: RatingList) -> SystemWords:
    """The list's system for people."""
    system = system_named(rating_list.system)
    values = system.read(rating_list.parameters)
    return SystemWords(
        name=str(SYSTEM_NAMES[system.code]),
        source=system.source,
        formula=_FORMULAS[system.code],
        parameters=[(str(PARAMETER_NAMES[name]), parameter_text(value)) for name, value in values.items()],
        counts=_counts_words(rating_list),
    )


def _counts_words(rating_list: RatingList) -> list[str]:
    words = []
    if list(rating_list.disciplines) != [Discipline.STANDARD]:
        words.append(", ".join(str(name) for code, name in DISCIPLINES if code in rating_list.disciplines))
    if rating_list.events:
        chosen = len(rating_list.events)
        words.append(
            ngettext("of %(count)s event only", "of %(count)s events only", chosen) % {"count": chosen}
        )
    if system_named(rating_list.system).weighted:
        words.append(_("and final places"))
    return words


def parameter_text(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{step[0]:g}: {step[1]:g}" for step in value)
    if isinstance(value, str):
        return str(CHOICE_NAMES.get(value, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


_FIBS = "P = 1 / (1 + 10^(-D · √n / 2000))"
_FORMULAS = {
    "fibs": (_FIBS, "K = max(1, 5 - E / 100)", "± 4 · K · √n · (1 - P)"),
    "fibs_flat": (_FIBS, "± 4 · √n · (1 - P)"),
    "elo": ("P = 1 / (1 + 10^(-D · n^e / d))", "± K · n^e · (1 - P)"),
    "galaxy": (
        "P = 1 / (1 + 10^(-D / 800))",
        "K = min(16, max(5, 32 - 0.012 · M))",
        "± K · n^0.75 · (1 - P)",
    ),
    "glicko2": (
        "g(φ) = 1 / √(1 + 3φ² / π²)",
        "E = 1 / (1 + exp(-g(φj) · (μ - μj)))",
        "μ' = μ + φ'² · Σ g(φj) · (s - E)",
    ),
    "master": ("+ w · √n / 3", "+ w · log2(N) · r"),
}


def reasons(why: Why) -> list[Reason]:
    """The steps that lead to the change."""
    if why.change is None:
        return []
    if why.working is not None:
        return _master(why, why.working) if why.rating_list.system == "master" else _elo(why, why.working)
    if why.fact.kind == FactKind.OPENING:
        return [
            Reason(
                _("Opening rating"),
                why.change.winner.after_text,
                _("Taken over as it was; experience %(experience)s.")
                % {"experience": why.fact.opening_experience},
            ),
            *(
                [Reason("RD", _number(why.fact.opening_deviation, 2), _("deviation, taken over with it"))]
                if why.fact.opening_deviation is not None and system_named(why.rating_list.system).periodic
                else []
            ),
        ]
    if why.fact.kind == FactKind.PLACE:
        return [
            Reason(_("Place"), str(why.fact.place), _place_words(why.fact.tied)),
            Reason("N", str(why.fact.field), _("players in the field")),
            _weight(why),
            Reason(
                "r",
                _number(shared_factor(why.fact.place, why.fact.tied)),
                _("what the place is worth: 1, 0.7, then 1 / (place - 1); shared alike by all who tie"),
            ),
            Reason(
                _("Points"),
                why.change.winner.delta_text,
                f"w · log2(N) · r = {_number(why.weight, 3)} · {_number(math.log2(why.fact.field))}"
                f" · {_number(shared_factor(why.fact.place, why.fact.tied))}",
            ),
        ]
    return _glicko(why)


def _place_words(tied: int) -> str:
    if tied == 1:
        return _("nobody else has it")
    return _("shared by %(tied)s players") % {"tied": tied}


def _elo(why: Why, working: Working) -> list[Reason]:
    code, m = why.rating_list.system, working.meeting
    parameters = system_named(code).read(why.rating_list.parameters)
    stretch, power = {
        "fibs": ("√n", _FIBS),
        "fibs_flat": ("√n", _FIBS),
        "galaxy": ("n^0.75", "P = 1 / (1 + 10^(-D / 800))"),
        "elo": (
            f"n^{parameters.get('exponent', 0):g}",
            f"P = 1 / (1 + 10^(-D · n^e / {parameters.get('divisor', 0):g}))",
        ),
    }[code]
    assert working.expected is not None
    assert working.surprise is not None
    assert working.winner_k is not None
    assert working.loser_k is not None
    counted = _("with this match") if parameters.get("experience") == AFTER else _("before this match")
    # FIBS writes the change as 4 · K · …; our formulas carry the 4 inside K.
    four = 4.0 if code in {"fibs", "fibs_flat"} else 1.0
    front = "4 · K" if four > 1 else "K"
    steps = [
        Reason(
            "D",
            delta_text(working.difference),
            _("the winner's rating less the loser's: %(winner)s - %(loser)s")
            % {"winner": rating_text(m.winner), "loser": rating_text(m.loser)},
        ),
        Reason("n", str(m.length), _("the length of the match in points")),
        Reason(stretch, _number(working.stretch), _("what this length weighs")),
        Reason(
            "P", percent_text(working.expected), _("the winner's chance: %(formula)s") % {"formula": power}
        ),
        Reason("1 - P", _number(working.surprise), _("the share that changes hands")),
    ]
    for label, experience, k in (
        (_("K of the winner"), m.winner_experience, working.winner_k),
        (_("K of the loser"), m.loser_experience, working.loser_k),
    ):
        text = (
            _("from both ratings: min(16, max(5, 32 - 0.012 · mean))")
            if code == "galaxy"
            else _("the same for everybody")
            if code == "fibs_flat"
            else _("experience %(experience)s, counted %(when)s")
            % {"experience": experience, "when": counted}
        )
        steps.append(Reason(label, _number(k / four), text))
    for label, k, change in (
        (_("Change of the winner"), working.winner_k, working.winner_change),
        (_("Change of the loser"), working.loser_k, working.loser_change),
    ):
        product = f"{_number(k / four)} · {_number(working.stretch)} · {_number(working.surprise)}"
        product = f"4 · {product}" if four > 1 else product
        steps.append(Reason(label, delta_text(change), f"{front} · {stretch} · (1 - P) = {product}"))
    return steps


def _weight(why: Why) -> Reason:
    return Reason(
        "w",
        _number(why.weight, 3),
        _("weight of the event times weight of its division: %(event)s · %(division)s (division %(rank)s)")
        % {
            "event": _number(why.fact.event_weight, 2),
            "division": _number(division_weight(why.fact.division_rank), 1),
            "rank": why.fact.division_rank,
        },
    )


def _master(why: Why, working: Working) -> list[Reason]:
    m = working.meeting
    return [
        Reason("n", str(m.length), _("the length of the match in points")),
        _weight(why),
        Reason(
            _("Points of the winner"),
            delta_text(working.winner_change),
            f"w · √n / 3 = {_number(m.weight, 3)} · {_number(working.stretch)}",
        ),
        Reason(_("Points of the loser"), delta_text(0.0), _("master points are never lost")),
    ]


def _glicko(why: Why) -> list[Reason]:
    """Both players' periods in one list, for programs; the page shows them side by side with their matches."""
    return [
        Reason(f"{side.player.name}: {step.label}", step.value, step.text)
        for side in why.periods
        for step in period_steps(side)
    ]
