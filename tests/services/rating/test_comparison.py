"""Which system would have foretold a list's own results best: by a command, out of sample."""

import random
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from people.models import Membership, Role
from rating.selectors.comparison import compare_systems
from tests.factories import a_user
from tests.support.director import signed_in
from tests.support.rating import a_book

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def compared(**options: object) -> str:
    out = StringIO()
    call_command("compare_formulas", stdout=out, **options)
    return out.getvalue()


def test_systems_are_compared_by_the_lists_own_results_and_the_best_comes_first():
    book, chance = a_book(), random.Random(3)
    names = ["Ann", "Bob", "Cleo", "Dan"]  # the earlier in the alphabet, the better
    for _ in range(96):
        better, worse = sorted(chance.sample(names, 2))
        book.beats(*((better, worse) if chance.random() < 0.8 else (worse, better)), 7)
    book.void(book.beats("Dan", "Ann", 7))  # taken back: nobody is judged by it
    found = compare_systems(book.list)
    assert (found.training_count, found.judged_count) == (32, 64)
    assert [one.system for one in found.systems if one.is_own_system] == ["fibs"]
    losses = [one.log_loss for one in found.systems]
    assert losses == sorted(losses)
    assert losses[0] < 0.65  # better than a coin
    favourites = {one.system: sum(band.count for band in one.bands) for one in found.systems}
    assert 50 < favourites["fibs"] <= 64
    assert favourites["glicko2"] <= 64  # none, if all was played in one period
    fewer = compare_systems(book.list, limit=30)
    assert fewer.training_count + fewer.judged_count == 30
    page = compared(list=book.list.public_id)
    assert "64 results predicted, after 32 earlier ones to learn from" in page
    assert "* 0." in page
    assert "fewer than 60" not in page
    assert "fewer than 60" in compared(list=book.list.public_id, most=30)
    dora = a_user("Dora")
    Membership.objects.create(user=dora, club=book.club, role=Role.DIRECTOR)
    page = (
        signed_in(dora).get(reverse("rating_director:formulas", args=[book.list.public_id])).content.decode()
    )
    assert page.count('scope="row"') == len(found.systems)
    assert f"{losses[0]:.4f}" in page
    assert "Log-loss measures the predictions: lower is better" in page


def test_empty_list_and_nonsense_are_answered_in_words():
    assert "0 results predicted" in compared(list=a_book().list.public_id)
    with pytest.raises(CommandError, match="Rating list not found"):
        compared(list="nobody")
    with pytest.raises(CommandError, match="--most"):
        compared(list=a_book().list.public_id, most=0)
