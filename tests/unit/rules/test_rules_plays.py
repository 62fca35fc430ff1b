"""R11 to R30, R42 and R43, one by one."""

import pytest

from games.rules.errors import RuleError
from games.rules.plays import check_play, legal_plays, literal_result
from games.rules.position import Position
from tests.support.rules import at, dice_demanded, steps


def verdict(position, roll, text):
    return check_play(position, roll, steps(text))


def legal(position, roll, text):
    return verdict(position, roll, text).legal


def broken(position, roll, text):
    fault = verdict(position, roll, text).fault
    assert fault is not None, f"{text} was accepted"
    return fault.rule


def results(position, roll):
    return {play.result for play in legal_plays(position, roll)}


def after(position, text):
    return literal_result(position, steps(text))


START = Position.start()


def test_r7_r8_a_die_that_no_die_can_show_is_refused():
    for roll in ((0, 1), (7, 1), (3, -1)):
        with pytest.raises(RuleError) as caught:
            legal_plays(START, roll)
        assert caught.value.rule == "R8"


def test_r8_a_double_is_four_moves_and_not_two_turns():
    assert legal(START, (3, 3), "24/21(2) 13/10(2)")
    assert broken(START, (3, 3), "24/21(2)") == "R18"
    assert broken(START, (3, 3), "24/21(2) 13/10(3)") == "R8"


def test_r11_a_joined_step_needs_a_free_stop():
    # 24/14 with 6-4: the stop on 18 is blocked, the one on 20 as well.
    blocked = at("24:2 6:5", "7:2 5:2 13:5")
    assert broken(blocked, (6, 4), "24/14") == "R11"
    one_way = at("24:2 6:5", "7:2 13:5")
    assert legal(one_way, (6, 4), "24/14")


def test_r11_a_joined_step_that_may_hit_or_not_has_both_readings_the_quiet_one_first():
    position = at("24:2 6:5", "7:1 13:5")
    found = verdict(position, (6, 4), "24/14")
    assert [reading.hits for reading in found.readings] == [(), (18,)]
    assert found.result == after(position, "24/20 20/14")


def test_r12_either_order_one_checker_or_two():
    for text in ("24/22 13/9", "13/9 24/22", "24/22 22/18", "24/20 20/18", "24/18", "13/7", "13/9 13/11"):
        assert legal(START, (2, 4), text), text
    assert broken(START, (2, 4), "24/19") == "R12"
    assert broken(START, (2, 4), "24/21 13/10") == "R12"


def test_r12_three_three_in_five_distributions():
    for text in ("24/12", "24/21(2) 13/10(2)", "24/18(2)", "24/18 13/10(2)", "24/15 13/10"):
        lonely = at("24:4 13:5 8:3 6:3", "24:2")
        assert legal(lonely, (3, 3), text), text


def test_r13_a_single_enemy_is_hit_and_goes_to_the_bar():
    position = at("8:2 6:2", "20:1 24:2")
    found = verdict(position, (3, 1), "8/5 6/5")
    assert found.readings[0].hits == (5,)
    assert found.result.own[25] == 1
    assert found.result.own[20] == 0


def test_r13_two_checkers_on_one_blot_hit_once():
    position = at("8:2 7:2 6:2", "20:1 24:2")
    assert max(result.own[25] for result in results(position, (3, 2))) == 1


def test_r14_two_enemies_block_a_point_and_six_cannot_be_passed():
    assert broken(START, (5, 1), "24/19 8/7") == "R14"
    prime = at("24:2", "7:2 6:2 5:2 4:2 3:2 2:2 24:3")
    for high in range(1, 7):
        for low in range(1, high + 1):
            assert dice_demanded(prime, (high, low)) == 0


def test_r15_both_numbers_must_be_played_if_they_can():
    assert broken(START, (3, 1), "8/5") == "R15"
    assert broken(START, (3, 1), "") == "R15"
    assert legal(START, (3, 1), "8/5 6/5")


def test_r16_either_but_not_both_then_the_higher():
    # One checker on 10: with 6-1 both 4 and 9 are free, and from either the other number is blocked.
    position = at("10:1", "22:2 24:2")
    assert dice_demanded(position, (6, 1)) == 1
    assert legal(position, (6, 1), "10/4")
    assert broken(position, (6, 1), "10/9") == "R16"


def test_r17_a_number_that_comes_free_only_later_must_be_played_that_way():
    # The 6 is blocked at first and free after the 3, so a lone 3 elsewhere is not enough.
    position = at("16:1 4:1", "15:2 23:2")
    assert broken(position, (6, 3), "4/1") == "R17"
    assert legal(position, (6, 3), "16/13 13/7")


def test_r18_as_many_of_a_double_as_possible():
    position = at("24:2", "13:2 24:2")
    assert dice_demanded(position, (4, 4)) == 4
    assert broken(position, (4, 4), "24/20(2)") == "R18"
    assert legal(position, (4, 4), "24/16 24/16")
    half = at("24:1", "9:2 24:2")  # own 16 is blocked
    assert dice_demanded(half, (4, 4)) == 1
    assert legal(half, (4, 4), "24/20")


def test_r19_nothing_playable_is_the_empty_play():
    shut = at("bar:1 6:2", "1:2 2:2 3:2 4:2 5:2 6:2")
    (play,) = legal_plays(shut, (6, 5))
    assert play.steps == ()
    assert play.result == shut.swap()
    assert legal(shut, (6, 5), "")
    assert broken(shut, (6, 5), "6/1") == "R21"


def test_r20_four_checkers_are_hit_with_a_double():
    position = at("20:2 6:5", "9:1 13:1 17:1 21:1")
    found = verdict(position, (4, 4), "20/16 16/12 12/8 8/4")
    assert len(found.readings[0].hits) == 4
    assert found.result.own[25] == 4


def test_r21_the_bar_comes_first_and_a_die_n_enters_on_25_minus_n():
    position = at("bar:1 13:5 6:5", "24:2 6:2")
    assert broken(position, (3, 1), "13/10 6/5") == "R21"
    for die in range(1, 6):
        assert legal(position, (die, 6), f"bar/{25 - die} 13/7"), die
    assert broken(position, (6, 6), "bar/19 13/7(3)") == "R14"  # the 6 itself cannot enter


def test_r22_entering_may_hit_and_the_rest_is_played_normally():
    position = at("bar:1 13:5", "4:1 24:2")
    found = verdict(position, (4, 2), "bar/21 13/11")
    assert found.readings[0].hits == (21,)
    assert legal(position, (4, 2), "bar/19")


def test_r23_one_enters_while_another_waits_and_nothing_else_moves():
    position = at("bar:2 13:5", "4:2 24:2")
    assert legal(position, (4, 2), "bar/23")
    assert broken(position, (4, 2), "bar/23 13/9") == "R23"
    assert dice_demanded(position, (4, 4)) == 0


def test_r23_a_double_enters_up_to_four():
    for waiting in range(1, 8):
        position = at(f"bar:{waiting} 6:5", "24:2")
        entered = min(waiting, 4)
        assert all(play.result.other[25] == waiting - entered for play in legal_plays(position, (3, 3)))
        assert legal(position, (3, 3), f"bar/22({entered})" + " 6/3" * (4 - entered))
    assert len(legal_plays(at("bar:5 6:5", "24:2"), (3, 3))) == 1


def test_r24_no_bearing_off_before_all_are_home():
    position = at("12:1 6:5 3:2", "24:2")
    assert broken(position, (6, 3), "6/off 3/off") == "R24"
    assert broken(position, (3, 3), "6/off 3/off 3/off") == "R24"
    bar_point = at("7:1 6:5 3:2", "24:2")
    assert broken(bar_point, (6, 3), "6/off 3/off") == "R24"


def test_r24_the_first_number_brings_the_last_home_and_the_second_bears_off():
    position = at("8:1 6:5 3:2", "24:2")
    assert legal(position, (2, 3), "8/6 3/off")
    assert legal(position, (2, 3), "3/off 8/6")


def test_r24_even_from_as_far_out_as_the_12():
    for far in (7, 8, 10, 11, 12):
        position = at(f"{far}:1 3:2", "24:2")
        assert legal(position, (far - 6, 3), f"{far}/6 3/off")
        assert after(position, f"{far}/6 3/off") in results(position, (far - 6, 3))


def test_r25_a_number_bears_off_from_exactly_that_point():
    position = at("6:2 4:2 2:2", "24:2")
    assert legal(position, (4, 2), "4/off 2/off")
    assert broken(position, (4, 2), "6/off 2/off") == "R25"


def test_r26_from_the_highest_point_if_the_numbers_point_is_empty():
    position = at("4:2 2:2", "24:2")
    assert legal(position, (6, 5), "4/off(2)")
    assert broken(position, (6, 5), "4/off 2/off") == "R27"


def test_r27_a_higher_checker_must_move_instead():
    position = at("6:1 2:3", "20:2")
    assert broken(position, (5, 3), "2/off(2)") == "R27"
    assert legal(position, (5, 3), "6/1 2/off")  # the 5 moved, and then nothing stands higher
    assert legal(position, (5, 3), "6/3 3/off")


def test_r28_moving_inside_instead_of_bearing_off():
    position = at("6:1", "24:2")
    assert legal(position, (6, 1), "6/5 5/off")
    two = at("5:2", "24:2")
    (play,) = legal_plays(two, (6, 5))
    assert play.result.other_all_off
    inside = at("6:1 5:1 3:1", "24:2")
    assert legal(inside, (2, 1), "6/4 5/4")


def test_r29_a_hit_checker_must_come_home_before_bearing_off_goes_on():
    position = at("bar:1 3:2", "24:2")
    assert broken(position, (3, 1), "bar/24 3/off") == "R24"


def test_r30_nothing_comes_back_from_off():
    assert verdict(START, (6, 1), "").fault.rule == "R15"
    assert check_play(START, (6, 1), [(0, 6)]).fault.rule == "R1"
    assert check_play(START, (6, 1), [(6, 8)]).fault.rule == "R2"


def test_r42_what_stands_after_an_illegal_play_is_told():
    wrong = verdict(START, (3, 1), "8/4")
    assert wrong.legal  # 3 and 1 by one checker
    wrong = verdict(START, (3, 1), "8/3")
    assert not wrong.legal
    assert wrong.standing == after(START, "8/3")
    assert verdict(START, (3, 1), "7/4").standing is None  # nobody stands there
    assert verdict(START, (5, 1), "6/1 2/1").standing is None
    assert verdict(START, (5, 5), "6/1 13/8").standing is None  # two sides cannot share a point


def test_r42_an_illegal_play_that_hits_puts_the_checker_on_the_bar_all_the_same():
    standing = verdict(at("8:2 6:2", "22:1 24:2"), (3, 1), "8/3").standing
    assert (standing.own[22], standing.own[25], standing.other[3]) == (0, 1, 1)


def test_r43_the_last_checker_may_use_one_die_where_both_would_hit():
    position = Position.from_id("A5AiujYgAAAAAA")
    (play,) = legal_plays(position, (6, 1))
    assert len(play.steps) == 2
    both = verdict(position, (6, 1), "6/5 5/off")
    assert (both.note, both.result, both.readings[0].hits) == (None, play.result, (5,))
    short = verdict(position, (6, 1), "6/off")
    assert (short.legal, short.note) == (True, "R43")
    assert short.result == after(position, "6/off")
    assert [reading.hits for reading in short.readings] == [(), (5,)]


def test_r43_is_noted_only_where_the_result_differs():
    found = verdict(at("6:1", "24:2"), (6, 1), "6/off")
    assert (found.legal, found.note) == (True, None)
    assert len(found.readings) == 1


def test_a_named_play_is_a_play_of_its_own():
    for play in legal_plays(START, (6, 1)):
        found = check_play(START, (1, 6), play)
        assert found.result == play.result


def test_no_such_point():
    for wrong in ((26, 20), (25, 25), (6, -1)):
        assert check_play(START, (6, 1), [wrong]).fault.code == "play.no_such_point"


def test_a_pass_in_words_is_legal_only_if_the_roll_allows_it():
    assert legal(at("bar:1", "1:2 2:2"), (2, 1), "")
    assert broken(at("bar:1", "1:2 2:2"), (3, 1), "") == "R15"
    assert legal(at("bar:1", "1:2 2:2"), (3, 1), "bar/22 22/21")
