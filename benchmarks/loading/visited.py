"""Makes the events that `first_visit.py` looks at, in the database of the site, and prints the addresses of its pages as JSON."""

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

from django.urls import reverse
from weekend import weekend

from people.models import User
from rating.models import RatingList
from rating.services.apply import update_list_ratings
from tournaments.models import Entry, Match, MatchSlot
from tournaments.selectors.access.links import entry_token

RESULTS = 40  # of 64 entries: the second round is under way


def main() -> None:
    user = User.objects.create_user("director@example.org", "crawford-demo")
    rng = random.Random(7)
    event = weekend(user, divisions=1, entries=64, results=RESULTS, rng=rng)
    large_event = weekend(user, divisions=1, entries=256, results=100, rng=rng)
    rating_list = RatingList.objects.get(club=event.club, is_main=True)
    update_list_ratings(rating_list.pk)
    ready_match = (
        Match.objects.filter(stage__division__event=event, status="ready").order_by("number").first()
    )
    played_match = (
        Match.objects.filter(stage__division__event=event, status="confirmed").order_by("number").first()
    )
    assert ready_match is not None
    assert played_match is not None
    entry = Entry.objects.get(
        pk=MatchSlot.objects.filter(match=ready_match, side="a").values_list("entry_id", flat=True)[0]
    )
    player = entry.players.get()
    print(
        json.dumps(
            {
                "home": "/",
                "my match": reverse("player:home", args=[entry_token(entry)]),
                "event": f"/e/{event.public_id}/",
                "bracket of 64": f"/e/{event.public_id}/bracket/",
                "bracket of 256": f"/e/{large_event.public_id}/bracket/",
                "match": f"/m/{played_match.public_id}/",
                "player": f"/p/{player.public_id}/",
                "rating list": f"/r/{rating_list.public_id}/",
                "club": f"/c/{event.club.public_id}/",
            }
        )
    )


if __name__ == "__main__":
    main()
