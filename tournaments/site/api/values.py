"""What the API tells of many rooms at once: draws of an event, clubs, players, points leagues, seasons."""

from datetime import date
from typing import Annotated, Any

from msgspec import convert
from msgspec.structs import asdict

from people import models as people
from people.api.answers import Answer, Moment, Url, WrittenMoment, says
from people.selectors import clubs_on_page
from rating.selectors import ratings_of_player
from tournaments import models
from tournaments.engine.lots.committed import By, What, Why
from tournaments.engine.lots.randomness import Kind, Origin
from tournaments.engine.standings.money import MoneySettings
from tournaments.engine.statuses import EventStatus, StageStatus
from tournaments.selectors import leagues, money
from tournaments.selectors.access.trail import trail_size
from tournaments.selectors.events.detail import DivisionView
from tournaments.selectors.lots import draws_document
from tournaments.selectors.matches.detail import players_of_matches
from tournaments.shared.api.draws import StageBracket
from tournaments.shared.api.values import ClubRef, PlayerRef, page_url


class Bracket(Answer, frozen=True):
    """The published draws of an event; a stage that is not published is left out."""

    event: str
    version: int
    stages: list[StageBracket]

    @classmethod
    def of(cls, event: models.Event, divisions: tuple[DivisionView, ...]) -> "Bracket":
        drawn = [
            (division, view, view.draw)
            for division in divisions
            for view in division.stages
            if view.draw is not None
        ]
        players = players_of_matches(match for _division, _view, draw in drawn for match in draw.matches)
        return cls(
            event=event.public_id,
            version=event.version,
            stages=[StageBracket.of(*one, players) for one in drawn],
        )


class Club(ClubRef, frozen=True):
    """A club; `federation` is the club it belongs to."""

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
    """Where the player stands on one list. The rating is told as it was computed; pages show it rounded."""

    list: Annotated[str, says("Id of the list.")]
    name: str
    rating: float
    rank: int | None
    matches: int
    experience: int


class PlayerDetail(Player, frozen=True):
    """A player with the ratings of today."""

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
    """A line of the table; without places the entry has come too seldom to be ranked."""

    entry: str
    name: str
    points: int
    sessions: int
    best: int | None
    first: int | None
    last: int | None


class SessionScore(Answer, frozen=True):
    """What an entry won in a session; below zero: lost."""

    entry: str
    points: int


class Session(Answer, frozen=True):
    """A session. `struck`: it was wrong and counts for nothing; `outside`: points of people outside the league."""

    id: str
    number: int
    played_on: date
    struck: bool
    outside: int
    scores: list[SessionScore]


class PointsLeague(Answer, frozen=True):
    """A points league of money play. It is not rated."""

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
                    struck=session.struck,
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
    """A division and who won it: several who share the first place, nobody before it is decided."""

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
                Champion(division, [entry.name for entry in won]) for division, won in champions.winners
            ],
        )


class Lot(Answer, frozen=True):
    """A draw that was made, or the lots of a round, or the place of a late entry.

    Until it is shown (when the draw is published, thrown away or replaced) `secret`, `typed`, `order`, `seed`, `listed` and
    `outcome` are null.
    """

    number: Annotated[int, says("Counts through the stage.")]
    what: What
    round: int | None
    by: Annotated[
        By,
        says(
            "Whose chance it was; `public`: the secret and public randomness; `dice` convince only those who watched; `typed` and `hand` prove nothing by themselves."
        ),
    ]
    why: Annotated[Why, says("Why it was made again.")]
    at: WrittenMoment
    shown: bool
    promise: Annotated[str, says("SHA-256 of the secret, published since `promised_at`; empty without one.")]
    promised_at: WrittenMoment | None
    publicity: Annotated[
        str,
        says(
            "`public`: anyone could read the commitment before the draw; `private`: not anyone; empty: not recorded, or none."
        ),
    ]
    public_since: WrittenMoment | None
    randomness: Annotated[
        int | None,
        says(
            "Number of the public randomness that was named for it; unless `by` is `public`, it was passed over."
        ),
    ]
    list_hash: Annotated[str, says("SHA-256 of the frozen list as canonical JSON.")]
    secret: str | None
    typed: Annotated[
        str | None, says("The rolls of the dice, the public number, or the seed that was typed in.")
    ]
    order: Annotated[list[int] | None, says("Entries by number, as they were drawn by hand.")]
    seed: str | None
    listed: Annotated[dict[str, Any] | None, says("What it fell among: numbers, seeds and marks, no names.")]
    outcome: Annotated[dict[str, Any] | None, says("What followed from list and seed.")]


class Randomness(Answer, frozen=True):
    """Public randomness that was named for a draw: a number that did not exist then."""

    number: Annotated[int, says("Counts through the stage.")]
    promise: Annotated[str, says("Commitment to the secret that it is mixed with.")]
    list_hash: Annotated[str, says("SHA-256 of the closed list.")]
    source: Kind
    network: Annotated[str, says("Chain hash of the drand network; empty for a lottery.")]
    round: Annotated[int | None, says("Of the drand network.")]
    label: Annotated[str, says("Which lottery number it is.")]
    due_at: WrittenMoment
    promised_at: WrittenMoment
    named_at: WrittenMoment
    commitment: Annotated[
        str,
        says(
            "SHA-256 of `stage`, `promise`, `list_hash`, `source`, `network`, `round`, `label` and `due_at` as canonical JSON."
        ),
    ]
    value: Annotated[str, says("The number; empty until it is fetched or typed.")]
    signature: Annotated[str, says("Of the drand round; empty where it was not given.")]
    previous_signature: str
    origin: Annotated[Origin, says("How the number came here.")]
    read_from: Annotated[str, says("Where it was read.")]
    value_at: WrittenMoment | None


class AuditProof(Answer, frozen=True):
    """A row of the audit log that states commitments, with all that its hash (`link`) is worked out from, but not who did it."""

    at: WrittenMoment
    action: str
    subject: list[str | int | None]
    actor: Annotated[str, says("A digest.")]
    label: Annotated[str, says("A digest.")]
    data: dict[str, Any]
    salts: dict[str, str]
    erased: dict[str, str]
    before: Annotated[str, says("`link` of the row before it.")]
    link: str


class StageLots(Answer, frozen=True):
    """The draws of a stage, and the promise of its next one."""

    stage: int
    promise: Annotated[str, says("Empty where the stage was taken away.")]
    promised_at: WrittenMoment | None
    randomness: list[Randomness]
    draws: list[Lot]


class EventLots(Answer, frozen=True):
    """The draws of an event as `tools/verify_draw.py` reads them; `digest` is SHA-256 of the rest as canonical JSON."""

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
    """The head of an event's audit trail."""

    event: str
    version: Annotated[int, says("Of the event.")]
    head: Annotated[
        str, says("SHA-256 of the last row and all before it; empty where the chain has not begun.")
    ]
    rows: int
    last_at: Moment | None

    @classmethod
    def of(cls, event: models.Event) -> "TrailHead":
        rows, last = trail_size(event)
        return cls(event.public_id, event.version, event.trail_head, rows, last)
