"""Which tests need no second database: by the pieces of the product's own statements (`tools/statements.py`)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from tests.factories import an_event
from tests.support.statements import asked_by_product, known_who_made_them, pieces
from tools.statements import chosen
from tournaments.models import Event
from tournaments.selectors.events.detail import browse_events


def test_columns_when_plain_then_each_counts_by_itself() -> None:
    both = pieces('SELECT "t"."a", "t"."b" FROM "t" WHERE "t"."id" = %s LIMIT 21')
    assert both == pieces('SELECT "t"."a" FROM "t" WHERE "t"."id" = %s') | pieces(
        'SELECT "t"."b" FROM "t" WHERE "t"."id" = %s LIMIT 1'
    )
    assert len(both) == 3
    assert len(pieces('UPDATE "t" SET "a" = %s, "b" = NULL WHERE "t"."id" = %s')) == 3


@pytest.mark.parametrize(
    "sql",
    [
        'SELECT DISTINCT "t"."a", "t"."b" FROM "t"',
        'SELECT "t"."a", COUNT("t"."b") FROM "t" GROUP BY "t"."a"',
        'SELECT "t"."a", "t"."b" FROM "t" GROUP BY "t"."a"',
        'SELECT "t"."a", (SELECT 1) AS "x" FROM "t"',
        'UPDATE "t" SET "a" = ("t"."a" + %s), "b" = %s',
    ],
)
def test_statement_when_there_is_more_to_it_then_it_stays_whole(sql: str) -> None:
    assert len(pieces(sql)) == 1


def test_tests_when_chosen_then_not_for_what_is_seen_anyhow_and_none_that_others_make_needless() -> None:
    shapes = {"first": {"a", "b"}, "second": {"a", "c"}, "third": {"b", "d"}, "seen": {"e"}, "idle": set()}
    seconds = dict.fromkeys(shapes, 1.0)
    assert chosen(shapes, seconds, {"e", "f"}) == {"second", "third"}


@pytest.mark.django_db
def test_statement_when_a_test_asks_it_then_it_is_not_the_products() -> None:
    asked: list[bool] = []

    def note(execute: Callable[..., Any], *rest: Any) -> Any:
        asked.append(asked_by_product())
        return execute(*rest)

    night = an_event(2, name="A night of statements", visibility="public")
    with known_who_made_them(), connection.execute_wrapper(note):
        assert Event.objects.get(pk=night.event.pk).name == "A night of statements"
        night.event.refresh_from_db()
        assert asked == [False, False]
        list(browse_events().filter(name="A night of statements"))
        assert asked[2:] == [True]
        night.event.name = "Another"
        night.event.save()
        assert not asked[-1]
        night.publish()
    assert sum(asked) > 10
