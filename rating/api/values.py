"""Responses of the ratings API. Ratings and points are exact; pages show them rounded."""

from typing import Annotated, Any

from people.api.answers import Answer, Moment, field_description, one_of
from rating.formulas import SYSTEMS
from rating.formulas.places import PlacePay
from rating.formulas.ranking import Members, Unranked
from rating.models import RatingList as ListRow
from rating.selectors import ChangeExplanation, LeaderRow, PlayerRating, SideChange, WhatIf
from rating.selectors.players import HistoryRow
from rating.selectors.preview import Outcome as OutcomeOf
from rating.web.explain import working_steps

Reasons = Annotated[list[Unranked], field_description("Why the player has no rank; empty if they have one.")]


class RatingList(Answer, frozen=True):
    """A rating list of a club; `parameters` are the settings of its rating system."""

    id: str
    name: str
    club: Annotated[str, field_description("ID of the club.")]
    club_name: str
    system: Annotated[str, one_of(list(SYSTEMS))]
    parameters: dict[str, Any]
    start: Annotated[float, field_description("Rating of a new player.")]
    shortest: Annotated[int, field_description("Shorter matches do not count.")]
    longest: int
    minimum_matches: Annotated[int, field_description("Players with fewer matches have no rank.")]
    provisional_below: Annotated[int, field_description("A rating with less experience is provisional.")]
    minimum_experience: Annotated[int, field_description("Players with less experience have no rank.")]
    active_months: Annotated[
        int, field_description("Players whose last match is longer ago have no rank; 0 for no limit.")
    ]
    members: Annotated[
        Members,
        field_description(
            "Who is ranked: `federation` for players whose home club is this club or a member club; `club` for those"
            " of this club; empty for everyone."
        ),
    ]
    provisional_apart: Annotated[
        bool, field_description("Whether players with provisional ratings have no rank.")
    ]
    version: Annotated[int, field_description("Increases with every change of the list.")]

    @classmethod
    def of(cls, row: ListRow) -> "RatingList":
        return cls(
            id=row.public_id,
            name=row.name,
            club=row.club.public_id,
            club_name=row.club.name,
            system=row.system,
            parameters=row.parameters,
            start=row.start,
            shortest=row.shortest,
            longest=row.longest,
            minimum_matches=row.minimum_matches,
            provisional_below=row.provisional_below,
            minimum_experience=row.minimum_experience,
            active_months=row.active_months,
            members=Members(row.members),
            provisional_apart=row.provisional_apart,
            version=row.version,
        )


class Leader(Answer, frozen=True):
    """A player on a rating list."""

    rank: int | None
    player: Annotated[str, field_description("ID of the player.")]
    name: str
    club: Annotated[str, field_description("Name of the home club; empty if none.")]
    country: str
    rating: float
    deviation: float | None
    experience: int
    matches: int
    wins: int
    provisional: bool
    why: Reasons
    last_played: Moment

    @classmethod
    def of(cls, row: LeaderRow) -> "Leader":
        return cls(
            rank=row.rank,
            player=row.player.public_id,
            name=row.player.name,
            club=row.club,
            country=row.country,
            rating=row.rating,
            deviation=row.deviation,
            experience=row.experience,
            matches=row.matches,
            wins=row.wins,
            provisional=row.provisional,
            why=list(row.why),
            last_played=row.last_played,
        )


class Standing(Answer, frozen=True):
    """The rating and rank of a player on a rating list."""

    list: str
    rating: float
    rank: int | None
    ranked_of: Annotated[int, field_description("Number of ranked players.")]
    experience: int
    matches: int
    wins: int
    provisional: bool
    why: Reasons
    deviation: float | None
    last_played: Moment

    @classmethod
    def of(cls, row: PlayerRating) -> "Standing":
        return cls(
            list=row.list_public_id,
            rating=row.rating,
            rank=row.rank,
            ranked_of=row.ranked_of,
            experience=row.experience,
            matches=row.matches,
            wins=row.wins,
            provisional=row.provisional,
            why=list(row.why),
            deviation=row.deviation,
            last_played=row.last_played,
        )


class HistoryStep(Answer, frozen=True):
    """One step in a player's rating history: a match, a final place or an opening rating."""

    ledger_number: Annotated[int, field_description("Number of the change, for getting its calculation.")]
    played_at: Moment
    won: Annotated[int | None, field_description("1 won, 0 lost; null if not a match.")]
    opponent: Annotated[
        str, field_description("ID; empty if the opponent has no public page or there is none.")
    ]
    opponent_name: str
    length: int
    place: Annotated[int, field_description("A final place among `field` players; 0 for a match.")]
    field: int
    event: str
    rating_after: float

    @classmethod
    def of(cls, row: HistoryRow) -> "HistoryStep":
        return cls(
            ledger_number=row.fact_number,
            played_at=row.at,
            won=row.won,
            opponent=row.opponent.public_id if row.opponent is not None else "",
            opponent_name=row.opponent.name if row.opponent is not None else "",
            length=row.length,
            place=row.place,
            field=row.field,
            event=row.event,
            rating_after=row.after,
        )


class ChangeSide(Answer, frozen=True):
    """What a rating change did to one of the two players."""

    player: str
    name: str
    before: float
    after: float
    change: float
    experience: int

    @classmethod
    def of(cls, side: SideChange | None) -> "ChangeSide | None":
        if side is None:
            return None
        player = side.player
        return cls(player.public_id, player.name, side.before, side.after, side.delta, side.experience)


class WorkingStep(Answer, frozen=True):
    """One step of the calculation of a rating change, as worded on the page."""

    what: str
    value: str
    text: str


class Change(Answer, frozen=True):
    """A rating change with its calculation."""

    ledger_number: int
    played_at: Moment
    length: int
    taken_back: bool
    winner: ChangeSide | None
    loser: ChangeSide | None
    expected: Annotated[float | None, field_description("Winning chance of the winner before the match.")]
    steps: list[WorkingStep]

    @classmethod
    def of(cls, explanation: ChangeExplanation) -> "Change":
        return cls(
            ledger_number=explanation.fact.pk,
            played_at=explanation.fact.played_at,
            length=explanation.fact.length,
            taken_back=explanation.taken_back is not None,
            winner=ChangeSide.of(explanation.change.winner if explanation.change else None),
            loser=ChangeSide.of(explanation.change.loser if explanation.change else None),
            expected=explanation.working.expected if explanation.working else None,
            steps=[
                WorkingStep(step.label, step.value, step.full_text) for step in working_steps(explanation)
            ],
        )


class Outcome(Answer, frozen=True):
    """By how much the ratings of the first and the second player would change."""

    first: float
    second: float

    @classmethod
    def of(cls, outcome: OutcomeOf | None) -> "Outcome | None":
        return cls(outcome.first, outcome.second) if outcome is not None else None


class AtStake(Answer, frozen=True):
    """What a match between two players would change.

    Outcomes are null on lists whose ratings change only at the end of a rating period.
    """

    first_rating: float
    second_rating: float
    length: int
    chance: Annotated[float | None, field_description("Winning chance of the first player.")]
    first_wins: Outcome | None
    second_wins: Outcome | None
    places: Annotated[
        list[PlacePay], field_description("Master points for places if `field` is given; otherwise empty.")
    ]

    @classmethod
    def of(cls, match: WhatIf, places: list[PlacePay]) -> "AtStake":
        return cls(
            first_rating=match.first_rating,
            second_rating=match.second_rating,
            length=match.length,
            chance=match.chance,
            first_wins=Outcome.of(match.first_wins),
            second_wins=Outcome.of(match.second_wins),
            places=places,
        )
