"""Entries of an event or a division, and their players."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from django.db.models import Count, QuerySet
from django.utils import timezone

from faults import Missing
from names.folding import initials, search_key
from people.models import Player
from people.rows import one_or_none
from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.new_entry import MARK_LIMITS, EntryDetails, EntryMarks
from tournaments.engine.standings.leaving import WithdrawnRights
from tournaments.engine.statuses import (
    ENTRY_HOLDS_PLACE,
    ENTRY_LISTED,
    ENTRY_ON_WAITING_LIST,
    ENTRY_UNCONFIRMED,
    IN_PROGRESS,
    OVER,
    EntryStatus,
    MatchStatus,
    StageStatus,
)
from tournaments.engine.types import EntryId, ResultKind
from tournaments.models import Division, Entry, EntryDetail, EntryPlayer, Event, MatchSlot, Stage
from tournaments.selectors.draws import load_draw
from tournaments.selectors.rounds.next import is_between_rounds
from tournaments.selectors.seats import TakeOver, take_overs_by_entry
from tournaments.selectors.standings.tables import (
    drawn_entries,
    lives_by_entry,
    rounds_settings,
    withdrawal_rule,
)
from tournaments.selectors.waiting import QUEUE_ORDER

_ENTRY_FIELDS = ("pk", "public_id", "name", "seed", "status", "division_id", "changed_hands", *MARK_LIMITS)
# Statuses of entries that take part or wait, and are approved.
CONFIRMED_STATUSES = tuple(
    status for status in (*ENTRY_HOLDS_PLACE, *ENTRY_ON_WAITING_LIST) if status not in ENTRY_UNCONFIRMED
)
_PLAYER_FIELDS = tuple(
    f"entry_players__player{name}"
    for name in (
        *("_id", "__public_id", "__name", "__country", "__home_club__name", "__listed", "__merged_into"),
    )
)


@dataclass(frozen=True, slots=True)
class PlayerRef:
    """A player as others may see them. ``listed`` False: only a name in the draw, without a page."""

    pk: int
    public_id: str
    name: str
    country: str
    club: str
    listed: bool


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry with its players. ``number``: its place in the order of entry; None for a withdrawn entry.

    A blind draw depends only on that order and its seed. ``before``: the last takeover of the entry, with the
    players before it.
    """

    pk: int
    public_id: str
    name: str
    seed: int | None
    number: int | None
    withdrawn: bool
    players: tuple[PlayerRef, ...]
    marks: EntryMarks
    before: TakeOver | None = None

    def matches_text(self, text: str) -> bool:
        """Return whether each word of ``text`` is in the entry's or a player's name; for directors."""
        names = search_key(" ".join([self.name, *(player.name for player in self.players)]))
        return all(word in names for word in search_key(text).split())

    @property
    def initials(self) -> frozenset[str]:
        """The initial letters of the words of the entry's name."""
        return initials(self.name)

    @property
    def player_page_id(self) -> str:
        """Public id of the player's page; empty for a team and for an unlisted player."""
        return self.players[0].public_id if len(self.players) == 1 and self.players[0].listed else ""

    @property
    def note(self) -> str:
        """Country and home club of a single, listed player; else empty."""
        if not self.player_page_id:
            return ""
        return " · ".join(part for part in (self.players[0].country, self.players[0].club) if part)


def entries_by_division(divisions: Iterable[int]) -> dict[int, list[EntryRow]]:
    """Return the public entries of each division, keyed by division id, in the order of entry.

    Withdrawn entries are included, pending and waiting entries are not (see ``division_applicants``). One
    query.
    """
    division_ids = list(divisions)
    rows = Entry.objects.filter(division__in=division_ids, status__in=ENTRY_LISTED)
    return _entry_rows(rows.order_by("pk", "entry_players__position"), division_ids)


def _entry_rows(rows: QuerySet[Entry], division_ids: Sequence[int]) -> dict[int, list[EntryRow]]:
    players: dict[int, list[PlayerRef]] = {}
    entries: dict[int, tuple[Any, ...]] = {}
    for *entry, pk, public_id, name, country, club, listed, merged in rows.values_list(
        *_ENTRY_FIELDS, *_PLAYER_FIELDS
    ):
        entries[entry[0]] = tuple(entry)
        if pk is not None:
            player = PlayerRef(pk, public_id, name, country, club or "", listed and merged is None)
            players.setdefault(entry[0], []).append(player)
    rows_by_division: dict[int, list[EntryRow]] = {pk: [] for pk in division_ids}
    entry_counts = dict.fromkeys(division_ids, 0)
    take_over_by_entry = take_overs_by_entry(pk for pk, entry in entries.items() if entry[6])
    for pk, public_id, name, seed, status, division, _changed_hands, *marks in entries.values():
        withdrawn = status == EntryStatus.WITHDRAWN
        if not withdrawn:
            entry_counts[division] += 1
        number = None if withdrawn else entry_counts[division]
        row = (pk, public_id, name, seed, number, withdrawn, tuple(players.get(pk, ())))
        rows_by_division[division].append(EntryRow(*row, EntryMarks(*marks), take_over_by_entry.get(pk)))
    return rows_by_division


def entry_row(entry: Entry) -> EntryRow:
    """Return one entry as in its division's list, whatever its status; without number if it has no place."""
    rows = entries_by_division([entry.division_id])[entry.division_id]
    listed = next((row for row in rows if row.pk == entry.pk), None)
    if listed is not None:
        return listed
    only_entry = Entry.objects.filter(pk=entry.pk).order_by("pk", "entry_players__position")
    return replace(_entry_rows(only_entry, [entry.division_id])[entry.division_id][0], number=None)


@dataclass(frozen=True, slots=True)
class UnplacedEntry:
    """An entry that has no confirmed place yet.

    ``is_pending``: pending approval; ``place``: on the waiting list, from 1, or None.
    """

    row: EntryRow
    is_pending: bool
    place: int | None


def division_applicants(division: Division) -> list[UnplacedEntry]:
    """Return the pending and the waiting entries of a division in the order of the queue; for directors."""
    rows = Entry.objects.filter(division=division).exclude(status__in=ENTRY_LISTED)
    statuses = dict(rows.values_list("pk", "status"))
    if not statuses:
        return []
    place = 0
    applicants: list[UnplacedEntry] = []
    for row in _entry_rows(rows.order_by(*QUEUE_ORDER, "entry_players__position"), [division.pk])[
        division.pk
    ]:
        is_queueing = statuses[row.pk] in ENTRY_ON_WAITING_LIST
        place += is_queueing
        applicants.append(
            UnplacedEntry(row, statuses[row.pk] in ENTRY_UNCONFIRMED, place if is_queueing else None)
        )
    return applicants


def get_entry(event: Event, public_id: str, *, listed_only: bool = False) -> Entry:
    """Return an entry of ``event`` with its division, or raise ``Missing``.

    ``listed_only``: raise ``Missing`` also for pending and waiting entries.
    """
    rows = Entry.objects.select_related("division")
    entry = rows.filter(division__event=event, public_id=public_id).first()
    if entry is None or (listed_only and entry.status not in ENTRY_LISTED):
        raise Missing("entry.unknown")
    return entry


def find_entry(division_id: int, public_id: str) -> Entry | None:
    """Return the entry of a division with this public id, whatever its status, or None."""
    return one_or_none(Entry.objects.filter(division=division_id, public_id=public_id))


def active_entries(division: Division) -> list[Entry]:
    """Return the active entries of ``division``, sorted by name."""
    entries = Entry.objects.filter(division=division, status=EntryStatus.ACTIVE)
    return sorted(entries, key=lambda entry: entry.name.casefold())


def ids_by_public_id(division_id: int, public_ids: Collection[str]) -> dict[str, int]:
    """Return the ids of a division's entries with these ``public_ids``, keyed by public id."""
    rows = Entry.objects.filter(division=division_id, public_id__in=public_ids)
    return dict(rows.values_list("public_id", "pk"))


def public_id_by_entry(event: Event) -> dict[int, str]:
    """Return the public ids of all entries of ``event``, keyed by entry id."""
    return dict(Entry.objects.filter(division__event=event).values_list("pk", "public_id"))


def active_entry_counts(event: Event) -> dict[int, int]:
    """Return the numbers of active entries, keyed by division id; divisions without are left out."""
    rows = Entry.objects.filter(division__event=event, status=EntryStatus.ACTIVE)
    return dict(rows.values_list("division").annotate(times=Count("pk")).order_by())


def entry_names(division_id: int) -> dict[int, str]:
    """Return the names of all entries of a division, keyed by entry id."""
    return dict(Entry.objects.filter(division=division_id).values_list("pk", "name"))


def divisions_with_entries(event: Event) -> set[int]:
    """Return the ids of the divisions of ``event`` that have an entry, withdrawn or not."""
    return set(Division.objects.filter(event=event, entries__isnull=False).values_list("pk", flat=True))


def self_entered_ids(division: Division) -> set[int]:
    """Return the ids of the entries that players made themselves through the registration link."""
    return set(Entry.objects.filter(division=division, source=Entry.Source.SELF).values_list("pk", flat=True))


def reentered_ids(division: Division) -> set[int]:
    """Return the ids of the entries that re-entered as a new entry.

    Not counted are new entries that withdrew and are in no match.
    """
    rows = Entry.objects.filter(division=division, again_of__isnull=False)
    removed_entries = rows.filter(status=EntryStatus.WITHDRAWN, slots__isnull=True)
    reentered = rows.exclude(pk__in=removed_entries.values("pk")).values_list("again_of", flat=True)
    return {pk for pk in reentered if pk is not None}


def travel_groups(division_id: int) -> list[str]:
    """Return the names of the travel groups in a division, sorted."""
    rows = Entry.objects.filter(division=division_id).exclude(party="").order_by()
    return sorted(rows.values_list("party", flat=True).distinct())


def entries_after(event: Event, last_seen_id: int) -> list[Entry]:
    """Return the entries of ``event`` with an id above ``last_seen_id``, sorted by id."""
    return list(Entry.objects.filter(division__event=event, pk__gt=last_seen_id).order_by("pk"))


def newest_entry_id(event: Event) -> int:
    """Return the id of the newest entry of ``event``, 0 if there is none."""
    newest = Entry.objects.filter(division__event=event).order_by("-pk").values_list("pk", flat=True).first()
    return newest or 0


def entry_details(divisions: Iterable[int], entry: Entry | None = None) -> dict[tuple[int, int], EntryDetail]:
    """Return the private details of players, keyed by entry id and player id (of the merged player).

    Of all entries of ``divisions``, or only of ``entry``.
    """
    rows = EntryDetail.objects.filter(entry__division__in=list(divisions)).select_related("player")
    if entry is not None:
        rows = rows.filter(entry=entry)
    return {(row.entry_id, row.player.merged_into_id or row.player_id): row for row in rows}


def minor_player_ids(division: Division) -> dict[int, bool]:
    """Return the minors of a division as player id to True; for directors only."""
    rows = EntryPlayer.objects.filter(division=division, player__minor=True)
    return dict.fromkeys(rows.values_list("player_id", flat=True), True)


def details_from_row(row: EntryDetail | None) -> EntryDetails:
    """Convert a row of details to the value that forms and services use; an empty value for None."""
    if row is None:
        return EntryDetails()
    return EntryDetails(
        **{detail_field.name: getattr(row, detail_field.name) for detail_field in fields(EntryDetails)},
    )


def entry_player_rows(entry: Entry) -> list[EntryPlayer]:
    """Return the rows of the players of ``entry``, with the players, in order."""
    return list(EntryPlayer.objects.filter(entry=entry).select_related("player"))


def entered_player_ids(divisions: Iterable[int]) -> set[int]:
    """Return the ids of all players of entries in ``divisions``, withdrawn entries included."""
    rows = EntryPlayer.objects.filter(division__in=list(divisions))
    return set(rows.values_list("player_id", flat=True))


def entries_of_player_in(event: Event, player: Player) -> list[Entry]:
    """Return the approved entries of ``player`` in ``event``, waiting ones included, sorted by division."""
    entries = Entry.objects.filter(
        division__event=event, entry_players__player=player, status__in=CONFIRMED_STATUSES
    )
    return list(entries.select_related("division__event").order_by("division__position"))


def latest_status_by_player(players: Iterable[Player], division: Division) -> dict[int, str]:
    """Return the status of each player's latest entry in ``division``, keyed by player id."""
    rows = EntryPlayer.objects.filter(division=division, player__in=[player.pk for player in players])
    return dict(rows.order_by("attempt").values_list("player_id", "entry__status"))


def can_change_entries(stage: Stage) -> bool:
    """Return whether entries of the division may change; ``stage`` is the division's first stage.

    They may before the draw, between rounds of a Swiss, and in a money league until it is finished.
    """
    if stage.system == Stage.System.MONEY:
        return stage.status != StageStatus.FINISHED
    return stage.status == StageStatus.SETUP or is_between_rounds(stage)


def withdrawn_without_prize(stage: Stage, rows: Iterable[EntryRow]) -> set[EntryId]:
    """Return the ids of those entries in ``rows`` that win no prize in ``stage`` because they withdrew."""
    if withdrawal_rule(stage) is WithdrawnRights.KEEP:
        return set()
    return {EntryId(row.pk) for row in rows if row.withdrawn}


def joinable_divisions(event: Event) -> list[Division]:
    """Return the divisions that players can still enter: not drawn, and entries have not closed."""
    drawn_stages = Stage.objects.filter(division__event=event).exclude(status=StageStatus.SETUP)
    closed_divisions = Division.objects.filter(event=event, entries_until__lt=timezone.now())
    return list(
        Division.objects.filter(event=event)
        .exclude(pk__in=drawn_stages.values("division"))
        .exclude(pk__in=closed_divisions.values("pk"))
        .order_by("position")
    )


def eliminated_entries(stage: Stage) -> set[int]:
    """Return the ids of entries without a match left in the division of ``stage``, which could re-enter.

    Not eliminated are winners, entries that play on in a consolation, and entries whose last match there was
    a bye: a late entry may still become the opponent. In a Swiss, entries without lives or withdrawn are
    eliminated; in a round robin, none.
    """
    lost_ids: set[int] = set()
    playing_ids: set[int] = set()
    by_bye: dict[int, bool] = {}  # whether the entry's last match was a bye
    slots = MatchSlot.objects.filter(match__stage__division=stage.division_id, entry__isnull=False)
    rows = slots.exclude(match__status=MatchStatus.VOID).values_list(
        "entry_id", "side", "match__winner_side", "match__status", "entry__status", "match__result_kind"
    )
    for entry, side, winner, status, entry_status, kind in rows.order_by("match__stage_id", "match__number"):
        by_bye[entry] = kind == ResultKind.BYE and entry_status != EntryStatus.WITHDRAWN
        if status != MatchStatus.CONFIRMED:
            if (
                entry_status != EntryStatus.WITHDRAWN
            ):  # what comes up for who has left is a walk-over by itself
                playing_ids.add(entry)
        elif winner != side:
            lost_ids.add(entry)
    if stage.system == Stage.System.SWISS:
        withdrawn_entries = Entry.objects.filter(division=stage.division_id, status=EntryStatus.WITHDRAWN)
        draw = load_draw(stage)
        out_of_lives = (
            set(drawn_entries(draw)) - lives_by_entry(draw).keys() if rounds_settings(stage).lives else set()
        )
        return (out_of_lives | set(withdrawn_entries.values_list("pk", flat=True))) - playing_ids
    advanced_by_bye = {entry for entry, came_by_bye in by_bye.items() if came_by_bye}
    return lost_ids - playing_ids - advanced_by_bye if stage.system in Stage.ELIMINATIONS else set()


def match_count_by_entry(stage: Stage, entries: Collection[int]) -> dict[int, int]:
    """Return the number of confirmed matches of each entry, byes excluded, keyed by entry id."""
    rows = MatchSlot.objects.filter(
        match__stage__division=stage.division_id, match__status=MatchStatus.CONFIRMED, entry__in=entries
    ).exclude(match__result_kind=ResultKind.BYE)
    count_by_entry = dict(rows.values_list("entry").annotate(times=Count("pk")).order_by())
    return {entry: count_by_entry.get(entry, 0) for entry in entries}


def waiting_in_consolation(stage: Stage) -> set[int]:
    """Return the ids of entries that lost in the main draw and have not begun the consolation.

    Empty unless ``stage`` is a single elimination.
    """
    if stage.system != Stage.System.SINGLE_ELIMINATION:
        return set()
    lost_ids, waiting_ids, busy_ids = set[int](), set[int](), set[int]()
    slots = MatchSlot.objects.filter(match__stage__division=stage.division_id, entry__isnull=False)
    rows = slots.exclude(match__status=MatchStatus.VOID).values_list(
        *("entry_id", "side", "match__winner_side", "match__status"),
        *("match__result_kind", "match__round__section"),
    )
    for entry, side, winner, status, kind, section in rows.order_by():
        if section == MAIN:
            (busy_ids if status not in OVER else lost_ids if winner != side else set[int]()).add(entry)
        elif kind == ResultKind.BYE or status not in (*IN_PROGRESS, *OVER):
            waiting_ids.add(entry)
        else:
            busy_ids.add(entry)
    return (lost_ids & waiting_ids) - busy_ids


def possible_reentries(stage: Stage) -> set[int]:
    """Return the ids of entries that are out, or would be if they gave up a consolation not begun yet."""
    return eliminated_entries(stage) | waiting_in_consolation(stage)


def allowed_reentries(stage: Stage) -> set[int]:
    """Return the ids of entries that may re-enter now: not too many matches, no re-entry made yet."""
    candidate_ids = possible_reentries(stage) - reentered_ids(stage.division)
    max_matches = stage.settings.bracket.buy_back_within
    if not max_matches:
        return candidate_ids
    return {
        entry
        for entry, match_count in match_count_by_entry(stage, candidate_ids).items()
        if match_count <= max_matches
    }


def player_ref(player: Player) -> PlayerRef:
    """Return ``player`` (``home_club`` fetched with it) as others may see the player."""
    return PlayerRef(
        pk=player.pk,
        public_id=player.public_id,
        name=player.name,
        country=player.country,
        club=player.home_club.name if player.home_club is not None else "",
        listed=player.listed and player.merged_into_id is None,
    )
