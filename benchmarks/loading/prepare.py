"""Makes the events of the night in the database of the site, and writes down what the phones need to know of them as JSON.

python benchmarks/loading/prepare.py ENTRIES DIVISIONS×ENTRIES
"""

import json
import os
import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent / "filling")]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from weekend import weekend

from people.models import Club, User
from rating.models import RatingList
from tournaments.models import Entry, Event, Match, MatchSlot
from tournaments.selectors.access.links import entry_token

EMAIL = "director@example.org"


def reports_of(event: Event) -> list[dict[str, object]]:
    """A report by personal link for each match that can be played, in turn through the divisions."""
    matches = Match.objects.filter(stage__division__event=event, status="ready").order_by(
        "number", "stage_id"
    )
    sides = dict(MatchSlot.objects.filter(match__in=matches, side="a").values_list("match_id", "entry_id"))
    entries = Entry.objects.in_bulk(sides.values())
    return [
        {"match": match.public_id, "token": entry_token(entries[sides[match.pk]]), "a": match.length, "b": 1}
        for match in matches
        if match.pk in sides
    ]


def main() -> None:
    entries, (divisions, entries_each) = int(sys.argv[1]), map(int, sys.argv[2].split("x"))
    user = User.objects.filter(email=EMAIL).first() or User.objects.create_user(EMAIL, "crawford-demo")
    rng = random.Random(7)
    tournament_event = weekend(user, divisions=1, entries=entries, results=2, rng=rng)
    large_event = weekend(user, divisions=divisions, entries=entries_each, results=2, rng=rng)
    first_club = Club.objects.order_by("pk")[0]
    rating_list = RatingList.objects.filter(is_main=True).order_by("club_id").first()
    match = Match.objects.filter(stage__division__event=large_event).order_by("pk")[0]
    print(
        json.dumps(
            {
                "tournament": tournament_event.public_id,
                "large": large_event.public_id,
                "match": match.public_id,
                "club": first_club.public_id,
                "list": rating_list.public_id if rating_list is not None else "",
                "reports": reports_of(tournament_event),
                "large_reports": reports_of(large_event),
            }
        )
    )


if __name__ == "__main__":
    main()
