"""Models of the rating ledger, the rating lists, and the history computed from both."""

from rating.models.fact import Fact, FactKind
from rating.models.history import Change, Generation, GenerationState, Standing
from rating.models.imports import TableImport
from rating.models.lists import Pending, RatingList
from rating.models.official import OfficialList, OfficialRequest, OfficialRow, OfficialSchedule

__all__ = [
    "Change",
    "Fact",
    "FactKind",
    "Generation",
    "GenerationState",
    "OfficialList",
    "OfficialRequest",
    "OfficialRow",
    "OfficialSchedule",
    "Pending",
    "RatingList",
    "Standing",
    "TableImport",
]
