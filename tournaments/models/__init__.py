"""Models of the tournaments app, one module per concept.

Events with divisions and stages, entries, draws (rounds, matches, slots), draw records, reports, answers,
arrangements, phones, money sessions, notices, check-ins, staff notes, positions of the quiz.
"""

from tournaments.models.answer import CallAnswer, CallWord
from tournaments.models.arranged import PairRequest, RoundPlan, StageEntry
from tournaments.models.arrangement import Arrangement, MatchMessage, OfferedTime
from tournaments.models.check_in import CheckIn, Here
from tournaments.models.columns import EventColumn
from tournaments.models.desk_note import DeskNote
from tournaments.models.draw import Match, MatchSlot, Round
from tournaments.models.entry import Entry, EntryDetail, EntryPlayer
from tournaments.models.event import Division, Event, Stage
from tournaments.models.forecast import EventForecast, ForecastMark
from tournaments.models.former import FormerLineup, FormerPlayer
from tournaments.models.lot import Lot
from tournaments.models.money import MoneyScore, MoneySession
from tournaments.models.notices import Notice
from tournaments.models.notifications import (
    Delivery,
    Notification,
    NotificationChoice,
    SubscribedFor,
    Subscription,
)
from tournaments.models.phone import LinkPhone, PhoneCode
from tournaments.models.quiz import Quiz, QuizAnswer, QuizPosition
from tournaments.models.randomness import PublicRandomness
from tournaments.models.report import Objection, RecordCopy, Report
from tournaments.models.series import ClubTemplate, Series
from tournaments.models.soundness import EventSoundness

__all__ = [
    "Arrangement",
    "CallAnswer",
    "CallWord",
    "CheckIn",
    "ClubTemplate",
    "Delivery",
    "DeskNote",
    "Division",
    "Entry",
    "EntryDetail",
    "EntryPlayer",
    "Event",
    "EventColumn",
    "EventForecast",
    "EventSoundness",
    "ForecastMark",
    "FormerLineup",
    "FormerPlayer",
    "Here",
    "LinkPhone",
    "Lot",
    "Match",
    "MatchMessage",
    "MatchSlot",
    "MoneyScore",
    "MoneySession",
    "Notice",
    "Notification",
    "NotificationChoice",
    "Objection",
    "OfferedTime",
    "PairRequest",
    "PhoneCode",
    "PublicRandomness",
    "Quiz",
    "QuizAnswer",
    "QuizPosition",
    "RecordCopy",
    "Report",
    "Round",
    "RoundPlan",
    "Series",
    "Stage",
    "StageEntry",
    "SubscribedFor",
    "Subscription",
]
