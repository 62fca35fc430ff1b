"""The only readers of ratings for pages, the API and other apps. They return values, never half-made queries."""

from rating.selectors.changes import (
    FactChange,
    SideChange,
    Why,
    changes_of,
    rated_players,
    standing_keys,
    why,
)
from rating.selectors.leaderboard import Filters, LeaderRow, LeaderRows, best_of, leaderboard
from rating.selectors.lists import (
    club_lists,
    is_weighted,
    list_by_public_id,
    list_versions,
    public_lists,
    ratings_for,
    site_list,
)
from rating.selectors.players import PlayerRating, player_section, ratings_of_player
from rating.selectors.points import PointsAtStake, points_at_stake, points_list_for
from rating.selectors.preview import Effect, Preview, WhatIf, effects_of_correction, expected

__all__ = [
    "Effect",
    "FactChange",
    "Filters",
    "LeaderRow",
    "LeaderRows",
    "PlayerRating",
    "PointsAtStake",
    "Preview",
    "SideChange",
    "WhatIf",
    "Why",
    "best_of",
    "changes_of",
    "club_lists",
    "effects_of_correction",
    "expected",
    "is_weighted",
    "leaderboard",
    "list_by_public_id",
    "list_versions",
    "player_section",
    "points_at_stake",
    "points_list_for",
    "public_lists",
    "rated_players",
    "ratings_for",
    "ratings_of_player",
    "site_list",
    "standing_keys",
    "why",
]
