"""Whatever happens in whatever order, the list equals a rebuild from nothing, bit for bit."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rating.models import Pending
from rating.services import rebuild_list, rebuild_lists_of_player
from tests.support.lanes import in_full
from tests.support.rating import DAY_ONE, a_book, a_list

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eva")

events = st.lists(
    st.one_of(
        st.tuples(
            st.just("play"),
            st.permutations(NAMES),
            st.sampled_from([1, 3, 7, 25]),
            st.integers(0, 12),  # hours: many at the same time, many back-dated
        ),
        st.tuples(st.just("void"), st.integers(0, 30)),
        st.tuples(st.just("replace"), st.integers(0, 30), st.permutations(NAMES)),
        st.tuples(st.just("apply")),
        st.tuples(st.just("rebuild")),
        st.tuples(st.just("merge"), st.permutations(NAMES)),
        st.tuples(st.just("split"), st.sampled_from(NAMES)),
    ),
    min_size=3,
    max_size=25,
)


@pytest.mark.django_db(transaction=True)
@settings(
    max_examples=25 if in_full() else 12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    events=events,
    system=st.sampled_from(
        [
            "fibs",
            "fibs_flat",
            "elo",
            "galaxy_2",
            "master_2019",
            "glicko2",
            "glicko2_length",
        ]
    ),
)
def test_incremental_equals_rebuild_over_random_histories(events, system):
    book = a_list(a_book(), system=system)
    standing: list = []  # facts that were not taken back
    for event in events:
        match event:
            case ("play", (winner, loser, *_), length, hours):
                when = DAY_ONE + timedelta(hours=hours)
                # Errors of play are known of some: every other hour the winner lost the PR.
                play = {} if hours % 3 == 0 else {"winner_pr": 5.0, "loser_pr": 4.0 + 2.0 * (hours % 2)}
                standing.append(book.beats(winner, loser, length, at=when, **play))
            case ("void", which) if standing:
                book.void(standing.pop(which % len(standing)))
            case ("replace", which, (winner, loser, *_)) if standing:
                at = which % len(standing)
                standing[at] = book.replace(standing[at], winner, loser)
            case ("apply",):
                book.apply()
            case ("rebuild",):
                rebuild_list(list_id=book.list.pk)
            case ("merge", (keep, duplicate, *_)):
                kept, gone = book.player(keep), book.player(duplicate)
                kept.refresh_from_db()
                if kept.merged_into_id is None and not gone.merged.exists():
                    gone.merged_into = kept
                    gone.save()
            case ("split", name):
                player = book.player(name)
                player.merged_into = None
                player.save()
                rebuild_lists_of_player(player_id=player.pk)
    book.apply()
    assert book.differences() == []
    before = book.all_ratings()
    rebuild_list(list_id=book.list.pk)
    assert book.all_ratings() == before
    assert book.differences() == []
    assert not Pending.objects.filter(rating_list=book.list).exists()
