"""The only writers of ratings. Other apps may call what is in ``__all__``."""

from rating.services.apply import rebuild_lists_of_player, update_list_ratings
from rating.services.check import check_list
from rating.services.ledger import record_result, replace_result, void_result
from rating.services.lists import archive_list, create_list, ensure_club_list, update_list
from rating.services.locks import mark_for_rebuild
from rating.services.openings import lock_clubs_of_openings, remove_other_openings, restore_openings
from rating.services.places import FinalPlace, PlaceField, are_places_counted, points_list_ids, sync_places
from rating.services.rebuild import rebuild_list, stop_rebuild

__all__ = [
    "FinalPlace",
    "PlaceField",
    "archive_list",
    "are_places_counted",
    "check_list",
    "create_list",
    "ensure_club_list",
    "lock_clubs_of_openings",
    "mark_for_rebuild",
    "points_list_ids",
    "rebuild_list",
    "rebuild_lists_of_player",
    "record_result",
    "remove_other_openings",
    "replace_result",
    "restore_openings",
    "stop_rebuild",
    "sync_places",
    "update_list",
    "update_list_ratings",
    "void_result",
]
