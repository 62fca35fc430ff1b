"""Parameters of systems: what is read, what is refused, and that everything wrong is named at once."""

import pytest

from rating.formulas import SYSTEMS, BadParameters, UnknownSystem, get_system
from rating.formulas.periods import DAY_MICROSECONDS, period_number


def test_an_unknown_system_is_refused_loudly():
    with pytest.raises(UnknownSystem):
        get_system("uscf")


@pytest.mark.parametrize("code", list(SYSTEMS))
def test_every_system_reads_its_own_defaults_and_names_its_source(code):
    system = get_system(code)
    assert system.read({}) == {p.name: p.default for p in system.parameters}
    assert system.read(system.read({})) == system.read({})
    assert system.source
    assert (system.rate is None) is system.is_periodic


def test_all_faults_are_named_at_once():
    with pytest.raises(BadParameters) as refused:
        get_system("elo").read({"divisor": 0, "shape": "curve", "k": 5, "exponent": "much"})
    assert {(fault.field, fault.code) for fault in refused.value.faults} == {
        ("divisor", "rating.parameter.range"),
        ("shape", "rating.parameter.choice"),
        ("k", "rating.parameter.unknown"),
        ("exponent", "rating.parameter.number"),
    }


@pytest.mark.parametrize("value", ["0:20, 400:4", [[0, 20], [400, 4]], ((0.0, 20.0), (400.0, 4.0))])
def test_a_schedule_reads_from_text_and_pairs(value):
    assert get_system("elo").read({"schedule": value})["schedule"] == ((0.0, 20.0), (400.0, 4.0))


@pytest.mark.parametrize(
    "value", ["", "5:20", "0:20, 0:4", "0:0", "0", [], None, 5, "0:x", [[0]], "400:4, 0:20"]
)
def test_a_schedule_that_makes_no_sense_is_refused(value):
    with pytest.raises(BadParameters):
        get_system("elo").read({"schedule": value})


@pytest.mark.parametrize("value", [True, float("nan"), "nan", 0, 10.5, 1000])
def test_a_period_is_a_whole_number_of_days(value):
    with pytest.raises(BadParameters):
        get_system("glicko2").read({"period_days": value})


def test_periods_are_counted_from_the_epoch_and_do_not_overlap():
    assert [period_number(moment, 7) for moment in (0, 7 * DAY_MICROSECONDS - 1, 7 * DAY_MICROSECONDS)] == [
        0,
        0,
        1,
    ]
