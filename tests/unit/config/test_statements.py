"""Which tests need no second database: by the pieces of the product's own statements (`tools/statements.py`)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from tests.factories import an_event
from tests.support.statements import asked, known_who_made_them, shape
from tools.statements import choose_tests, pieces
from tournaments.models import Event
from tournaments.selectors.events.detail import browse_events


def pieces_of(sql: str) -> frozenset[str]:
    return pieces(shape(sql))


def test_columns_when_plain_then_each_counts_by_itself() -> None:
    both = pieces_of('SELECT "t"."a", COALESCE("t"."b", %s) AS "x" FROM "t" WHERE "t"."id" = %s LIMIT 21')
    assert both == pieces_of('SELECT "t"."a" FROM "t" WHERE "t"."id" = %s') | pieces_of(
        'SELECT COALESCE("t"."b", 0) AS "y" FROM "t" WHERE "t"."id" = %s LIMIT 1'
    )
    assert both == {'"t"."a"', 'COALESCE("t"."b", ?)', ' FROM "t" WHERE "t"."id" = ?'}
    assert pieces_of('SELECT "t"."a" FROM "t" LIMIT 1 FOR UPDATE') == {'"t"."a"', ' FROM "t" FOR UPDATE'}
    written = pieces_of('UPDATE "t" SET "a" = %s, "b" = ("t"."b" + %s) WHERE "t"."id" IN (SELECT 1 WHERE 2)')
    assert len(written) == 3
    assert 'UPDATE "t" SET  WHERE "t"."id" IN (SELECT ? WHERE ?)' in written


@pytest.mark.parametrize(
    "sql",
    [
        'SELECT DISTINCT "t"."a", "t"."b" FROM "t"',
        'SELECT "t"."a", COUNT("t"."b") FROM "t" GROUP BY "t"."a"',
        'SELECT "t"."a" FROM "t" UNION ALL SELECT "s"."a" FROM "s"',
        'INSERT INTO "t" ("a", "b") VALUES (%s, %s)',
        'DELETE FROM "t" WHERE "t"."a" IN (%s, %s)',
    ],
)
def test_statement_when_one_thing_depends_on_the_other_then_it_stays_whole(sql: str) -> None:
    assert len(pieces_of(sql)) == 1


def test_tests_when_chosen_then_not_for_what_is_seen_anyhow_and_none_that_others_make_needless() -> None:
    shapes = {"first": {"a", "b"}, "second": {"a", "c"}, "third": {"b", "d"}, "seen": {"e"}, "idle": set()}
    seconds = dict.fromkeys(shapes, 1.0)
    assert choose_tests(shapes, seconds, {"e", "f"}) == {"second", "third"}


@pytest.mark.django_db
def test_statement_when_a_test_asks_it_then_it_is_not_the_products() -> None:
    found: list[tuple[bool, bool]] = []

    def note(execute: Callable[..., Any], *rest: Any) -> Any:
        found.append(asked())
        return execute(*rest)

    tournament = an_event(2, name="A night of statements", visibility="public")
    with known_who_made_them(), connection.execute_wrapper(note):
        assert Event.objects.get(pk=tournament.event.pk).name == "A night of statements"
        tournament.event.refresh_from_db()
        assert found == [(False, False)] * 2
        list(browse_events().filter(name="A night of statements"))
        assert found[2:] == [(True, False)]
        tournament.event.name = "Another"
        tournament.event.save()
        assert not any(by_product for by_product, _ in found[3:])
        tournament.publish()
    assert sum(by_product for by_product, _ in found) > 10
    assert (True, True) in found
