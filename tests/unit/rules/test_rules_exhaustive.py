"""Every small ending there is, against the second opinion: one or two checkers against none, a blot or a point."""

from itertools import combinations_with_replacement

from games.rules.plays import check_play, legal_plays
from games.rules.position import BAR, Position
from tests.support.rules import board_of, counts, legal_results

PLACES = (*range(1, 10), BAR)
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def small_positions():
    for places in (*combinations_with_replacement(PLACES, 1), *combinations_with_replacement(PLACES, 2)):
        own = {place: places.count(place) for place in places}
        yield Position.from_counts(counts(own), counts({}))
        for point in range(1, 8):
            if point not in own:
                for standing in (1, 2):
                    yield Position.from_counts(counts(own), counts({BAR - point: standing}))


def test_every_small_ending_has_exactly_its_legal_results():
    compared = 0
    for position in small_positions():
        for roll in ROLLS:
            found = {play.result for play in legal_plays(position, roll)}
            assert found == legal_results(board_of(position), roll), (position, roll)
            compared += 1
    assert (
        compared == 17_241
    )  # 10 places and 55 pairs; 9 and 45 of them beside each of 7 points held twice over


def test_one_checker_every_step_that_could_be_said_is_judged_right():
    for place in PLACES:
        for point, standing in ((0, 0), (3, 1), (3, 2), (7, 1)):
            if place == point:
                continue
            position = Position.from_counts(
                counts({place: 1}), counts({BAR - point: standing} if point else {})
            )
            for roll in ROLLS:
                legal = legal_results(board_of(position), roll)
                for target in range(place):
                    verdict = check_play(position, roll, [(place, target)])
                    if verdict.note != "R43":
                        assert {reading.result for reading in verdict.readings} <= legal
                    reachable = {
                        result for result in legal if result.other[target] > (14 if target == 0 else 0)
                    }
                    assert verdict.legal == bool(reachable), (position, roll, target)
