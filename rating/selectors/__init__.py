"""The only readers of ratings for pages, the API and other apps; they return values."""

from rating.selectors.changes import (
    ChangeExplanation,
    FactChange,
    SideChange,
    changes_by_source_key,
    effective_source_keys,
    explain_change,
    rated_players,
)
from rating.selectors.leaderboard import LeaderboardFilter, LeaderRow, LeaderRows, leaderboard, top_players
from rating.selectors.lists import (
    club_lists,
    is_weighted,
    list_by_public_id,
    list_versions,
    public_lists,
    ratings_for,
    site_list,
)
from rating.selectors.players import PlayerRating, player_context, ratings_of_player
from rating.selectors.points import PointsAtStake, points_at_stake, points_list_for
from rating.selectors.preview import (
    CorrectionPreview,
    RatingEffect,
    WhatIf,
    preview_correction,
    preview_match,
)

__all__ = [
    "ChangeExplanation",
    "CorrectionPreview",
    "FactChange",
    "LeaderRow",
    "LeaderRows",
    "LeaderboardFilter",
    "PlayerRating",
    "PointsAtStake",
    "RatingEffect",
    "SideChange",
    "WhatIf",
    "changes_by_source_key",
    "club_lists",
    "effective_source_keys",
    "explain_change",
    "is_weighted",
    "leaderboard",
    "list_by_public_id",
    "list_versions",
    "player_context",
    "points_at_stake",
    "points_list_for",
    "preview_correction",
    "preview_match",
    "public_lists",
    "rated_players",
    "ratings_for",
    "ratings_of_player",
    "site_list",
    "top_players",
]
