"""One value for what is wrong, from the engine to the page and the API."""

import json

import pytest
from rest_framework.exceptions import NotFound
from rest_framework.views import APIView

from faults import Conflict, Fault, Invalid, raise_faults
from games.rules.errors import FormatError
from games.rules.formats import MatchFormat
from people.messages import describe
from tournaments.engine.errors import BadInput
from tournaments.engine.statuses import MatchAction, MatchStatus, next_status


def answer_to(error):
    return APIView().get_exception_handler()(error, {})


def answer_of(error):
    return json.loads(answer_to(error).content)


def test_fault_when_put_at_another_field_then_all_else_stays_and_more_can_be_said():
    fault = Fault("player.name_long", "name", {"limit": 80}, rule="F2", place="main")

    moved = fault.at("name_2", line=3)

    assert moved == Fault("player.name_long", "name_2", {"limit": 80, "line": 3}, rule="F2", place="main")
    assert fault.params == {"limit": 80}


def test_fault_when_it_offends_a_rule_then_its_words_may_quote_the_number():
    fault = Fault("stage.without_crawford", "format_preset", rule="F2")

    assert fault.all_params == {"rule": "F2"}
    assert describe(fault) == "A match to points is played with the Crawford rule (rule F2)."


def test_faults_when_there_are_some_then_all_of_them_are_raised_at_once():
    found = [Fault("length.none", "lengths"), Fault("prizes.odd", "prizes")]
    raise_faults([])

    with pytest.raises(Invalid) as refused:
        raise_faults(found)

    assert refused.value.faults == tuple(found)
    assert refused.value.code == "length.none"


def test_rules_fault_when_passed_on_then_it_carries_its_rule():
    with pytest.raises(FormatError) as refused:
        MatchFormat(length=7, jacoby=True)

    (fault,) = refused.value.faults
    assert fault.at("format_preset") == Fault(
        "format.jacoby_in_match", "format_preset", {"length": 7}, rule="R40"
    )


def test_engine_s_bad_input_when_it_reaches_the_api_then_is_an_answer_as_it_stands():
    answer = answer_of(BadInput("draw.too_many_entries", count=2000, maximum=1024))

    assert (answer["status"], answer["code"]) == (422, "draw.too_many_entries")
    (told,) = answer["faults"]
    assert (told["code"], told["field"], told["params"]) == (
        "draw.too_many_entries",
        None,
        {"count": 2000, "maximum": 1024},
    )


def test_refused_step_when_it_reaches_the_api_then_tells_the_present_status():
    with pytest.raises(Conflict) as refused:
        next_status(MatchStatus.VOID, MatchAction.CALL)

    answer = answer_of(refused.value)

    assert answer["status"] == 409
    assert answer["present"] == {"status": "void"}
    assert answer["faults"][0]["params"] == {"status": "void", "action": "call"}


def test_api_when_the_rule_is_part_of_a_fault_then_it_stands_among_the_parameters():
    answer = answer_of(Invalid(faults=[Fault("stage.without_crawford", rule="F2")]))

    assert answer["faults"][0]["params"] == {"rule": "F2"}
    assert answer_to(NotFound()).status_code == 404


def test_conflict_when_present_is_a_thing_with_a_status_then_tells_that_status():
    class Stage:
        status = "drawn"

    assert Conflict("stage.already_drawn", present=Stage()).present == {"status": "drawn"}
    assert Conflict("stage.already_drawn", present={"version": 3}).present == {"version": 3}
    assert Conflict("stage.already_drawn").present == {}
