"""Contents of a bundle: the rows of each table that belong to an event or club, and what is left out.

Ids stay the same: the audit log hashes them and repairs refer to them, so with other ids it would be another
event.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Model, Q, QuerySet

from games.models import AnalysedDecision, AnalysedSide, RecordAnalysis, StoredRecord
from people.models import (
    AuditEntry,
    Club,
    FederationNumber,
    OutsideRating,
    OwnConsent,
    Player,
    PlayerClub,
    Version,
)
from rating.models import Fact, OfficialList, OfficialRow, RatingList
from tournaments.models import (
    Arrangement,
    CallAnswer,
    CallWord,
    CheckIn,
    ClubTemplate,
    DeskNote,
    Division,
    Entry,
    EntryDetail,
    EntryPlayer,
    Event,
    FormerLineup,
    FormerPlayer,
    Here,
    Lot,
    Match,
    MatchMessage,
    MatchSlot,
    MoneyScore,
    MoneySession,
    Notice,
    Objection,
    OfferedTime,
    PairRequest,
    PublicRandomness,
    Quiz,
    QuizAnswer,
    QuizPosition,
    Report,
    Round,
    RoundPlan,
    Series,
    Stage,
    StageEntry,
)
from tournaments.models.columns import EventColumn
from tournaments.models.report import RecordCopy
from tournaments.models.trail import audit_scope

# Lookup from each row to its event; each model after those that it refers to.
EVENT_LOOKUPS: Final[Mapping[type[Model], str]] = {
    Division: "event",
    EventColumn: "event",
    Stage: "division__event",
    Entry: "division__event",
    EntryPlayer: "entry__division__event",
    EntryDetail: "entry__division__event",
    FormerLineup: "entry__division__event",
    FormerPlayer: "lineup__entry__division__event",
    Round: "stage__division__event",
    Match: "stage__division__event",
    MatchSlot: "match__stage__division__event",
    CallWord: "match__stage__division__event",
    CallAnswer: "match__stage__division__event",
    StageEntry: "stage__division__event",
    PairRequest: "stage__division__event",
    RoundPlan: "stage__division__event",
    Report: "match__stage__division__event",
    RecordCopy: "report__match__stage__division__event",
    Objection: "match__stage__division__event",
    Arrangement: "match__stage__division__event",
    OfferedTime: "arrangement__match__stage__division__event",
    MatchMessage: "arrangement__match__stage__division__event",
    CheckIn: "division__event",
    Here: "check_in__division__event",
    PublicRandomness: "event",
    Lot: "event",
    MoneySession: "stage__division__event",
    MoneyScore: "session__stage__division__event",
    Notice: "event",
    DeskNote: "event",
}
# Models that are left out, with the reason.
NOT_EXPORTED: Final[Mapping[str, str]] = {
    "tournaments.EventForecast": "recalculated",
    "tournaments.ForecastMark": "how good forecasts were here",
    "tournaments.EventSoundness": "checked again",
    "tournaments.LinkPhone": "personal links are signed by the site, so there are new ones",
    "tournaments.PhoneCode": "personal links are signed by the site, so there are new ones",
    "tournaments.Notification": "notifications are sent by the site where it happened",
    "tournaments.Delivery": "notifications are sent by the site where it happened",
    "tournaments.NotificationChoice": "of phones and accounts of the site",
    "tournaments.Subscription": "push services know the site by its key",
    "tournaments.SubscribedFor": "push services know the site by its key",
    **dict.fromkeys(
        (
            "people.User",
            "people.SignIn",
            "people.Membership",
            "people.Assistance",
            "people.RoleInvitation",
            "people.PlayerClaim",
            "people.KeptAnswer",
            "people.Presence",
        ),
        "accounts stay, and so do their permissions",
    ),
    **dict.fromkeys(
        ("people.Allowance", "people.Moderation", "people.PageReport"),
        "between operators and those of their site",
    ),
    **dict.fromkeys(
        ("people.Affiliation", "people.PageConsent", "people.MergeRequest"), "between two clubs of the site"
    ),
    "people.OutgoingMail": "mail on its way",
    "games.HeldRecord": "kept for a form for an hour",
    "games.RecordImport": "an archive that is being checked: upload it again",
    "games.ImportedFile": "an archive that is being checked: upload it again",
    "rating.Generation": "ratings are recalculated from the ledger",
    "rating.Change": "ratings are recalculated from the ledger",
    "rating.Standing": "ratings are recalculated from the ledger",
    "rating.Pending": "ratings are recalculated from the ledger",
    "rating.OfficialSchedule": "future dates are scheduled again",
    "rating.OfficialRequest": "future dates are scheduled again",
    "rating.TableImport": "a table that is being imported: upload it again",
}
# Never in a file that a director holds: it determines the next draw.
HIDDEN_STAGE_COLUMN: Final = "secret"


@dataclass(frozen=True, slots=True)
class Contents:
    """The rows of a bundle, as querysets, each after those to which it refers.

    ``kept``: the ids to which foreign keys may refer, keyed by model.
    """

    club: Club
    events: Sequence[Event]
    querysets: Sequence[QuerySet[Any]]
    kept: Mapping[type[Model], frozenset[int]] = field(default_factory=dict)


# Rows that belong to an analysis.
ANALYSIS_MODELS: Final[tuple[type[Model], ...]] = (AnalysedDecision, AnalysedSide)
# The positions of an event: chosen from analyses, so after them.
QUIZ_MODELS: Final[tuple[type[Model], ...]] = (Quiz, QuizPosition, QuizAnswer)
# All tables that a bundle may hold, except versions, which refer to rows by kind and number.
BUNDLE_MODELS: Final[Sequence[type[Model]]] = (
    *(Club, Player, PlayerClub, OwnConsent, Series, ClubTemplate, Event),
    *EVENT_LOOKUPS,
    *(FederationNumber, OutsideRating, StoredRecord, RecordAnalysis),
    *ANALYSIS_MODELS,
    *QUIZ_MODELS,
    *(RatingList, Fact, OfficialList, OfficialRow, AuditEntry),
)


def event_contents(event: Event) -> Contents:
    """Return the contents of an event's bundle.

    Event, club, players, facts of the ledger, records, audit log.
    """
    events = Event.objects.filter(pk=event.pk)
    facts = Fact.objects.filter(Q(event_key=event.public_id) | Q(target__event_key=event.public_id))
    players = _player_ids(events, facts)
    querysets = [
        Club.objects.filter(pk=event.club_id),
        Player.objects.filter(pk__in=players),
        PlayerClub.objects.filter(player__in=players, club=event.club_id),
        *_event_querysets(events),
        facts,
        AuditEntry.objects.filter(scope=audit_scope(event)),
        _version_rows(events),
    ]
    kept_ids = {Club: frozenset([event.club_id]), Event: frozenset([event.pk]), Player: frozenset(players)}
    return Contents(event.club, [event], querysets, kept_ids)


def club_contents(club: Club) -> Contents:
    """Return the contents of a club's bundle: all its events, players, rating lists and its ledger."""
    events = Event.objects.filter(club=club)
    facts = Fact.objects.filter(club=club)
    players = _player_ids(events, facts)
    players |= set(Player.objects.filter(Q(home_club=club) | Q(clubs=club)).values_list("pk", flat=True))
    players |= set(
        OfficialRow.objects.filter(official__rating_list__club=club).values_list("player_id", flat=True)
    )
    players = _with_merge_targets(players)
    lists = RatingList.objects.filter(club=club)
    # For directors of the home club only, so not part of the bundle of an event, which other people may hold.
    own_players = Player.objects.filter(Q(home_club=club) | Q(merged_into__home_club=club))
    chosen_events = list(events.order_by("pk"))
    querysets = [
        Club.objects.filter(pk=club.pk),
        Player.objects.filter(pk__in=players),
        PlayerClub.objects.filter(player__in=players, club=club),
        FederationNumber.objects.filter(player__in=own_players),
        OutsideRating.objects.filter(player__in=own_players),
        OwnConsent.objects.filter(player__in=players, club=club),
        Series.objects.filter(club=club),
        ClubTemplate.objects.filter(club=club),
        *_event_querysets(events),
        lists,
        facts,
        OfficialList.objects.filter(rating_list__in=lists),
        OfficialRow.objects.filter(official__rating_list__in=lists),
        AuditEntry.objects.filter(
            Q(club=club) | Q(scope__in=[audit_scope(event) for event in chosen_events])
        ),
        _version_rows(events),
    ]
    kept_ids = {
        Club: frozenset([club.pk]),
        Event: frozenset(event.pk for event in chosen_events),
        Player: frozenset(players),
        Series: frozenset(Series.objects.filter(club=club).values_list("pk", flat=True)),
        RatingList: frozenset(lists.values_list("pk", flat=True)),
    }
    return Contents(club, chosen_events, querysets, kept_ids)


def _event_querysets(events: QuerySet[Event]) -> list[QuerySet[Any]]:
    event_lookup = "match__stage__division__event__in"
    with_reports = Q(**{f"reports__{event_lookup}": events}) | Q(
        **{f"copies__report__{event_lookup}": events}
    )
    records = StoredRecord.objects.filter(with_reports).distinct()
    analyses = RecordAnalysis.objects.filter(record__in=records, state=RecordAnalysis.State.DONE)
    querysets: list[QuerySet[Any]] = [events]
    for model, lookup in EVENT_LOOKUPS.items():
        if model is Report:
            querysets += [records, analyses]
            querysets += [model._base_manager.filter(analysis__in=analyses) for model in ANALYSIS_MODELS]  # noqa: SLF001
        querysets.append(model._base_manager.filter(**{f"{lookup}__in": events}))  # noqa: SLF001
    positions = QuizPosition.objects.filter(quiz__event__in=events, decision__analysis__in=analyses)
    answers = QuizAnswer.objects.filter(position__in=positions)
    return [*querysets, Quiz.objects.filter(event__in=events), positions, answers]


def _player_ids(events: QuerySet[Event], facts: QuerySet[Fact]) -> set[int]:
    """Return the ids of participants and rated players, and of those into whom they were merged."""
    player_ids: set[int | None] = set()
    for model in (EntryPlayer, EntryDetail):
        rows = model._base_manager.filter(entry__division__event__in=events)  # noqa: SLF001
        player_ids |= set(rows.values_list("player_id", flat=True))
    former_rows = FormerPlayer.objects.filter(lineup__entry__division__event__in=events)
    player_ids |= set(former_rows.values_list("player_id", flat=True))
    for winner, loser in facts.values_list("winner_id", "loser_id"):
        player_ids |= {winner, loser}
    return _with_merge_targets({pk for pk in player_ids if pk is not None})


def _with_merge_targets(players: set[int]) -> set[int]:
    all_ids, new_ids = set(players), set(players)
    while new_ids:
        targets = Player.objects.filter(pk__in=new_ids, merged_into__isnull=False).values_list(
            "merged_into_id", flat=True
        )
        new_ids = {pk for pk in targets if pk is not None} - all_ids
        all_ids |= new_ids
    return all_ids


def _version_rows(events: QuerySet[Event]) -> QuerySet[Version]:
    divisions = Division.objects.filter(event__in=events).values("pk")
    return Version.objects.filter(
        Q(kind__in=["event", "outline"], of_id__in=events.values("pk"))
        | Q(kind="division", of_id__in=divisions)
    )


def foreign_key_limits(
    model: type[Model], kept_ids: Mapping[type[Model], frozenset[int]], exported_models: set[type[Model]]
) -> dict[str, frozenset[int]]:
    """Return the ids to which foreign keys of a model may refer in the bundle, keyed by column.

    Others are exported as empty; those to accounts, for example, always, as accounts are never exported.
    """
    limits = {}
    for model_field in model._meta.local_concrete_fields:  # noqa: SLF001
        related = model_field.related_model
        if related is None or not model_field.null:
            continue
        if related in kept_ids:
            limits[str(model_field.column)] = kept_ids[related]
        elif related not in exported_models:
            limits[str(model_field.column)] = frozenset[int]()
    return limits
