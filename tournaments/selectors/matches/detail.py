"""One match for the public, and the matches of a player: states and results, without notes and authors."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from faults import Missing
from people.models import Player
from people.rows import one_or_none
from tournaments.engine.statuses import DRAW_PUBLIC, UNSETTLED, MatchStatus
from tournaments.engine.types import ResultKind, Side
from tournaments.models import Entry, EntryPlayer, Match, MatchSlot, Report, Round, Stage
from tournaments.selectors.access.visibility import events_on_player_page
from tournaments.selectors.draws import DrawnMatch, drawn_match
from tournaments.selectors.entries import PlayerRef, player_ref
from tournaments.selectors.matches.claims import claim_from_report
from tournaments.selectors.matches.ledger import ledger_key
from tournaments.selectors.matches.sheets import ScoreSheet, build_score_sheet
from tournaments.selectors.seats import MatchSide, players_in_slots, slots_of_players


@dataclass(frozen=True, slots=True)
class OpenReport:
    """An unconfirmed report without its author, for the match page. ``version``: the report's number."""

    version: int
    side: str
    scores: tuple[int, int]
    kind: str
    winner: str


@dataclass(frozen=True, slots=True)
class NextMatch:
    """A match that the winner (``for_winner``) or the loser of this match advances to."""

    public_id: str
    number: int
    for_winner: bool


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match with its players, unconfirmed reports and next matches.

    ``source_key``: the key of its result in the rating ledger, empty without a confirmed report;
    ``score_sheet``: the score by game that came with the confirmed result.
    """

    row: DrawnMatch
    players: Mapping[Side, tuple[PlayerRef, ...]]
    reports: tuple[OpenReport, ...]
    feeds: tuple[NextMatch, ...]
    source_key: str
    score_sheet: ScoreSheet | None = None

    def players_of(self, side: Side) -> tuple[PlayerRef, ...]:
        return self.players.get(side, ())


def match_view(match: Match) -> MatchView:
    """Load the public view of ``match`` (``round`` fetched with it); four queries."""
    row = drawn_match(match)
    reports: list[OpenReport] = []
    source_key = ""
    all_reports = list(Report.objects.filter(match=match).order_by("version"))
    for report in all_reports:
        if report.state == Report.State.CONFIRMED:
            source_key = ledger_key(match, report)
        elif report.state == Report.State.OPEN and match.status in UNSETTLED:
            scores = (report.score_a, report.score_b)
            reports.append(OpenReport(report.version, report.side, scores, report.kind, report.winner_side))
    return MatchView(
        row=row,
        players={side: players for (_match, side), players in players_of_matches([row]).items()},
        reports=tuple(reports),
        feeds=tuple(
            NextMatch(
                feed.match.public_id, feed.match.number, feed.source_kind == MatchSlot.SourceKind.WINNER_OF
            )
            for feed in MatchSlot.objects.filter(source_match=match)
            .select_related("match")
            .order_by("match__number")
        ),
        source_key=source_key,
        score_sheet=_confirmed_sheet(match, all_reports),
    )


def _confirmed_sheet(match: Match, reports: Sequence[Report]) -> ScoreSheet | None:
    """Return the last score sheet of a report that equals the result, or None.

    It need not be the confirmed report: a player who agrees to a result sends no score sheet.
    """
    if match.status != MatchStatus.CONFIRMED:
        return None
    final = next(
        (claim_from_report(report) for report in reports if report.state == Report.State.CONFIRMED), None
    )
    sheets = [report.sheet for report in reports if report.sheet and claim_from_report(report) == final]
    return build_score_sheet(match, sheets[-1], final) if final is not None and sheets else None


def players_of_matches(matches: Iterable[DrawnMatch]) -> dict[MatchSide, tuple[PlayerRef, ...]]:
    """Return the players on the sides of these matches, keyed by match and side.

    If another player took over an entry since, those are the players who played.
    """
    slots = (
        (match.pk, side.side, side.entry_id, side.former_lineup_id)
        for match in matches
        for side in match.sides
        if side.entry_id is not None
    )
    return {seat: tuple(map(player_ref, players)) for seat, players in players_in_slots(slots).items()}


def players_of_entries(entry_ids: Iterable[int]) -> dict[int, tuple[PlayerRef, ...]]:
    """Return the players of these entries, keyed by entry id."""
    players_by_entry: dict[int, tuple[PlayerRef, ...]] = {}
    rows = EntryPlayer.objects.filter(entry__in=list(entry_ids)).select_related("player__home_club")
    for row in rows.order_by("entry_id", "position"):
        players_by_entry[row.entry_id] = (*players_by_entry.get(row.entry_id, ()), player_ref(row.player))
    return players_by_entry


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match from the view of one of its players.

    ``source_key``: the key of its result in the rating ledger, empty without a confirmed report.
    """

    match: Match
    row: DrawnMatch
    side: Side
    source_key: str

    @property
    def opponent(self) -> str:
        return self.row.sides[1 if self.side is Side.A else 0].name

    @property
    def won(self) -> bool | None:
        """Whether the player won; None without a winner, as after a double walkover."""
        return None if self.row.winner is None else self.row.winner is self.side

    @property
    def scores(self) -> tuple[int | None, int | None]:
        """The score, the player's points first."""
        a, b = self.row.scores
        return (a, b) if self.side is Side.A else (b, a)


def finished_matches(player: Player) -> QuerySet[Match]:
    """Return the confirmed matches in the events on the player's page, newest first, without byes."""
    return (
        Match.objects.filter(
            status=MatchStatus.CONFIRMED,
            stage__status__in=DRAW_PUBLIC,
            stage__division__event__in=events_on_player_page(player),
            pk__in=slots_of_players([player.pk]).values("match"),
        )
        .exclude(result_kind=ResultKind.BYE)
        .select_related("round", "stage__division__event")
        .order_by("-played_at", "-pk")
    )


def played_matches(player: Player, matches: Sequence[Match]) -> list[PlayedMatch]:
    """Return ``matches`` from the view of ``player``, who took part in all of them; three queries."""
    pks = [match.pk for match in matches]
    slots: dict[int, dict[Side, MatchSlot]] = {pk: {} for pk in pks}
    for slot in MatchSlot.objects.filter(match__in=pks).select_related("entry", "former", "source_match"):
        slots[slot.match_id][Side(slot.side)] = slot
    side_by_match = dict(slots_of_players([player.pk]).filter(match__in=pks).values_list("match_id", "side"))
    confirmed_reports = {
        report.match_id: report
        for report in Report.objects.filter(match__in=pks, state=Report.State.CONFIRMED)
    }
    return [
        PlayedMatch(
            match=match,
            row=drawn_match(match, slots[match.pk]),
            side=Side(side_by_match[match.pk]),
            source_key=ledger_key(match, confirmed_reports[match.pk])
            if match.pk in confirmed_reports
            else "",
        )
        for match in matches
    ]


def match_of_stage(stage: Stage, public_id: str) -> Match:
    """Return the match of ``stage`` with this public id; raise ``Missing`` if there is none."""
    match = one_or_none(Match.objects.filter(stage=stage, public_id=public_id))
    if match is None:
        raise Missing("match.unknown")
    return match


def matches_of_round(round_: Round) -> list[Match]:
    """Return all matches of a round."""
    return list(Match.objects.filter(round=round_))


def match_number(pk: int) -> int | None:
    """Return the number of the match with this id, or None if the match was deleted."""
    return one_or_none(Match.objects.filter(pk=pk).values_list("number", flat=True))


def matches_of_entry(entry: Entry) -> list[Match]:
    """Return the matches of ``entry`` in published draws, first stage and round first."""
    return list(
        Match.objects.filter(slots__entry=entry, stage__status__in=DRAW_PUBLIC)
        .select_related("round", "stage__division__event")
        .order_by("stage__position", "number")
    )
