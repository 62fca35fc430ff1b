"""Response values of the API that span several packages: draws, clubs, players, points leagues, seasons."""

from datetime import date
from typing import Annotated, Any

from msgspec import convert
from msgspec.structs import asdict

from people import models as people
from people.api.answers import Answer, Moment, MomentText, Url, field_description
from people.selectors import clubs_on_page
from rating.selectors import ratings_of_player
from tournaments import models
from tournaments.engine.lots.committed import DrawKind, DrawReason, SeedSourceKind
from tournaments.engine.lots.randomness import RandomnessKind, ValueOrigin
from tournaments.engine.standings.money import MoneySettings
from tournaments.engine.statuses import EventStatus, StageStatus
from tournaments.selectors import leagues, money
from tournaments.selectors.access.trail import audit_log_size
from tournaments.selectors.events.detail import DivisionView
from tournaments.selectors.lots import draws_document
from tournaments.selectors.matches.detail import players_of_matches
from tournaments.shared.api.draws import StageBracket
from tournaments.shared.api.values import ClubRef, PlayerRef, page_url


class Bracket(Answer, frozen=True):
    """The published draws of an event; unpublished stages are left out."""

    event: str
    version: int
    stages: list[StageBracket]

    @classmethod
    def of(cls, event: models.Event, divisions: tuple[DivisionView, ...]) -> "Bracket":
        drawn_stages = [
            (division, view, view.draw)
            for division in divisions
            for view in division.stages
            if view.draw is not None
        ]
        players = players_of_matches(
            match for _division, _view, draw in drawn_stages for match in draw.matches
        )
        return cls(
            event=event.public_id,
            version=event.version,
            stages=[StageBracket.of(*drawn_stage, players) for drawn_stage in drawn_stages],
        )


class Club(ClubRef, frozen=True):
    """A club; `federation` is the federation that the club belongs to, if any."""

    city: str
    country: str
    website: str
    federation: ClubRef | None

    @classmethod
    def of(cls, club: people.Club) -> "Club":
        return cls(
            **asdict(ClubRef.to(club)),
            city=club.city,
            country=club.country,
            website=club.website,
            federation=ClubRef.to(club.parent) if club.parent is not None and not club.parent.shut else None,
        )


class Player(PlayerRef, frozen=True):
    """A player with a public page."""

    country: str
    club: ClubRef | None

    @classmethod
    def of(cls, player: people.Player) -> "Player":
        return Player(
            id=player.public_id,
            name=player.name,
            url=page_url("public:player", player.public_id),
            country=player.country,
            club=ClubRef.to(player.home_club)
            if player.home_club is not None and not player.home_club.shut
            else None,
        )


class PlayerRating(Answer, frozen=True):
    """The rating and rank of the player on one rating list.

    The rating is not rounded; pages show it rounded.
    """

    list: Annotated[str, field_description("ID of the list.")]
    name: str
    rating: float
    rank: int | None
    matches: int
    experience: int


class PlayerDetail(Player, frozen=True):
    """A player with their current ratings."""

    ratings: list[PlayerRating]

    @classmethod
    def about(cls, player: people.Player) -> "PlayerDetail":
        return cls(
            **asdict(Player.of(player)),
            ratings=[
                PlayerRating(
                    list=rating.list_public_id,
                    name=rating.list_name,
                    rating=rating.rating,
                    rank=rating.rank,
                    matches=rating.matches,
                    experience=rating.experience,
                )
                for rating in ratings_of_player(player.pk, clubs_on_page(player))
            ],
        )


class PointsRow(Answer, frozen=True):
    """An entry's row in the table of a points league.

    Without places, the entry has too few sessions to be ranked.
    """

    entry: str
    name: str
    points: int
    sessions: int
    best: int | None
    first: int | None
    last: int | None


class SessionScore(Answer, frozen=True):
    """Points that an entry won in a session; negative if it lost points."""

    entry: str
    points: int


class Session(Answer, frozen=True):
    """A session of a points league.

    `struck`: it was wrong and does not count; `outside`: points of people outside the league.
    """

    id: str
    number: int
    played_on: date
    struck: bool
    outside: int
    scores: list[SessionScore]


class PointsLeague(Answer, frozen=True):
    """A points league of money play with its table and sessions. Points leagues are not rated."""

    division: str
    stage: str
    status: StageStatus
    settings: MoneySettings
    table: list[PointsRow]
    sessions: list[Session]

    @classmethod
    def of(cls, league: money.PointsLeague, division: DivisionView) -> "PointsLeague":
        entries = {entry.pk: entry for entry in division.entries}
        return cls(
            division=division.division.name,
            stage=league.stage.name,
            status=StageStatus(league.stage.status),
            settings=league.settings,
            table=[
                PointsRow(
                    entry=entries[row.entry].public_id,
                    name=entries[row.entry].name,
                    points=row.points,
                    sessions=row.sessions,
                    best=row.best,
                    first=row.first,
                    last=row.last,
                )
                for row in league.rows
            ],
            sessions=[
                Session(
                    id=session.row.public_id,
                    number=session.row.number,
                    played_on=session.row.played_on,
                    struck=session.is_struck,
                    outside=session.outside,
                    scores=[
                        SessionScore(entries[entry].public_id, points)
                        for entry, points in session.scores.items()
                    ],
                )
                for session in league.sessions
            ],
        )


class Champion(Answer, frozen=True):
    """A division and its winners: several if they share first place, none until the division is decided."""

    division: str
    champions: list[str]


class Season(Answer, frozen=True):
    """A season of a league."""

    id: str
    name: str
    url: Url
    status: EventStatus
    starts_on: date
    ends_on: date
    divisions: list[Champion]

    @classmethod
    def of(cls, champions: leagues.Champions) -> "Season":
        season = champions.event
        return cls(
            id=season.public_id,
            name=season.name,
            url=page_url("public:event", season.public_id),
            status=EventStatus(season.status),
            starts_on=season.starts_on,
            ends_on=season.ends_on,
            divisions=[
                Champion(division, [entry.name for entry in winners])
                for division, winners in champions.winners
            ],
        )


class Lot(Answer, frozen=True):
    """The record of a draw, of the lots for a Swiss round, or of the bracket line of a late entry.

    `secret`, `typed`, `order`, `seed`, `listed` and `outcome` are null until the record is revealed (when the
    draw is published, discarded or replaced).
    """

    number: Annotated[int, field_description("Number in the stage.")]
    what: DrawKind
    round: int | None
    by: Annotated[
        SeedSourceKind,
        field_description(
            "Source of the randomness. `public`: the secret and public randomness; `dice` convince only those who"
            " watched; `typed` and `hand` prove nothing by themselves."
        ),
    ]
    why: Annotated[DrawReason, field_description("Why the draw was repeated.")]
    at: MomentText
    shown: bool
    promise: Annotated[
        str,
        field_description(
            "SHA-256 of the secret, published since `promised_at`; empty without a commitment."
        ),
    ]
    promised_at: MomentText | None
    publicity: Annotated[
        str,
        field_description(
            "`public`: anyone could read the commitment before the draw (pages mark the draw if that was for less than"
            " 10 minutes); `private`: not everyone could; empty if not recorded, or without a commitment."
        ),
    ]
    public_since: MomentText | None
    randomness: Annotated[
        int | None,
        field_description(
            "Number of the public randomness named for this draw; unless `by` is `public`, it was not used."
        ),
    ]
    list_hash: Annotated[str, field_description("SHA-256 of the frozen list as canonical JSON.")]
    secret: str | None
    typed: Annotated[
        str | None, field_description("The dice rolls, the public number, or the seed that was entered.")
    ]
    order: Annotated[list[int] | None, field_description("Entry numbers in the order of a manual draw.")]
    seed: str | None
    listed: Annotated[
        dict[str, Any] | None,
        field_description("The list that was drawn: numbers, seeds and marks, no names."),
    ]
    outcome: Annotated[dict[str, Any] | None, field_description("The result of list and seed.")]


class Randomness(Answer, frozen=True):
    """Public randomness chosen for a draw: a number that did not exist when it was chosen."""

    number: Annotated[int, field_description("Number in the stage.")]
    promise: Annotated[str, field_description("Commitment to the secret that it is combined with.")]
    list_hash: Annotated[str, field_description("SHA-256 of the closed list.")]
    source: RandomnessKind
    network: Annotated[str, field_description("Chain hash of the drand network; empty for a lottery.")]
    round: Annotated[int | None, field_description("Round of the drand network.")]
    label: Annotated[str, field_description("Which lottery number it is.")]
    due_at: MomentText
    promised_at: MomentText
    named_at: MomentText
    commitment: Annotated[
        str,
        field_description(
            "SHA-256 of `stage`, `promise`, `list_hash`, `source`, `network`, `round`, `label` and `due_at` as canonical JSON."
        ),
    ]
    value: Annotated[str, field_description("The number; empty until it is fetched or entered.")]
    signature: Annotated[str, field_description("Signature of the drand round; empty if not given.")]
    previous_signature: str
    origin: Annotated[ValueOrigin, field_description("How the number was obtained.")]
    read_from: Annotated[str, field_description("Where the number was read.")]
    value_at: MomentText | None


class AuditProof(Answer, frozen=True):
    """A row of the audit log that states commitments.

    It has everything that its hash (`link`) is calculated from, except who did it.
    """

    at: MomentText
    action: str
    subject: list[str | int | None]
    actor: Annotated[str, field_description("A digest.")]
    label: Annotated[str, field_description("A digest.")]
    data: dict[str, Any]
    salts: dict[str, str]
    erased: dict[str, str]
    before: Annotated[str, field_description("`link` of the previous row.")]
    link: str


class StageLots(Answer, frozen=True):
    """The records of a stage's draws, and the commitment for its next draw."""

    stage: int
    promise: Annotated[str, field_description("Empty if the stage was removed.")]
    promised_at: MomentText | None
    randomness: list[Randomness]
    draws: list[Lot]


class EventLots(Answer, frozen=True):
    """The records of an event's draws, in the format of `tools/verify_draw.py`.

    `digest` is the SHA-256 of the rest as canonical JSON.
    """

    v: int
    kind: str
    event: str
    stages: list[StageLots]
    audit: list[AuditProof]
    digest: str

    @classmethod
    def of(cls, event: models.Event) -> "EventLots":
        return convert(draws_document(event), cls)


class TrailHead(Answer, frozen=True):
    """The head of an event's audit log: a hash over all its rows, and their number."""

    event: str
    version: Annotated[int, field_description("Of the event.")]
    head: Annotated[
        str,
        field_description(
            "SHA-256 of the last row and all rows before it; empty if the chain has not begun."
        ),
    ]
    rows: int
    last_at: Moment | None

    @classmethod
    def of(cls, event: models.Event) -> "TrailHead":
        rows, last = audit_log_size(event)
        return cls(event.public_id, event.version, event.trail_head, rows, last)
