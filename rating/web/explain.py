"""The explanation of a rating change in texts and numbers, from the ``ChangeCalculation`` of the formula."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rating.formulas import get_system
from rating.formulas.rateable import Discipline
from rating.models import FactKind, RatingList
from rating.selectors import ChangeExplanation, SideChange
from rating.selectors.rules import RatingRule, current_rule
from rating.web.explain_period import period_steps
from rating.web.plain_working import plain_match_steps, plain_place_steps
from rating.web.points_working import POINTS_SYSTEMS, match_points_steps, place_steps
from rating.web.printed import PrintedSum, build_sum, exact_decimal, format_number
from rating.web.reason import ExplanationStep
from rating.web.working import BY_MATCH, FIBS_CHANCE, GALAXY_CHANCE, match_steps

SYSTEM_NAMES = {
    "fibs": gettext_lazy("FIBS with experience ramp"),
    "fibs_flat": gettext_lazy("FIBS without ramp"),
    "elo": gettext_lazy("Elo by match length"),
    "galaxy_2": gettext_lazy("Backgammon Galaxy, version 2"),
    "galaxy": gettext_lazy("Backgammon Galaxy, version 1"),
    "glicko2": gettext_lazy("Glicko-2"),
    "glicko2_length": gettext_lazy("Glicko-2 with match length (Crawford’s extension)"),
    "master_2019": gettext_lazy("USBGF master points (January 2019)"),
    "master": gettext_lazy("USBGF master points (May 2015)"),
    "graded": gettext_lazy("Points by grade, field and place"),
}

PARAMETER_NAMES = {
    "experience": gettext_lazy("Experience counted"),
    "divisor": gettext_lazy("Divisor"),
    "exponent": gettext_lazy("Match length exponent"),
    "schedule": gettext_lazy("K by experience"),
    "shape": gettext_lazy("Interpolation of K"),
    "tau": gettext_lazy("System constant τ"),
    "deviation": gettext_lazy("Initial deviation"),
    "volatility": gettext_lazy("Initial volatility"),
    "period_days": gettext_lazy("Rating period (days)"),
    "typical": gettext_lazy("Neutral match length"),
    "size": gettext_lazy("Field size exponent (a)"),
    "fall": gettext_lazy("Place exponent (b)"),
}

CHOICE_NAMES = {
    "before": gettext_lazy("before the match"),
    "after": gettext_lazy("including the match"),
    "line": gettext_lazy("linear"),
    "steps": gettext_lazy("steps"),
}


@dataclass(frozen=True, slots=True)
class SystemDescription:
    name: str
    source: str
    formula: tuple[str, ...]
    parameters: list[tuple[str, str]]
    counts: list[str]  # what the list counts besides its lengths and days


DISCIPLINES = [
    (Discipline.STANDARD, gettext_lazy("backgammon matches")),
    (Discipline.SPEED, gettext_lazy("speedgammon")),
    (Discipline.TEAM, gettext_lazy("team matches")),
    (Discipline.VARIANT, gettext_lazy("variants")),
]


def describe_system(rating_list: RatingList, rule: RatingRule | None = None) -> SystemDescription:
    """Return name, formula and parameters of the list's rating system, or of another ``rule``."""
    rule = rule or current_rule(rating_list)
    return SystemDescription(
        name=str(SYSTEM_NAMES[rule.system.code]),
        source=rule.system.source,
        formula=_FORMULAS[rule.system.code],
        parameters=[
            (str(PARAMETER_NAMES[name]), parameter_text(value)) for name, value in rule.parameters.items()
        ],
        counts=_counting_texts(rating_list),
    )


def _counting_texts(rating_list: RatingList) -> list[str]:
    texts = []
    if list(rating_list.disciplines) != [Discipline.STANDARD]:
        texts.append(", ".join(str(name) for code, name in DISCIPLINES if code in rating_list.disciplines))
    if rating_list.events:
        event_count = len(rating_list.events)
        texts.append(
            ngettext("from %(count)s event only", "from %(count)s events only", event_count)
            % {"count": event_count}
        )
    if get_system(rating_list.system).is_points_system:
        texts.append(_("and final places"))
    return texts


def parameter_text(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{step[0]:g}: {step[1]:g}" for step in value)
    if isinstance(value, str):
        return str(CHOICE_NAMES.get(value, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


_GALAXY_K = "K = min(16, max(5, 32 - 0.012 · M))"
_GLICKO = ("E = 1 / (1 + exp(-g(φj) · (μ - μj)))", "μ' = μ + φ'² · Σ g(φj) · (s - E)")
_FORMULAS = {
    "fibs": (FIBS_CHANCE, "K = max(1, 5 - E / 100)", "± 4 · K · √n · (1 - P)"),
    "fibs_flat": (FIBS_CHANCE, "± 4 · √n · (1 - P)"),
    "elo": ("P = 1 / (1 + 10^(-D · n^e / d))", "± K · n^e · (1 - P)"),
    "galaxy": (GALAXY_CHANCE, _GALAXY_K, "± K · n^0.75 · (1 - P)"),
    "galaxy_2": (GALAXY_CHANCE, _GALAXY_K, "± K · n^0.75 · (1 - P)", "± ½ · K · n^0.75 · (1 - P)"),
    "glicko2": ("g(φ) = 1 / √(1 + 3φ² / π²)", *_GLICKO),
    "glicko2_length": ("g(φ) = c / √(1 + 3φ² / π²), c = (n / n0)^e", *_GLICKO),
    "master": ("+ w · √n / 3", "+ w · log2(N) · r"),
    "master_2019": ("+ w · √n / 3", "+ w · 0.6 · log2(N) · r"),
    "graded": ("+ w · N^a · ((N + 1 - p) / N)^b",),
}


@dataclass(frozen=True, slots=True)
class ChangeWorking:
    """The steps of a rating change, and for each player the sum of rating and change as printed."""

    steps: list[ExplanationStep]
    sides: list[tuple[SideChange, PrintedSum]]


def change_working(explanation: ChangeExplanation) -> ChangeWorking:
    """Return the steps that lead to a rating change, by the rule that was used.

    Without steps while the change is not rated or if the rule is unknown.
    """
    change = explanation.change
    if change is None:
        return ChangeWorking([], [])
    sides = [side for side in (change.winner, change.loser) if side is not None]
    plain_sums = [(side, build_sum(side.before, side.after)) for side in sides]
    rule = explanation.rule
    if explanation.fact.kind == FactKind.OPENING:
        return ChangeWorking(_opening_steps(explanation, plain_sums[0][1]), plain_sums)
    if rule is None:
        return ChangeWorking([], plain_sums)
    code = rule.system.code
    if explanation.fact.kind == FactKind.PLACE:
        steps, sums = (
            place_steps(explanation, rule) if code in POINTS_SYSTEMS else plain_place_steps(explanation)
        )
    elif explanation.working is None:
        return ChangeWorking([], plain_sums)  # of a period: each player's own steps
    elif code in POINTS_SYSTEMS:
        steps, sums = match_points_steps(explanation, explanation.working, rule)
    elif code in BY_MATCH:
        steps, sums = match_steps(explanation, explanation.working, rule)
    else:
        steps, sums = plain_match_steps(explanation, explanation.working, rule)
    return ChangeWorking(steps, list(zip(sides, sums, strict=False)))


def working_steps(explanation: ChangeExplanation) -> list[ExplanationStep]:
    """Return the steps that lead to a rating change as one list, for the API."""
    return _glicko_steps(explanation) if explanation.periods else change_working(explanation).steps


def _opening_steps(explanation: ChangeExplanation, side: PrintedSum) -> list[ExplanationStep]:
    steps = [
        ExplanationStep(
            _("Opening rating"),
            format_number(side.after),
            _("Set when the player joined the list; experience %(experience)s.")
            % {"experience": explanation.fact.opening_experience},
        )
    ]
    if (
        explanation.fact.opening_deviation is not None
        and explanation.rule is not None
        and explanation.rule.system.is_periodic
    ):
        steps.append(
            ExplanationStep(
                "RD",
                format_number(exact_decimal(explanation.fact.opening_deviation)),
                _("deviation, set with the opening rating"),
            )
        )
    return steps


def _glicko_steps(explanation: ChangeExplanation) -> list[ExplanationStep]:
    """Return the steps of both players' rating periods as one list, for the API."""
    return [
        ExplanationStep(f"{side.player.name}: {step.label}", step.value, step.text, step.sum)
        for side in explanation.periods
        for step in period_steps(side, with_bouts=True)
    ]
