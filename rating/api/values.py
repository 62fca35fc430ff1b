"""What the API tells of ratings. Ratings and points are told as they were computed; pages show them rounded."""

from typing import Annotated, Any

from people.api.answers import Answer, Moment, one_of, says
from rating.formulas import SYSTEMS
from rating.formulas.places import PlacePay
from rating.formulas.ranking import Members, Unranked
from rating.models import RatingList as ListRow
from rating.selectors import LeaderRow, PlayerRating, SideChange, WhatIf, Why
from rating.selectors.players import HistoryRow
from rating.selectors.preview import Outcome as OutcomeOf
from rating.web.explain import reasons

Reasons = Annotated[list[Unranked], says("Why there is no rank; empty with one.")]


class RatingList(Answer, frozen=True):
    """A rating list of a club; `parameters` are those of its system."""

    id: str
    name: str
    club: Annotated[str, says("Id of the club.")]
    club_name: str
    system: Annotated[str, one_of(list(SYSTEMS))]
    parameters: dict[str, Any]
    start: Annotated[float, says("What a newcomer begins with.")]
    shortest: Annotated[int, says("Matches to fewer points do not count.")]
    longest: int
    minimum_matches: Annotated[int, says("Who has played fewer has no rank.")]
    provisional_below: Annotated[int, says("A rating with less experience is provisional.")]
    minimum_experience: Annotated[int, says("Who has less has no rank.")]
    active_months: Annotated[int, says("Whose last match is longer ago has no rank; 0: no matter.")]
    members: Annotated[
        Members,
        says(
            "Who alone is ranked: `federation`, at home in the club or a member club; `club`; empty: anybody."
        ),
    ]
    provisional_apart: Annotated[bool, says("Whether provisional ratings have no rank.")]
    version: Annotated[int, says("Rises with every change of the list.")]

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
    """A player on a list."""

    rank: int | None
    player: Annotated[str, says("Id of the player.")]
    name: str
    club: Annotated[str, says("Name of the home club, empty without one.")]
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
    """Where a player stands on a list."""

    list: str
    rating: float
    rank: int | None
    ranked_of: Annotated[int, says("How many have a rank.")]
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
    """One step of a player's way: a match, a place, or an opening rating."""

    ledger_number: Annotated[int, says("Names the change whose working can be asked for.")]
    played_at: Moment
    won: Annotated[int | None, says("1 won, 0 lost; null: no match.")]
    opponent: Annotated[str, says("Id; empty for somebody without a public page, and where there is none.")]
    opponent_name: str
    length: int
    place: Annotated[int, says("A final place among `field` players; 0 for a match.")]
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
    """One side of a change."""

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
    """One step of the working, in the words of the page."""

    what: str
    value: str
    text: str


class Change(Answer, frozen=True):
    """A change with its working."""

    ledger_number: int
    played_at: Moment
    length: int
    taken_back: bool
    winner: ChangeSide | None
    loser: ChangeSide | None
    expected: Annotated[float | None, says("Chance of the winner before the match.")]
    steps: list[WorkingStep]

    @classmethod
    def of(cls, seen: Why) -> "Change":
        return cls(
            ledger_number=seen.fact.pk,
            played_at=seen.fact.played_at,
            length=seen.fact.length,
            taken_back=seen.taken_back is not None,
            winner=ChangeSide.of(seen.change.winner if seen.change else None),
            loser=ChangeSide.of(seen.change.loser if seen.change else None),
            expected=seen.working.expected if seen.working else None,
            steps=[WorkingStep(step.label, step.value, step.full_text) for step in reasons(seen)],
        )


class Outcome(Answer, frozen=True):
    """What one result would change."""

    first: float
    second: float

    @classmethod
    def of(cls, outcome: OutcomeOf | None) -> "Outcome | None":
        return cls(outcome.first, outcome.second) if outcome is not None else None


class AtStake(Answer, frozen=True):
    """What a match between two players would change. Outcomes are null on lists that change at the close of a period."""

    first_rating: float
    second_rating: float
    length: int
    chance: Annotated[float | None, says("Of the first player.")]
    first_wins: Outcome | None
    second_wins: Outcome | None
    places: Annotated[list[PlacePay], says("Of master points with `field`; empty otherwise.")]

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
