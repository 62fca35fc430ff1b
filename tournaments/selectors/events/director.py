"""What directors read: events of their clubs, pending decisions, reports about a match.

Each function costs the same few queries, however many entries and matches there are.
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
from tournaments.selectors.events.detail import entry_count
from tournaments.selectors.events.helpers import events_assisted_by, reader_club_ids, unlisted_events_for

EVENTS_PER_STATUS = 12
MAX_REPORTS = 50


@dataclass(frozen=True, slots=True)
class PendingDecisions:
    """Counts of what waits for a director in one event.

    ``cannot``: players who cannot play their next match.
    """

    event: Event
    disputed: int
    objections: int
    reported: int
    cannot: int = 0


@dataclass(frozen=True, slots=True)
class DirectorHome:
    """A director's clubs and their events by status."""

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
    """Load everything that ``user`` directs or assists; eight queries."""
    roles = memberships_of(user)
    memberships = tuple(membership for membership in roles if membership.role in DIRECTOR_ROLES)
    clubs = [membership.club_id for membership in memberships]
    reader_clubs = reader_club_ids((membership.club, membership.role) for membership in roles)
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
    """All events of ``clubs``, drafts and unlisted ones included, each with ``entry_count``."""
    return (
        Event.objects.filter(club__in=list(clubs)).select_related("club").annotate(entry_count=entry_count())
    )


def events_of_club(club: Club) -> QuerySet[Event]:
    """All events of ``club``, newest first, each with ``entry_count``."""
    return events_of_clubs([club.pk]).order_by("-starts_on", "-pk")


def last_event_of_club(club: Club) -> Event | None:
    """The newest event of ``club``, whose settings are its defaults; None if there is none."""
    return Event.objects.filter(club=club).order_by("-pk").first()


def pending_decisions(clubs: Iterable[int]) -> tuple[PendingDecisions, ...]:
    """Events in which something waits for a director: disputes and correction requests first."""
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
            reported=counts[event.pk].get(MatchStatus.REPORTED, 0),
        )
        for event in Event.objects.filter(pk__in=counts).select_related("club").order_by("starts_on", "pk")
    ]
    return tuple(sorted(rows, key=lambda row: -(row.disputed + row.objections + row.cannot)))


def linked_stages(event: Event) -> list[Stage]:
    """All stages of ``event`` in order, with divisions; a feeding stage is the same object as in the list."""
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
    """Stages by division number and number within it, both from 1."""
    divisions: dict[int, int] = {}
    stage_by_numbers: dict[tuple[int, int], Stage] = {}
    for stage in linked_stages(event):
        division = divisions.setdefault(stage.division_id, len(divisions) + 1)
        stage_by_numbers[
            division, sum(other_division == division for other_division, _ in stage_by_numbers) + 1
        ] = stage
    return stage_by_numbers


def unfinished_stage_ids(event: Event) -> set[int]:
    """Ids of the stages of ``event`` with a match that is not over."""
    rows = Match.objects.filter(stage__division__event=event).exclude(status__in=OVER)
    return set(rows.order_by().values_list("stage", flat=True).distinct())


def active_entry_count(division: Division) -> int:
    """Number of active entries of ``division``."""
    return Entry.objects.filter(division=division, status=EntryStatus.ACTIVE).count()


def entry_stage(stages: Iterable[Stage]) -> Stage | None:
    """The first stage of the first division, which takes the entries; None if there is none."""
    return next(iter(stages), None)


def are_entries_open(stage: Stage, event: Event) -> bool:
    """Return whether entries of the division of this first ``stage`` can change.

    True before the draw, or if players may come and go while it runs.
    """
    return event.status in EVENT_CHANGEABLE and can_change_entries(stage)


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One report with its author.

    ``one_device``: the other side reported from the same browser; ``phone``: its number, 0 if it was not sent
    by a personal link; ``sheet``: the score after each game.
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
    one_device: bool
    phone: int
    sheet: tuple[tuple[int, int], ...] = ()


def report_rows(match: Match) -> list[ReportRow]:
    """All reports about ``match``, newest first."""
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
            one_device=bool(report.device)
            and any(other.device == report.device and other.side != report.side for other in reports),
            phone=phone_numbers.get(report.pk, 0),
            sheet=tuple((row[0], row[1]) for row in report.sheet),
        )
        for report in reports[:MAX_REPORTS]
    ]


def open_reports(event: Event) -> dict[int, list[Report]]:
    """Open reports of the event by match, for the board; one query."""
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
    """Correction requests of the event that are not settled, oldest first."""
    return list(
        Objection.objects.filter(match__stage__division__event=event, settled_at=None)
        .select_related("match", "entry")
        .order_by("pk")
    )


def objections_to(match: Match) -> list[Objection]:
    """All correction requests about ``match``, newest first, with author and settler."""
    return list(Objection.objects.filter(match=match).select_related("entry", "settled_by").order_by("-pk"))


def find_objection(match: Match, pk: int) -> Objection | None:
    """Return a correction request about ``match`` by id, or None."""
    return one_or_none(Objection.objects.filter(match=match, pk=pk))


def find_match(event: Event, public_id: str) -> Match | None:
    """Return a match of a published draw of ``event``, or None."""
    return one_or_none(
        Match.objects.select_related("round", "stage__division").filter(
            public_id=public_id, stage__division__event=event, stage__status__in=DRAW_PUBLIC
        )
    )


def find_drawn_match(event: Event, public_id: str) -> tuple[Match, DrawnMatch] | None:
    """Return a match of a published draw of ``event`` with its value, or None; one query."""
    in_event = Q(match__public_id=public_id, match__stage__division__event=event)
    match_and_slots = match_with_slots(in_event & Q(match__stage__status__in=DRAW_PUBLIC))
    return (match_and_slots[0], drawn_match(*match_and_slots)) if match_and_slots is not None else None


@dataclass(frozen=True, slots=True)
class MergePreview:
    """What a merge would move from the duplicate to the remaining player."""

    entries: tuple[Entry, ...]
    clubs: tuple[Club, ...]
    has_account: bool
    same_division: bool


def merge_preview(keep: Player, duplicate: Player) -> MergePreview:
    """The rows that a merge would move; three queries."""
    entries = Entry.objects.filter(entry_players__player=duplicate).select_related("division__event")
    own_divisions = set(EntryPlayer.objects.filter(player=keep).values_list("division_id", flat=True))
    moved_entries = tuple(entries.order_by("-division__event__starts_on", "pk"))
    clubs = Club.objects.filter(player_links__player=duplicate).exclude(player_links__player=keep)
    return MergePreview(
        entries=moved_entries,
        clubs=tuple(clubs.order_by("name", "pk")),
        has_account=duplicate.user_id is not None,
        same_division=any(entry.division_id in own_divisions for entry in moved_entries),
    )


def likely_duplicates(club: Club) -> list[list[Player]]:
    """Groups of players of ``club`` with the same folded name."""
    club_players = Player.objects.filter(club_links__club=club, merged_into=None)
    repeated_names = club_players.values("search_name").annotate(times=Count("pk")).filter(times__gt=1)
    names = list(repeated_names.order_by("search_name").values_list("search_name", flat=True)[:200])
    groups: dict[str, list[Player]] = {name: [] for name in names}
    rows = club_players.filter(search_name__in=names).select_related("home_club")
    for player in rows.annotate(entry_count=Count("entry_players", distinct=True)).order_by("pk"):
        groups[player.search_name].append(player)
    return list(groups.values())
