"""Every kind of result × every score × every starting score, against the rule written out a second time."""

from datetime import date, time

from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.matches.adjourning import Adjournment, check_adjournment
from tournaments.engine.matches.reporting import check_score, claim_winner
from tournaments.engine.matches.rulings import (
    AWARD_RULES,
    Award,
    AwardReason,
    LatenessRule,
    awards_from_json,
    lateness_penalty,
    minutes_until_loss,
    starting_score,
    with_award,
)
from tournaments.engine.types import Claim, ResultKind, Score, Side

A, B = Side.A, Side.B
K = ResultKind
LENGTHS = (1, 2, 3, 5)


def may_stand(n, a, b, kind, named, start):
    """F1 F10 F12 in the words of a director: nobody below the start, nobody above the length, never both at it."""
    if kind is K.BYE or a < start.a or b < start.b or a > n or b > n or (a == n and b == n):
        return False
    at_length = A if a == n else B if b == n else None
    if kind is K.PLAYED:
        return at_length is not None and named in (None, at_length)
    if kind in (K.UNFINISHED, K.ADJOURNED):
        return at_length is None and named is None
    if kind is K.DOUBLE_WALKOVER:
        return (a, b) == (start.a, start.b) and named is None
    if kind is K.DISQUALIFIED:
        return named is not None
    winner = named or at_length
    if winner is None or (at_length is not None and winner is not at_length):
        return False
    if kind in (K.RETIRED, K.LOST_ON_TIME, K.SETTLED):
        return True
    assert kind in (K.WALKOVER, K.FORFEIT)
    return (b == start.b) if winner is A else (a == start.a)


def test_check_score_accepts_exactly_what_the_rule_says_for_every_kind_score_start_and_winner():
    tried = 0
    for n in LENGTHS:
        starts = [Score(a, b) for a in range(n) for b in range(n)]
        points = range(-1, n + 2)
        for start in starts:
            for kind in K:
                for a in points:
                    for b in points:
                        for named in (None, A, B):
                            claim = Claim(a, b, kind, named)
                            faults = check_score(n, claim, start=start)
                            assert (not faults) is may_stand(n, a, b, kind, named, start), (n, start, claim)
                            tried += 1
    assert tried > 50_000


@given(st.sampled_from(K), st.integers(0, 12), st.integers(0, 12), st.sampled_from([None, A, B]))
def test_a_claim_that_stands_has_a_winner_unless_its_kind_has_none(kind, a, b, named):
    claim = Claim(a, b, kind, named)
    if check_score(9, claim):
        return
    nobody = kind in (K.DOUBLE_WALKOVER, K.UNFINISHED, K.ADJOURNED)
    assert (claim_winner(9, claim) is None) is nobody


sides = st.sampled_from(Side)
adjournments = st.builds(
    Adjournment,
    score=st.builds(Score, st.integers(0, 6), st.integers(0, 6)),
    cube=st.just(1),
    position=st.sampled_from(["", "4HPwATDgc/ABMA", "jGfkASjg8wcBMA"]),
    on_roll=sides,
    dice=st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6)),
    clock_a=st.none() | st.integers(0, 3600),
    clock_b=st.none() | st.integers(0, 3600),
    resumes_on=st.dates(date(2026, 1, 1), date(2030, 1, 1)),
    resumes_at=st.none() | st.times().map(lambda t: time(t.hour, t.minute)),
    place=st.text(max_size=20),
    note=st.text(max_size=20),
)


@given(adjournments, st.sampled_from([None, A, B]), st.integers(0, 6))
def test_an_adjournment_comes_back_from_its_data_as_it_was(adjourned, owner, power):
    assert Adjournment.of(adjourned.data()) == adjourned
    turned = Adjournment(adjourned.score, 1 << power, owner)
    assert Adjournment.of(turned.data()) == turned
    fits = (power == 0) is (owner is None)
    assert (not check_adjournment(turned, length=7, start=Score(0, 0), today=None)) is fits


@given(adjournments)
def test_an_adjournment_that_was_written_down_whole_has_no_faults(adjourned):
    assert check_adjournment(adjourned, length=7, start=Score(0, 0), today=date(2026, 1, 1)) == ()


awards = st.builds(
    Award,
    sides,
    st.integers(0, 3),
    st.sampled_from(AwardReason),
    st.none() | st.integers(0, 60),
    st.text(max_size=9),
)


@given(st.lists(awards, max_size=8))
def test_awards_add_up_where_their_rule_says_so_and_else_the_last_counts(said):
    kept = ()
    for award in said:
        kept = with_award(kept, award)
    assert awards_from_json([award.data() for award in kept]) == kept
    last = {(award.to, award.why): award.points for award in said if not AWARD_RULES[award.why].is_cumulative}
    for side in Side:
        added = sum(
            award.points for award in said if AWARD_RULES[award.why].is_cumulative and award.to is side
        )
        rest = sum(points for (to, _why), points in last.items() if to is side)
        assert starting_score(kept).of(side) == added + rest


rules = st.builds(LatenessRule, st.integers(0, 20), st.integers(1, 15), st.integers(1, 5))


@given(st.integers(1, 25), st.integers(0, 300), rules)
def test_lateness_never_costs_less_for_more_minutes_and_is_lost_from_the_minute_named(length, minutes, rule):
    now, later = (lateness_penalty(length, m, rule) for m in (minutes, minutes + 1))
    assert 0 <= now.points <= later.points <= length
    assert now.lost is (minutes >= minutes_until_loss(length, rule))
