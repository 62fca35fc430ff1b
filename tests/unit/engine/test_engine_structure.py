"""The graph of a single elimination."""

import pytest

from tournaments.engine.brackets.seeding import seeded_draw
from tournaments.engine.brackets.structure import SlotTarget, Source, SourceKind, single_elimination
from tournaments.engine.errors import BadInput
from tournaments.engine.types import EntryId, Side

SIZES = [*range(2, 70), 127, 128, 129, 300, 513, 1000, 1023, 1024]


def drawn(count, **options):
    return single_elimination(seeded_draw([EntryId(n) for n in range(1, count + 1)]), **options)


@pytest.mark.parametrize("third_place", [False, True])
def test_single_elimination_of_many_sizes_hangs_together(third_place):
    for count in SIZES[1:] if third_place else SIZES:
        bracket = drawn(count, third_place=third_place)
        assert [m.number for m in bracket.matches] == list(range(1, len(bracket.matches) + 1))
        assert sorted(bracket.entries) == list(range(1, count + 1))
        for match in bracket.matches:
            for side, source in ((Side.A, match.a), (Side.B, match.b)):
                if source.match is None:
                    assert match.round == 1
                    continue
                assert source.match < match.number
                before = bracket.match(source.match)
                link = before.winner_to if source.kind is SourceKind.WINNER_OF else before.loser_to
                assert link == SlotTarget(match.number, side)
            for target, kind in (
                (match.winner_to, SourceKind.WINNER_OF),
                (match.loser_to, SourceKind.LOSER_OF),
            ):
                if target is not None:
                    after = bracket.match(target.match)
                    assert (after.a if target.side is Side.A else after.b) == Source(kind, match=match.number)
        assert [n for r in bracket.rounds for n in r.matches] == [m.number for m in bracket.matches]
        for rnd in bracket.rounds:
            assert [bracket.match(n).position for n in rnd.matches] == list(range(1, len(rnd.matches) + 1))
            assert {bracket.match(n).round for n in rnd.matches} == {rnd.number}
            assert rnd.of == 2 * len(rnd.matches)


def test_rounds_carry_the_names_that_people_use():
    assert [r.code for r in drawn(33).rounds] == [
        "last_64", "last_32", "last_16", "quarterfinal", "semifinal", "final",
    ]  # fmt: skip
    assert [r.code for r in drawn(3, third_place=True).rounds] == ["semifinal", "final", "third_place"]
    assert [r.code for r in drawn(2).rounds] == ["final"]


def test_the_final_is_found_and_only_its_winner_goes_nowhere():
    bracket = drawn(13)
    assert bracket.final.number == 15
    assert [m.number for m in bracket.matches if m.winner_to is None] == [15]


@pytest.mark.parametrize(
    ("lines", "options", "code"),
    [
        ([1, 2, 3], {}, "draw.lines_do_not_fit"),
        ([1, None, None, 2], {}, "draw.lines_do_not_fit"),
        ([1, 1, 2, 3], {}, "draw.entry_twice"),
        ([1, None], {}, "draw.too_few_entries"),
        ([1, 2], {"third_place": True}, "draw.no_semifinal"),
    ],
)
def test_single_elimination_refuses_lines_that_are_no_draw(lines, options, code):
    with pytest.raises(BadInput) as refused:
        single_elimination(lines, **options)
    assert refused.value.code == code


@pytest.mark.parametrize("number", [0, -1, 8])
def test_a_match_that_is_not_there_is_refused(number):
    with pytest.raises(BadInput) as refused:
        drawn(8).match(number)
    assert refused.value.code == "bracket.no_such_match"
