"""What a page prints of a change is the computation: whoever computes with the printed numbers gets the printed result.

Each line that has a sum is computed again from its text alone, and compared with its own value to the last printed digit.
Every number in a sum is either printed on a line before it or stands in the rule. The last line is the new rating.
"""

import math
import re
from datetime import UTC, datetime

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from rating.formulas import SYSTEMS, RatedMatch
from rating.formulas.glicko2 import Glicko, PeriodWorking, new_volatility, work_period
from rating.formulas.periods import rating_path
from rating.models import Fact, FactKind, RatingList
from rating.selectors.changes import ChangeExplanation, FactChange, SideChange
from rating.selectors.periods import MatchInPeriod, PlayerPeriod
from rating.selectors.rules import RatingRule
from rating.selectors.shown import PlayerName
from rating.store.reading import fact_extra
from rating.web.explain import change_working
from rating.web.explain_period import period_steps
from tests.support.lanes import in_full

BY_MATCH = [code for code, system in SYSTEMS.items() if not system.is_periodic]
OF_PLACES = [code for code, system in SYSTEMS.items() if system.place]
NAMES = {"sqrt": math.sqrt, "log2": math.log2, "exp": math.exp, "pi": math.pi, "min": min, "max": max}
RULES = {  # numbers that stand in the rules
    "fibs": "4 1 10 2000 5 100", "fibs_flat": "4 1 10 2000", "elo": "1 10 2000 0.5 20 4 400 0",
    "galaxy": "1 10 800 0.75 0.012 32 16 5 2", "galaxy_2": "1 10 800 0.75 0.012 32 16 5 2",
    "master": "3 1 0.7", "master_2019": "3 1 0.7 0.6", "graded": "1",
}  # fmt: skip

MANY = 2000 if in_full() else 12

ratings = st.floats(0.0, 4000.0) | st.integers(0, 4000).map(float) | st.floats(1400.0, 1600.0)
experiences = st.integers(0, 600)
lengths = st.integers(1, 99)
weights = st.sampled_from([1.0, 0.5, 2.5, 0.33, 1.0 / 3.0, 10.0])


def number(printed: str) -> float:
    return float(printed.replace("\N{MINUS SIGN}", "-"))


def computed(text: str) -> float:
    """A sum as a reader with a pocket calculator takes it."""
    plain = text.replace("\N{MINUS SIGN}", "-").replace("·", "*").replace("^", "**").replace(";", ",")
    plain = plain.replace("√", "sqrt").replace("π", "pi")
    plain = re.sub(r"sqrt(\d+)", r"sqrt(\1)", plain)
    plain = re.sub(r"(?<![\w.])(\d+)(?![\w.])", r"\1.0", plain.replace("log2", "log_two")).replace(
        "log_two", "log2"
    )
    try:
        return float(eval(plain, {"__builtins__": {}}, NAMES))
    except OverflowError:
        return 0.0  # 1 / (1 + 10^…) with a power beyond all numbers


def in_text(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:\.\d+)?", text.replace("log2", "")))


def check(steps, rule: str, also: set[str]) -> None:
    known = set(RULES[rule].split()) | also
    for step in steps:
        if step.sum:
            digits = len(step.value.partition(".")[2])
            off = abs(computed(step.sum) - number(step.value))
            assert off < 0.50001 * 10.0**-digits, (step, computed(step.sum))
            assert in_text(step.sum) <= known, (step, in_text(step.sum) - known)
        known |= in_text(step.value) | in_text(step.text)


def a_why(
    code: str, fact: Fact, winner: tuple[float, int], loser: tuple[float, int] | None
) -> ChangeExplanation:
    """A change as the list's history would hold it, without a database."""
    system = SYSTEMS[code]
    rule = RatingRule(system, system.read({}), system.start)
    extra = fact_extra(fact, system)
    sides = [winner] if loser is None else [winner, loser]
    if loser is None:
        changes = [
            rule.system.place_rate_for(rule.parameters)(fact.place, fact.tied, fact.field, extra.weight)
        ]
    else:
        changes = system.rate(rule.parameters)(*winner, *loser, fact.length, extra.weight)
    told = [
        SideChange(at, PlayerName(f"P{at}"), 1 - at, before, before + change, experience)
        for at, ((before, experience), change) in enumerate(zip(sides, changes, strict=True))
    ]
    working = None
    if loser is not None:
        working = system.work(rule.parameters, RatedMatch(*winner, *loser, fact.length, extra.weight))
    return ChangeExplanation(
        RatingList(system=code), fact, FactChange("", "", 1, told[0], told[1] if loser else None, ""),
        working, [], extra.weight, None, False, rule, False,
    )  # fmt: skip


@pytest.mark.parametrize("code", BY_MATCH)
@settings(max_examples=MANY)
@given(ratings, experiences, ratings, experiences, lengths, weights, st.sampled_from([None, 3.5, 7.25]))
@example(1500.0, 0, 1500.0, 0, 4, 1.0, None)  # a change with an exact half in its last digit
@example(1500.125, 0, 1500.125, 0, 16, 1.0, None)
def test_a_match_adds_up_as_it_is_printed(code, w, we, lo, le, n, weight, pr):
    fact = Fact(
        kind=FactKind.RESULT, length=n, event_weight=weight, division_rank=2, winner_pr=pr, loser_pr=5.0
    )
    found = change_working(a_why(code, fact, (w, we), (lo, le)))
    before = {text for _, side in found.sides for text in (side.before_text, side.after_text)}
    changes = {side.change_text.strip("+\N{MINUS SIGN}") for _, side in found.sides}
    check(found.steps, code, before | changes | {str(n), str(we), str(le), "0.5"})
    for side, total in found.sides:
        assert number(total.after_text) == pytest.approx(side.after, abs=0.006)
        assert number(total.change_text) == pytest.approx(side.delta, abs=0.006)
    if code != "graded":
        assert found.steps[-1].value in {side.after_text for _, side in found.sides}


@pytest.mark.parametrize("code", OF_PLACES)
@settings(max_examples=MANY)
@given(st.floats(0.0, 500.0), st.integers(1, 70), st.integers(1, 5), st.integers(2, 140), weights)
def test_a_place_adds_up_as_it_is_printed(code, before, place, tied, field, weight):
    if place + tied - 1 > field:
        return
    fact = Fact(
        kind=FactKind.PLACE, place=place, tied=tied, field=field, event_weight=weight, division_rank=2
    )
    found = change_working(a_why(code, fact, (before, 0), None))
    places = {str(at) for at in range(place - 1, place + tied)} | {str(tied), str(field)}
    check(found.steps, code, places | {found.sides[0][1].before_text})
    assert found.steps[-1].value == found.sides[0][1].after_text


glickos = st.builds(Glicko, st.floats(800, 2600), st.floats(30, 350), st.floats(0.03, 0.1))
bouts = st.lists(st.tuples(glickos, st.sampled_from([0.0, 1.0]), lengths), min_size=1, max_size=6)


def a_period(working: PeriodWorking, lengths: list[int], *, knows: bool) -> PlayerPeriod:
    trail = rating_path(working)
    rows = [
        MatchInPeriod(at, PlayerName("X"), b.other.rating, b.other.deviation, int(b.score), lengths[at], b.stretch, b.weight,
             b.chance, trail[at + 1] - trail[at], here=False)
        for at, b in enumerate(working.bouts)
    ]  # fmt: skip
    day = datetime(2026, 1, 1, tzinfo=UTC)
    return PlayerPeriod(
        PlayerName("A"), day, day, working, rows, 0.5, *((0.5, 25.0) if knows else (0.0, 1.0))
    )


def test_a_period_is_told_even_where_no_digits_are_enough():
    giant, dwarf = Glicko(3500.0, 30.0, 0.06), Glicko(0.0, 30.0, 0.06)
    steps = period_steps(a_period(work_period(giant, [(dwarf, 0.0)], 0.5), [7], knows=False))
    assert steps[-1].label == "r'"


@settings(max_examples=MANY)
@given(glickos, bouts, st.booleans())
def test_a_period_adds_up_as_it_is_printed(player, played, knows):
    stretches = [(n / 25.0) ** 0.5 if knows else 1.0 for _, _, n in played]
    working = work_period(player, [(other, score) for other, score, _ in played], 0.5, stretches)
    assume(all(0.0001 < bout.chance < 0.9999 for bout in working.bouts))
    side = a_period(working, [n for *_, n in played], knows=knows)
    steps = period_steps(side, with_bouts=True)
    value = {step.label: number(step.value) for step in steps}
    known = {"1", "3", "2", "173.7178", "1500", "25", "0.5", "0"} | {str(n) for _, _, n in played}
    known |= in_text(
        " ".join(step.value + " " + step.text for step in steps)
    )  # the parts come before φ' is told
    for step in steps:
        if step.sum:
            digits = len(step.value.partition(".")[2])
            assert abs(computed(step.sum) - number(step.value)) < 0.50001 * 10.0**-digits, step
            assert in_text(step.sum) <= known, (step, in_text(step.sum) - known)
    told = range(1, len(played) + 1)
    g, e = [value[f"g {at}"] for at in told], [value[f"E {at}"] for at in told]
    scores = [score for _, score, _ in played]

    def same(label: str, again: float) -> None:
        shown = next(step.value for step in steps if step.label == label)
        assert abs(again - number(shown)) < 0.50001 * 10.0 ** -len(shown.partition(".")[2]), (
            label,
            shown,
            again,
        )

    same("v", 1.0 / sum(a * a * b * (1.0 - b) for a, b in zip(g, e, strict=True)))
    same("Σ g · (s − E)", sum(a * (s - b) for a, s, b in zip(g, scores, e, strict=True)))
    same("σ'", new_volatility(value["σ"], value["φ"], value["v"], value["Δ"], 0.5))
    same("r'", value["r"] + sum(value[f"Share of the change {at}"] for at in told))
    assert value["r'"] == pytest.approx(working.after.rating, abs=0.006)
    assert value["RD'"] == pytest.approx(working.after.deviation, abs=0.006)
