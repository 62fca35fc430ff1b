"""The only writers of ratings. What other apps may call stands in ``__all__``; everything else is this app's own."""

from rating.services.apply import apply_list, player_merged
from rating.services.check import check_list
from rating.services.ledger import record_result, replace_result, void_result
from rating.services.lists import archive_list, create_list, ensure_club_list, update_list
from rating.services.locks import mark_for_rebuild
from rating.services.openings import give_openings_back, hold_lists_of, leave_openings
from rating.services.places import FieldOf, FinalPlace, lists_of_points, places_matter, settle_places
from rating.services.rebuild import rebuild_list, stop_rebuild

__all__ = [
    "FieldOf",
    "FinalPlace",
    "apply_list",
    "archive_list",
    "check_list",
    "create_list",
    "ensure_club_list",
    "give_openings_back",
    "hold_lists_of",
    "leave_openings",
    "lists_of_points",
    "mark_for_rebuild",
    "places_matter",
    "player_merged",
    "rebuild_list",
    "record_result",
    "replace_result",
    "settle_places",
    "stop_rebuild",
    "update_list",
    "void_result",
]
