"""Ratings that tie-breaks use: for each entry, the rating at the time of its first pairing.

They are the ratings entered with the entries by a director or from a list (the mean for a team). A round
stores them when it is published, so that later changes do not alter a table.
"""

from collections.abc import Collection

from tournaments.engine.standings.tie_breaks import get_tie_break
from tournaments.engine.types import EntryId
from tournaments.models import EntryDetail, Round, Stage
from tournaments.selectors.standings.tables import is_round_based, rounds_settings


def first_ratings(stage: Stage, seated: Collection[EntryId]) -> dict[str, float]:
    """Return the ratings of those ``seated`` entries that are paired for the first time.

    Keyed by entry id as text; entries without a rating are left out. Empty if no tie-break uses ratings.
    """
    if not is_round_based(stage) or not any(
        get_tie_break(code).needs_ratings for code in rounds_settings(stage).tie_breaks
    ):
        return {}
    rounds = Round.objects.filter(stage=stage).values_list("ratings", flat=True)
    unrated_ids = set(map(int, seated)) - {int(entry) for round_ratings in rounds for entry in round_ratings}
    ratings_by_entry: dict[str, list[float]] = {}
    detail_rows = EntryDetail.objects.filter(entry__in=unrated_ids, rating__isnull=False).order_by("pk")
    for entry, rating in detail_rows.values_list("entry_id", "rating"):
        if rating is not None:
            ratings_by_entry.setdefault(str(entry), []).append(rating)
    return {entry: sum(ratings) / len(ratings) for entry, ratings in ratings_by_entry.items()}
