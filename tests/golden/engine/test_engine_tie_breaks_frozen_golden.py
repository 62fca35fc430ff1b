"""What was counted before there were editions stays as it was: events that began with 2009 keep every figure and every place.

`tie_breaks_2009.jsonl` holds 30 random events, one a line, with their rounds, what every tie-break said and three tables; it was written
by the last release without editions, and is never changed.
"""

import json
from fractions import Fraction
from pathlib import Path

from tournaments.engine.pairing.history import PairedMatch, RestingEntry, SwissRound
from tournaments.engine.standings.editions import Edition
from tournaments.engine.standings.order import rank_entries
from tournaments.engine.standings.table import Crosstable
from tournaments.engine.standings.tie_breaks import TIE_BREAKS, get_tie_break

KEPT = Path(__file__).with_name("tie_breaks_2009.jsonl").read_text()
EVENTS = [json.loads(line) for line in KEPT.splitlines()]


def book_of(event):
    rounds = [
        SwissRound(
            tuple(PairedMatch(*m[:4], bool(m[4]), *m[5:]) for m in one["meetings"]),
            tuple(RestingEntry(entry, points, bool(allotted)) for entry, points, allotted in one["rests"]),
        )
        for one in event["rounds"]
    ]
    return Crosstable(
        event["entries"],
        rounds,
        seed=event["seed"],
        edition=Edition.FIDE_2009,
        has_fixed_pairings=event["fixed"],
    )


def test_an_event_of_2009_when_counted_today_then_every_figure_is_as_it_was():
    for event in EVENTS:
        book = book_of(event)
        for code, values in event["values"].items():
            found = get_tie_break(code).compute(book, book.entries)
            assert [found[entry] for entry in book.entries] == [Fraction(value) for value in values], code
        for table in event["tables"]:
            rows = [
                [row.entry, row.first, row.last, of_the_tied(row.values), dict(row.repeated_values)]
                for row in rank_entries(book, table["order"])
            ]
            assert rows == table["rows"], event["seed"]


def of_the_tied(values):
    return {code: value for code, value in values.items() if TIE_BREAKS[code].is_among_tied and code != "lot"}
