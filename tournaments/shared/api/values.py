"""Response schemas that several packages use: references to clubs and players, matches with their sides."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Final, Literal

from django.conf import settings
from django.urls import reverse
from msgspec import Meta
from msgspec.structs import asdict

from people import models as people
from people.api.answers import Answer, Moment, Url, field_description, one_of
from tournaments import models
from tournaments.engine.matches.reporting import NO_START
from tournaments.engine.matches.rulings import (
    Award,
    ClockStart,
    awards_from_json,
    clock_rule_for,
    reserve_seconds,
)
from tournaments.engine.statuses import MatchStatus, may_report
from tournaments.engine.types import ResultKind, Side
from tournaments.selectors.draws import EMPTY_LINE_KINDS, DrawnMatch, DrawnSide
from tournaments.selectors.entries import PlayerRef as SeatedPlayer
from tournaments.selectors.matches.detail import players_of_matches
from tournaments.selectors.rounds.deadlines import is_arranged
from tournaments.shared.fragments.cards import url_builder


def page_url(name: str, public_id: str) -> str:
    """Return the absolute address of the public page with the URL name ``name`` for the id ``public_id``."""
    return f"{settings.SITE_URL}{reverse(name, args=[public_id])}"


class ClubRef(Answer, frozen=True):
    """A reference to a club: its id, name and public page."""

    id: str
    name: str
    url: Url

    @classmethod
    def to(cls, club: people.Club) -> "ClubRef":
        return ClubRef(id=club.public_id, name=club.name, url=page_url("public:club", club.public_id))


class PlayerRef(Answer, frozen=True):
    """A reference to a player: id, name and public page."""

    id: str
    name: str
    url: Url


PlayersBySide = Mapping[tuple[int, Side], Sequence[SeatedPlayer]]
_RESULT_BY_SOURCE: Final[Mapping[str, Literal["winner", "loser"]]] = {
    models.MatchSlot.SourceKind.WINNER_OF: "winner",
    models.MatchSlot.SourceKind.LOSER_OF: "loser",
}


class MatchPlayer(Answer, frozen=True):
    """A player of one side at the time of the match, even if another player took the entry over later."""

    id: Annotated[str | None, field_description("Null if they have no public page.")]
    name: str


class MatchSide(Answer, frozen=True):
    """One side of a match; without an entry, the side is a bye or waits for the result of `from_match`."""

    side: Side
    entry: Annotated[str | None, field_description("ID of the entry.")]
    name: Annotated[str, field_description("Name of the entry when the match was decided.")]
    players: Annotated[
        list[MatchPlayer],
        field_description(
            "The players of this match; if another player has taken over the entry since, the previous ones."
        ),
    ]
    seed: int | None
    score: Annotated[int | None, field_description("Final once it is confirmed.")]
    start: Annotated[
        int,
        field_description("Points before the first game: a starting score, or penalties of the other side."),
    ]
    bye: bool
    open_line: Annotated[
        bool, field_description("Reserved for a late entry or re-entry that has not arrived yet.")
    ]
    from_match: Annotated[
        int | None, field_description("Number of the match whose winner or loser plays here.")
    ]
    from_result: Annotated[
        Literal["winner", "loser", ""],
        field_description("Whether the winner or the loser of `from_match` plays here; empty if neither."),
    ]

    @classmethod
    def of(
        cls, side: DrawnSide, score: int | None, start: int, players: Sequence[SeatedPlayer]
    ) -> "MatchSide":
        return cls(
            side=side.side,
            entry=side.entry_public_id or None,
            name=side.name,
            players=[
                # A single player without a name has the number of the entry.
                MatchPlayer(
                    player.public_id if player.listed else None,
                    side.name if len(players) == 1 else player.name,
                )
                for player in players
            ],
            seed=side.seed,
            score=score,
            start=start,
            bye=side.vacant and side.source_kind in EMPTY_LINE_KINDS,
            open_line=side.is_open_line,
            from_match=side.source_number,
            from_result=_RESULT_BY_SOURCE.get(side.source_kind, "") if side.source_number is not None else "",
        )


class Match(Answer, frozen=True):
    """A match with its two sides; their scores are final once the match is confirmed."""

    id: str
    url: Url
    number: int
    round: Annotated[str, field_description("Code of the round.")]
    status: Annotated[
        MatchStatus,
        field_description(
            "`void`: the match will not be played, or its results were cancelled in the table; results that were"
            " played stay rated."
        ),
    ]
    length: int
    table: int | None
    kind: Annotated[str, one_of([*ResultKind, ""]), field_description("Empty until there is a result.")]
    winner: Side | None
    sides: Annotated[list[MatchSide], field_description("a, then b.")]
    version: int

    @classmethod
    def of(cls, match: DrawnMatch, path: str, players: PlayersBySide) -> "Match":
        """Return the response for one match.

        ``path``: the path of the match's page; ``players``: the players of each match and side, from
        `players_of_matches`, at least for this match.
        """
        return Match(
            id=match.public_id,
            url=f"{settings.SITE_URL}{path}",
            number=match.number,
            round=match.round_code,
            status=match.status,
            length=match.length,
            table=match.table,
            kind=match.result_kind,
            winner=match.winner,
            sides=[
                MatchSide.of(side, score, start, players.get((match.pk, side.side), ()))
                for side, score, start in zip(match.sides, match.scores, match.start, strict=True)
            ],
            version=match.version,
        )


def match_list(rows: Iterable[DrawnMatch], players: PlayersBySide | None = None) -> list[Match]:
    """Return the matches as responses, in the order of ``rows``.

    ``players``: the players of each match and side, from `players_of_matches`; loaded here if None.
    """
    rows, path = list(rows), url_builder("public:match")
    players = players_of_matches(rows) if players is None else players
    return [Match.of(row, path(row.public_id), players) for row in rows]


class Adjourned(Answer, frozen=True):
    """The position and score from which an adjourned match resumes.

    Clocks are in seconds; the position ID is from the view of the player on roll.
    """

    score: Annotated[list[int], Meta(min_length=2, max_length=2)]
    cube: int
    cube_owner: Annotated[str, one_of([*Side, ""])]
    position: str
    on_roll: Annotated[str, one_of([*Side, ""])]
    dice: Annotated[list[int], Meta(min_length=2, max_length=2)] | None
    clock_a: int | None
    clock_b: int | None
    resumes_on: Annotated[str, field_description("A date such as 2026-12-03, or empty.")]
    resumes_at: Annotated[str, field_description("A time such as 19:30 in the event's time zone, or empty.")]
    place: str
    note: str

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "Adjourned":
        """Return the response from the JSON that is stored with the match."""
        return cls(**{name: stored[name] for name in cls.__struct_fields__})


class Clock(Answer, frozen=True):
    """A clock that a director started for a match: when, at which score if known, and the times it allows."""

    at: Moment
    score_a: int | None
    score_b: int | None
    delay: Annotated[int, field_description("Seconds per move.")]
    reserve: Annotated[
        int, field_description("Seconds per side, at that score or, if it is not known, at 0-0.")
    ]

    @classmethod
    def of(cls, match: models.Match) -> "Clock | None":
        clock_start = ClockStart.of(match.clock)
        if clock_start is None:
            return None
        rule = clock_rule_for(match.stage.settings.conduct, match.stage.division.team_size)
        return cls(
            at=clock_start.at,
            score_a=clock_start.score.a if clock_start.score is not None else None,
            score_b=clock_start.score.b if clock_start.score is not None else None,
            delay=rule.delay,
            reserve=reserve_seconds(match.length, rule, clock_start.score or NO_START),
        )


class MatchDetail(Match, frozen=True):
    """A match with its event, times, deadline, arrangement, awarded points, clock and adjournment."""

    event: Annotated[str, field_description("ID of the event.")]
    deadline: Annotated[date | None, field_description("The last date for playing it, in a league.")]
    by_arrangement: Annotated[
        bool,
        field_description(
            "Whether the two sides agree on time and place; the match is not queued for a table."
        ),
    ]
    called_at: Moment | None
    started_at: Moment | None
    played_at: Annotated[
        Moment | None,
        field_description(
            "When the first result of a confirmed match was reported; ratings are ordered by this time."
        ),
    ]
    confirmed_at: Moment | None
    awards: list[Award]
    clock: Annotated[
        Clock | None,
        field_description("Null if none was started; the stage's rules apply (`conduct` in the event)."),
    ]
    adjourned: Adjourned | None

    @classmethod
    def about(cls, match: models.Match, row: DrawnMatch) -> "MatchDetail":
        is_adjourned = match.adjourned and may_report(row.status)
        return cls(
            **asdict(Match.of(row, reverse("public:match", args=[row.public_id]), players_of_matches([row]))),
            event=match.stage.division.event.public_id,
            deadline=match.round.deadline,
            by_arrangement=is_arranged(match.stage, row),
            called_at=match.called_at,
            started_at=match.started_at,
            played_at=match.played_at,
            confirmed_at=match.confirmed_at,
            awards=list(awards_from_json(match.awards)),
            clock=Clock.of(match),
            adjourned=Adjourned.of(match.adjourned) if is_adjourned else None,
        )
