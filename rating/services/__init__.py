"""The only writers of ratings. What others call: see each module; tournaments use `ledger` and `lists`."""

from rating.services.apply import apply_list, player_merged
from rating.services.check import check_list
from rating.services.ledger import record_place, record_result, replace_result, void_result
from rating.services.lists import archive_list, create_list, ensure_club_list, mark_for_rebuild, update_list
from rating.services.rebuild import rebuild_list, stop_rebuild

__all__ = [
    "apply_list",
    "archive_list",
    "check_list",
    "create_list",
    "ensure_club_list",
    "mark_for_rebuild",
    "player_merged",
    "rebuild_list",
    "record_place",
    "record_result",
    "replace_result",
    "stop_rebuild",
    "update_list",
    "void_result",
]
