"""Data for directors: events of their clubs, pending decisions, reports about a match.

The number of queries of each function does not depend on the number of entries and matches.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Q, QuerySet

from people.models import Club, Membership, Player, User
from people.permissions import DIRECTOR_ROLES
from people.rows import one_or_none
from people.selectors import memberships_of
from tournaments.engine.matches.answers import ReplyChoice
from tournaments.engine.statuses import (
    DRAW_PUBLIC,
    EVENT_CHANGEABLE,
    NOT_STARTED,
    OVER,
    UNSETTLED,
    EntryStatus,
    EventStatus,
    MatchStatus,
)
from tournaments.models import (
    CallAnswer,
    Division,
    Entry,
    EntryPlayer,
    Event,
    Match,
    Objection,
    Report,
    Stage,
)
from tournaments.selectors.access.phones import device_numbers_by_report
from tournaments.selectors.draws import DrawnMatch, drawn_match, match_with_slots
from tournaments.selectors.entries import can_change_entries
from tournaments.selectors.events.detail import entry_count_expression
from tournaments.selectors.events.helpers import events_assisted_by, unlisted_events_for, viewer_club_ids

EVENTS_PER_STATUS = 12
MAX_REPORTS = 50


@dataclass(frozen=True, slots=True)
class PendingDecisions:
    """Counts of what waits for a director's decision in one event.

    ``disputed``, ``reported_matches``: matches; ``objections``: correction requests; ``cannot``: players who
    answered that they cannot play their next match.
    """

    event: Event
    disputed: int
    objections: int
    reported_matches: int
    cannot: int = 0


@dataclass(frozen=True, slots=True)
class DirectorHome:
    """What a director's home page shows: memberships and events by status.

    ``waiting``: events with pending decisions; ``helps``: events that the user assists; ``reads``: unlisted
    events of clubs in which the user is a viewer.
    """

    memberships: tuple[Membership, ...]
    waiting: tuple[PendingDecisions, ...]
    running: tuple[Event, ...]
    upcoming: tuple[Event, ...]
    drafts: tuple[Event, ...]
    over: tuple[Event, ...]
    helps: tuple[Event, ...] = ()
    reads: tuple[Event, ...] = ()

    @property
    def has_events(self) -> bool:
        return bool(self.running or self.upcoming or self.drafts or self.over)


def director_home(user: User) -> DirectorHome:
    """Load all events that ``user`` directs, assists or may view; eight queries."""
    roles = memberships_of(user)
    memberships = tuple(membership for membership in roles if membership.role in DIRECTOR_ROLES)
    clubs = [membership.club_id for membership in memberships]
    reader_clubs = viewer_club_ids((membership.club, membership.role) for membership in roles)
    events = events_of_clubs(clubs)

    def with_status(*statuses: EventStatus) -> QuerySet[Event]:
        return events.filter(status__in=statuses)

    running = tuple(with_status(EventStatus.RUNNING).order_by("-starts_on", "-pk"))
    return DirectorHome(
        memberships=memberships,
        waiting=pending_decisions(clubs),
        running=running,
        upcoming=tuple(with_status(EventStatus.OPEN).order_by("starts_on", "pk")),
        drafts=tuple(with_status(EventStatus.DRAFT).order_by("-created_at", "-pk")),
        over=tuple(
            with_status(EventStatus.FINISHED, EventStatus.CANCELLED).order_by("-ends_on", "-pk")[
                :EVENTS_PER_STATUS
            ]
        ),
        helps=tuple(events_assisted_by(user)),
        reads=tuple(unlisted_events_for(reader_clubs)) if reader_clubs else (),
    )


def events_of_clubs(clubs: Iterable[int]) -> QuerySet[Event]:
    """Return all events of these clubs (ids), drafts and unlisted included, each with ``entry_count``."""
    return (
        Event.objects.filter(club__in=list(clubs))
        .select_related("club")
        .annotate(entry_count=entry_count_expression())
    )


def events_of_club(club: Club) -> QuerySet[Event]:
    """Return all events of ``club``, newest first, each with ``entry_count``."""
    return events_of_clubs([club.pk]).order_by("-starts_on", "-pk")


def last_event_of_club(club: Club) -> Event | None:
    """Return the club's newest event, from which a new event takes its defaults; None if there is none."""
    return Event.objects.filter(club=club).order_by("-pk").first()


def pending_decisions(clubs: Iterable[int]) -> tuple[PendingDecisions, ...]:
    """Return the events of these clubs (ids) in which something waits for a director.

    Events with disputes, correction requests and players who cannot play come first.
    """
    club_ids = list(clubs)
    matches = (
        Match.objects.filter(
            stage__division__event__club__in=club_ids,
            stage__division__event__status=EventStatus.RUNNING,
            status__in=UNSETTLED,
        )
        .values_list("stage__division__event", "status")
        .annotate(times=Count("pk"))
        .order_by()
    )
    counts: dict[int, dict[str, int]] = {}
    for event_id, status, times in matches:
        counts.setdefault(event_id, {})[status] = times
    in_clubs = Q(match__stage__division__event__club__in=club_ids)
    objections = Objection.objects.filter(in_clubs, settled_at=None)
    cannot = CallAnswer.objects.filter(
        in_clubs,
        match__stage__division__event__status=EventStatus.RUNNING,
        match__status__in=NOT_STARTED,
        match__slots__entry=F("entry"),
        coming=ReplyChoice.CANNOT.value,
    )
    for kind, queryset in (("objections", objections), ("cannot", cannot)):
        by_event = queryset.values_list("match__stage__division__event").annotate(times=Count("pk"))
        for event_id, times in by_event.order_by():
            counts.setdefault(event_id, {})[kind] = times
    rows = [
        PendingDecisions(
            event,
            cannot=counts[event.pk].get("cannot", 0),
            disputed=counts[event.pk].get(MatchStatus.DISPUTED, 0),
            objections=counts[event.pk].get("objections", 0),
            reported_matches=counts[event.pk].get(MatchStatus.REPORTED, 0),
        )
        for event in Event.objects.filter(pk__in=counts).select_related("club").order_by("starts_on", "pk")
    ]
    return tuple(sorted(rows, key=lambda row: -(row.disputed + row.objections + row.cannot)))


def linked_stages(event: Event) -> list[Stage]:
    """Return all stages of ``event`` in order, with their divisions; one query.

    ``fed_by`` of a stage is the same object as in the list.
    """
    stages = list(
        Stage.objects.filter(division__event=event)
        .select_related("division")
        .order_by("division__position", "position", "pk")
    )
    by_pk = {stage.pk: stage for stage in stages}
    for stage in stages:
        stage.division.event = event  # known already: nobody asks for it again
        if stage.fed_by_id is not None:
            stage.fed_by = by_pk[stage.fed_by_id]
    return stages


def numbered_stages(event: Event) -> dict[tuple[int, int], Stage]:
    """Return the stages of ``event``, keyed by division number and stage number in it, both from 1."""
    divisions: dict[int, int] = {}
    stage_by_numbers: dict[tuple[int, int], Stage] = {}
    for stage in linked_stages(event):
        division = divisions.setdefault(stage.division_id, len(divisions) + 1)
        stage_by_numbers[
            division, sum(other_division == division for other_division, _ in stage_by_numbers) + 1
        ] = stage
    return stage_by_numbers


def unfinished_stage_ids(event: Event) -> set[int]:
    """Return the ids of the stages of ``event`` that have a match that is not over."""
    rows = Match.objects.filter(stage__division__event=event).exclude(status__in=OVER)
    return set(rows.order_by().values_list("stage", flat=True).distinct())


def active_entry_count(division: Division) -> int:
    """Return the number of active entries of ``division``."""
    return Entry.objects.filter(division=division, status=EntryStatus.ACTIVE).count()


def first_stage(stages: Iterable[Stage]) -> Stage | None:
    """Return the first of ``stages``, into which players enter; None if there are none."""
    return next(iter(stages), None)


def are_entries_open(stage: Stage, event: Event) -> bool:
    """Return whether entries of the division can change; ``stage`` is the division's first stage.

    They can before the draw, or if the stage lets players come and go while it runs.
    """
    return event.status in EVENT_CHANGEABLE and can_change_entries(stage)


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One report about a match, with its author.

    ``version``: its number; ``is_same_device``: the other side reported from the same browser; ``phone``: the
    number of the device, 0 if the report was not sent with a personal link; ``score_sheet``: the score after
    each game.
    """

    version: int
    reporter: str
    side: str
    by_director: bool
    score_a: int
    score_b: int
    kind: str
    winner_side: str
    note: str
    at: datetime
    state: str
    record: str  # of the game record with it: nothing, kept or doubtful
    is_same_device: bool
    phone: int
    score_sheet: tuple[tuple[int, int], ...] = ()


def report_rows(match: Match) -> list[ReportRow]:
    """Return the reports about ``match``, newest first; at most ``MAX_REPORTS``."""
    rows = Report.objects.filter(match=match).select_related("entry", "user").order_by("-version")
    reports = list(rows)
    phone_numbers = device_numbers_by_report(reports)
    return [
        ReportRow(
            version=report.version,
            reporter=report.entry.name if report.entry is not None else str(report.user or ""),
            side=report.side,
            by_director=report.reporter_kind == Report.Reporter.DIRECTOR,
            score_a=report.score_a,
            score_b=report.score_b,
            kind=report.kind,
            winner_side=report.winner_side,
            note=report.note,
            at=report.created_at,
            state=report.state,
            record="" if report.record_id is None else "doubtful" if report.record_doubtful else "kept",
            is_same_device=bool(report.device)
            and any(other.device == report.device and other.side != report.side for other in reports),
            phone=phone_numbers.get(report.pk, 0),
            score_sheet=tuple((row[0], row[1]) for row in report.sheet),
        )
        for report in reports[:MAX_REPORTS]
    ]


def open_reports(event: Event) -> dict[int, list[Report]]:
    """Return the event's unconfirmed reports about matches that need a decision, keyed by match id.

    One query.
    """
    reports_by_match: dict[int, list[Report]] = {}
    reports = Report.objects.filter(
        match__stage__division__event=event,
        match__status__in=UNSETTLED,
        state=Report.State.OPEN,
    ).select_related("entry", "user")
    for report in reports.order_by("match_id", "version"):
        reports_by_match.setdefault(report.match_id, []).append(report)
    return reports_by_match


def open_objections(event: Event) -> list[Objection]:
    """Return the event's unsettled correction requests, oldest first."""
    return list(
        Objection.objects.filter(match__stage__division__event=event, settled_at=None)
        .select_related("match", "entry")
        .order_by("pk")
    )


def objections_to(match: Match) -> list[Objection]:
    """Return all correction requests about ``match``, newest first, with author and settler."""
    return list(Objection.objects.filter(match=match).select_related("entry", "settled_by").order_by("-pk"))


def find_objection(match: Match, pk: int) -> Objection | None:
    """Return the correction request about ``match`` with this id, or None."""
    return one_or_none(Objection.objects.filter(match=match, pk=pk))


def find_match(event: Event, public_id: str) -> Match | None:
    """Return the match of ``event`` with this public id if its draw is published, or None."""
    return one_or_none(
        Match.objects.select_related("round", "stage__division").filter(
            public_id=public_id, stage__division__event=event, stage__status__in=DRAW_PUBLIC
        )
    )


def find_drawn_match(event: Event, public_id: str) -> tuple[Match, DrawnMatch] | None:
    """Return the match of ``event`` with this public id as row and as value; one query.

    None if there is none or its draw is not published.
    """
    in_event = Q(match__public_id=public_id, match__stage__division__event=event)
    match_and_slots = match_with_slots(in_event & Q(match__stage__status__in=DRAW_PUBLIC))
    return (match_and_slots[0], drawn_match(*match_and_slots)) if match_and_slots is not None else None


@dataclass(frozen=True, slots=True)
class MergePreview:
    """What merging two players would move from the duplicate to the remaining player.

    ``share_division``: both players have an entry in one division.
    """

    entries: tuple[Entry, ...]
    clubs: tuple[Club, ...]
    has_account: bool
    share_division: bool


def merge_preview(keep: Player, duplicate: Player) -> MergePreview:
    """Return what merging ``duplicate`` into ``keep`` would move; three queries."""
    entries = Entry.objects.filter(entry_players__player=duplicate).select_related("division__event")
    own_divisions = set(EntryPlayer.objects.filter(player=keep).values_list("division_id", flat=True))
    moved_entries = tuple(entries.order_by("-division__event__starts_on", "pk"))
    clubs = Club.objects.filter(player_links__player=duplicate).exclude(player_links__player=keep)
    return MergePreview(
        entries=moved_entries,
        clubs=tuple(clubs.order_by("name", "pk")),
        has_account=duplicate.user_id is not None,
        share_division=any(entry.division_id in own_divisions for entry in moved_entries),
    )


def likely_duplicates(club: Club) -> list[list[Player]]:
    """Return groups of players of ``club`` whose names differ at most in accents and case.

    At most 200 groups; each player has ``entry_count``.
    """
    club_players = Player.objects.filter(club_links__club=club, merged_into=None)
    repeated_names = club_players.values("search_name").annotate(times=Count("pk")).filter(times__gt=1)
    names = list(repeated_names.order_by("search_name").values_list("search_name", flat=True)[:200])
    groups: dict[str, list[Player]] = {name: [] for name in names}
    rows = club_players.filter(search_name__in=names).select_related("home_club")
    for player in rows.annotate(entry_count=Count("entry_players", distinct=True)).order_by("pk"):
        groups[player.search_name].append(player)
    return list(groups.values())
