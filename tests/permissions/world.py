"""A small world with something to hide in every corner, and everybody who might come and look.

Club A runs a public event (with a dispute, notes and an objection), a finished and rated one, an unlisted one and a
draft; some of its players are private. Club B has as much to hide from A.
"""

import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any

from django.db.models import Q
from django.test import Client
from django.utils import timezone

from games.models import HeldRecord, RecordImport
from games.records.registry import write_record
from games.rules.formats import MatchFormat
from games.services.held import hold_record
from games.services.imports import process_import, start_import
from people.actors import Actor
from people.models import AuditEntry, Club, Membership, Player, Role, User
from people.services.accounts import suspend_account
from people.services.clubs import leave_club
from people.services.federations import join_federation
from people.services.invitations import accept_invitation, invite
from people.services.players import create_player, update_player
from rating.models import Fact, OfficialRow, TableImport
from rating.models.imports import Step
from rating.selectors import club_lists
from rating.selectors.official import list_zone
from rating.services import update_list_ratings
from rating.services.official import make_official
from tests.factories import Tournament, a_club, a_director, a_user, an_event
from tests.support.consents import everybody_agrees
from tests.support.door import sign_in, with_second_factor
from tests.support.leagues import DAY, League, Points, a_league
from tests.support.random_matches import random_match
from tournaments.engine.statuses import EventAction
from tournaments.engine.types import Side
from tournaments.entries.services.entries import NewEntry, add_entries
from tournaments.entries.services.links import renew_entry_link
from tournaments.entries.services.merge_players import merge_players
from tournaments.entries.services.registration import register_self
from tournaments.events.services.events import change_event_status, set_registration
from tournaments.matches.services.objections import object_to_result
from tournaments.matches.services.records import Upload, read_evidence
from tournaments.models import ClubTemplate, Entry, Match, Notice, Report, Series
from tournaments.models.trail import audit_scope
from tournaments.money_play.services.sessions import open_points_league, strike_session
from tournaments.notices.services.announcing import announce
from tournaments.selectors.access.links import entry_token, join_token
from tournaments.series.services.series import create_series, set_event_series
from tournaments.series.services.templates import save_template
from tournaments.site.services.forgetting import erase_player

# Those whom nothing but their own role tells from a stranger come after them.
VISITORS = (
    *("nobody", "stranger", "other", "director", "owner", "assistant", "reader", "former", "player"),
    *("former player", "suspended"),
)
LIKE_STRANGERS = ("stranger", "assistant", "reader", "former", "player", "former player")
LIKE_NOBODY = ("nobody", "suspended")
_AT_DESK = {"note", "objection"}
_READ = {"unlisted event", "unlisted event's id"}


@dataclass
class Nook:
    """One club with its events, its people and its secrets."""

    club: Club
    owner: User
    director: User
    running: Tournament
    finished: Tournament
    unlisted: Tournament
    draft: Tournament
    open: Tournament
    points: Points
    league: League
    disputed: Match
    reported: Match
    objected: Match
    recorded: Match
    private: Player
    quiet: Player
    merged: Player
    batch: RecordImport
    table: TableImport
    series: Series
    hidden_series: Series
    template: ClubTemplate
    invited: Any = None
    secrets: dict[str, str] = field(default_factory=dict)

    @property
    def notice(self) -> Notice:
        """What is announced in the running event."""
        return Notice.objects.get(event=self.running.event)

    @property
    def list(self) -> Any:
        return club_lists(self.club.pk)[0]

    @property
    def fact(self) -> Fact:
        """A rated result between two public players."""
        facts = Fact.objects.filter(club=self.club, event_name=self.finished.event.name)
        return facts.filter(winner__listed=True, loser__listed=True).first()

    @property
    def quiet_fact(self) -> Fact:
        """A rated result of a player who wants no page."""
        return Fact.objects.filter(Q(winner=self.quiet) | Q(loser=self.quiet), club=self.club).first()

    @property
    def backroom_fact(self) -> Fact:
        """A rated result of the unlisted event, which the ledger does not name."""
        return Fact.objects.get(club=self.club, event_name="")

    @property
    def public_player(self) -> Player:
        return self.fact.winner

    @property
    def merge(self) -> AuditEntry:
        return AuditEntry.objects.get(club=self.club, action="player.merge")

    def token(self, side: Side | str, match: Match | None = None) -> str:
        match = match or self.disputed
        return entry_token(self.running.entry_at(match, side))

    @property
    def someone_elses_token(self) -> str:
        """The link of a player of another match of the same event."""
        return self.token(Side.A, self.reported)


@dataclass
class World:
    """Both clubs, a federation above A, and a browser for everybody."""

    a: Nook
    b: Nook
    federation: Club
    revoked: str
    held: HeldRecord
    clients: Mapping[str, Client]
    staff: Client
    own: frozenset[str] = frozenset()  # the secrets of the player who has an account

    def must_not_read(self, visitor: str) -> list[tuple[str, str]]:
        """What this visitor must never read, whatever page they open."""
        if visitor in {"assistant", "reader"}:
            known = _AT_DESK if visitor == "assistant" else _READ
            own = [secret for secret in self.a.secrets.items() if secret[0] not in known]
            return [*own, *self.b.secrets.items()]
        if visitor == "player":
            return [secret for secret in self.b.secrets.items() if secret[0] not in self.own] + [
                secret for secret in self.a.secrets.items() if secret[0] not in self.own
            ]
        hiding = {"other": [self.a], "director": [self.b], "owner": [self.b]}.get(visitor, [self.a, self.b])
        return [secret for nook in hiding for secret in nook.secrets.items()]


def build_world() -> World:
    a, b = _nook("A"), _nook("B")
    boss = a_user("Fred Federation")
    federation = a_club(boss, "Federation of Points")
    Membership.objects.create(user=a.owner, club=federation, role=Role.OWNER)
    join_federation(actor=Actor.of(a.owner), club_id=a.club.pk, parent_id=federation.pk)
    for nook in (a, b):
        for rating_list in club_lists(nook.club.pk):
            update_list_ratings(rating_list.pk)
    _official_list(a)
    holder = a.running.entry_at(a.disputed, Side.A)
    revoked = entry_token(holder)
    renew_entry_link(actor=a.running.actor, event_id=a.running.event.pk, entry_id=holder.pk)
    for nook in (a, b):
        nook.secrets |= _tokens(nook)
    stranger = a_user("Sam Stranger")
    users = {"stranger": stranger, "other": b.director, "director": a.director, "owner": a.owner}
    users |= _helpers(a)
    users["player"], users["former player"] = _players(a)
    clients = {"nobody": Client(), **{name: _signed_in(user) for name, user in users.items()}}
    clients["suspended"] = _suspended(a)
    staff = a_user("Rita Root", is_staff=True, is_superuser=True)
    with_second_factor(staff)
    held = hold_record(content=a_record("Ada", "Bo"), filename="held.mat", purpose="somebody's form")
    entered = Entry.objects.filter(entry_players__player__user=users["player"])
    own = {f"link of {entry.pk}" for entry in entered} | {"unlisted event", "unlisted event's id"}
    return World(a, b, federation, revoked, held, clients, _signed_in(staff), frozenset(own))


def _official_list(a: Nook) -> None:
    """An official list of A, with somebody who wants no page since."""
    today = timezone.now().astimezone(list_zone(a.list)).date()
    official = make_official(actor=Actor.program(), list_id=a.list.pk, day=today, note="To try it")
    OfficialRow.objects.bulk_create(
        OfficialRow(
            official=official,
            player=player,
            position=position,
            rank=position,
            rating=1500.0,
            experience=5,
            matches=1,
            provisional=True,
        )
        for position, player in enumerate((a.quiet, a.public_player), 1)
    )


def _helpers(a: Nook) -> dict[str, User]:
    """Who helps with A's running event, who reads A's unlisted ones, and a former director of A, who has left."""
    made = {name: a_user(f"Hella {name.title()}") for name in ("assistant", "reader", "former")}
    inviter = {"actor": Actor.of(a.owner), "club_id": a.club.pk}
    for name, role in (("assistant", "assistant"), ("reader", "reader"), ("former", "director")):
        scopes = [audit_scope(a.running.event)] if role == "assistant" else []
        accept_invitation(user=made[name], token=invite(**inviter, role=role, scopes=scopes).token)
    leave_club(actor=Actor.of(made["former"]), club_id=a.club.pk)
    a.invited = invite(**inviter, role="director", email="maybe@example.org")
    return made


def _players(a: Nook) -> tuple[User, User]:
    """Somebody who plays at A and has an account, and somebody whose player was erased."""
    player, former = a_user("Petra Player"), a_user("Fay Former")
    Player.objects.filter(pk=a.public_player.pk).update(user=player)
    gone = create_player(actor=Actor.of(a.director), club=a.club, name="Fay Former")
    Player.objects.filter(pk=gone.pk).update(user=former)
    erase_player(actor=Actor.program(), player_id=gone.pk)
    return player, former


class Worn(Client):
    """A browser that comes again and again with the cookies it had, whatever it was told."""

    worn: Mapping[str, str] = {}

    def request(self, **request: Any) -> Any:
        self.cookies.clear()
        self.cookies.load(dict(self.worn))
        return super().request(**request)


def _suspended(a: Nook) -> Client:
    """An owner of A who was signed in when an operator suspended the account."""
    user = a_user("Susi Suspended")
    Membership.objects.create(user=user, club=a.club, role=Role.OWNER)
    client = Worn()
    client.force_login(user)
    client.worn = {name: morsel.value for name, morsel in client.cookies.items()}
    suspend_account(actor=Actor.program(), email=user.email, reason="invented results")
    return client


def _signed_in(user: User) -> Client:
    client = Client()
    sign_in(client, user)
    return client


def _series(club: Club, director: User, name: str, *evenings: Tournament) -> Series:
    actor = Actor.of(director)
    series = create_series(actor=actor, club_id=club.pk, name=name)
    for tournament in evenings:
        set_event_series(actor=actor, event_id=tournament.event.pk, series_id=series.pk)
    return series


def _nook(mark: str) -> Nook:
    owner = a_user(f"Olga Owner {mark}")
    club = a_club(owner, f"Club {mark}")
    director = a_director(club, f"Dora Director {mark}")

    def tournament(name: str, *more: str, entries: int = 4, **changes: Any) -> Tournament:
        made = an_event(club=club, director=director, name=f"{name} {mark}", lengths=[5], **changes)
        names = [
            f"{mark}nn",
            f"{mark}ob",
            f"{mark}leo",
            f"{mark}an",
            f"{mark}va",
            f"{mark}inn",
            f"{mark}il",
            f"{mark}ana",
        ]
        _enter(made, [*names[:entries], *more])
        return made

    finished = tournament("Rated Night", f"Quentin Quiet {mark}").publish().play_out()
    running = tournament("Open Night", entries=8).publish()
    disputed, reported, objected, recorded = running.playable()
    notes = {"note": f"Zwischenruf-{mark}-note", "objection": f"Zwischenruf-{mark}-objection"}
    announce(actor=running.actor, event_id=running.event.pk, text="Coffee is ready")
    running.says(disputed, Side.A, 5, 3, note=notes["note"])
    running.says(disputed, Side.B, 3, 5, note=notes["note"])
    _hands_in_record(running, reported, note=notes["note"])
    everybody_agrees(running.event)
    _hands_in_record(running, recorded, confirmed=True)
    running.settle(objected, Side.A, 2)
    loser = running.entry_at(objected, Side.B)
    object_to_result(
        actor=Actor.with_label(f"link: {loser.name}"),
        match_id=objected.pk,
        entry=loser,
        text=notes["objection"],
    )
    unlisted = tournament("Backroom Supper", f"Priya Private {mark}", visibility="unlisted").publish()
    unlisted.settle(unlisted.playable()[0], Side.A, 3)
    draft = tournament("Planned Surprise", f"Priya Private {mark}")
    opened = tournament("Coming Night", entries=2)
    change_event_status(actor=opened.actor, event_id=opened.event.pk, action=EventAction.OPEN)
    set_registration(actor=opened.actor, event_id=opened.event.pk, is_open=True)
    listed = Player.objects.filter(entries__division__event=running.event, listed=True)
    known = listed.exclude(entries__division__event=opened.event).earliest("pk")
    register_self(
        actor=Actor.with_label("phone"), token=join_token(opened.fresh()), entry=NewEntry(player_id=known.pk)
    )
    opened.fresh()
    points = _points_league(tournament)
    league = a_league("kl", "mn", club=club, director=director, by_arrangement=True).play_out()
    private, quiet = (
        Player.objects.get(name=f"{name} {mark}") for name in ("Priya Private", "Quentin Quiet")
    )
    for player in (private, quiet):
        update_player(
            actor=Actor.of(director), club_id=club.pk, player_id=player.pk, name=player.name, listed=False
        )
    merged = _merge(club, director, mark)
    batch = _import(club, director, mark)
    nook = Nook(
        club=club,
        owner=owner,
        director=director,
        running=running,
        finished=finished,
        unlisted=unlisted,
        draft=draft,
        open=opened,
        points=points,
        league=league,
        disputed=disputed,
        reported=reported,
        objected=objected,
        recorded=recorded,
        private=private,
        quiet=quiet,
        merged=merged,
        batch=batch,
        table=TableImport.objects.create(club=club, state=Step.DONE, filename=f"Ledger-{mark}.csv"),
        series=_series(club, director, f"Nights {mark}", finished, unlisted),
        hidden_series=_series(club, director, f"Heimlich {mark}", draft),
        template=save_template(actor=Actor.of(director), event_id=draft.event.pk, name=f"Geheimplan {mark}"),
    )
    for match in (disputed, reported, objected, recorded):
        match.refresh_from_db()
    nook.secrets = {
        "series of drafts": f"Heimlich {mark}",
        "template": f"Geheimplan {mark}",
        "owner's address": owner.email,
        "director's address": director.email,
        "note": notes["note"],
        "objection": notes["objection"],
        "unlisted event": unlisted.event.name,
        "unlisted event's id": unlisted.event.public_id,
        "draft": draft.event.name,
        "draft's id": draft.event.public_id,
        "private player": private.name,
        "private player's id": private.public_id,
        "quiet player": quiet.name,
        "quiet player's id": quiet.public_id,
        "merged duplicate": merged.name,
        "import": batch.filename,
        "table": nook.table.filename,
    }
    return nook


def _points_league(tournament: Callable[..., Tournament]) -> Points:
    """Money play for points: one session counts, one is struck out."""
    made = tournament("Points Season", system="money", starts_on=DAY, ends_on=DAY + timedelta(days=60))
    league = Points(made.event, made.director)
    open_points_league(**league.where)
    first, second, *_others = (entry.name for entry in made.division.entries.order_by("pk"))
    league.session(**{first: 8, second: -8})
    wrong = league.session(**{first: 1, second: -1})
    strike_session(**league.where, session_id=wrong.pk)
    league.fresh()
    return league


def _enter(tournament: Tournament, names: list[str]) -> None:
    """Known players of the club are entered as themselves."""
    known = {
        player.name: player.pk for player in Player.objects.filter(clubs=tournament.club, merged_into=None)
    }
    entries = [NewEntry(player_id=known[name]) if name in known else NewEntry(name=name) for name in names]
    add_entries(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division_id=tournament.division.pk,
        entries=entries,
    )


def _merge(club: Club, director: User, mark: str) -> Player:
    """A duplicate under another spelling, merged: its name shows in the audit trail alone."""
    actor = Actor.of(director)
    keep = Player.objects.get(name=f"{mark}nn", clubs=club)
    duplicate = create_player(actor=actor, club=club, name=f"Verschrieben {mark}")
    merge_players(actor=actor, club_id=club.pk, keep_id=keep.pk, duplicate_id=duplicate.pk)
    return duplicate


def _hands_in_record(
    tournament: Tournament, match: Match, *, note: str = "", confirmed: bool = False
) -> None:
    """Side b reports with a record of the match; the director may confirm it."""
    names = [tournament.entry_at(match, side).name for side in (Side.A, Side.B)]
    upload = Upload(a_record(*names, seed=match.number), f"Mitschrift-{match.number}.mat")
    claim = read_evidence(match, upload).claim
    tournament.says(match, Side.B, claim.score_a, claim.score_b, note=note, record=upload)
    if confirmed:
        tournament.says(match, None, claim.score_a, claim.score_b)


def _import(club: Club, director: User, mark: str) -> RecordImport:
    """An archive with one record in it, checked."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(f"practice-{mark}.mat", a_record(f"Ada {mark}", "Bo", seed=len(mark)))
    started = start_import(
        actor=Actor.of(director), club_id=club.pk, content=archive.getvalue(), filename=f"Nachlass-{mark}.zip"
    )
    process_import(batch_id=started.batch.pk)
    return started.batch


def a_record(left: str, right: str, *, seed: int = 1, length: int = 5) -> bytes:
    """A whole match between the two as a file; the left one's points come first."""
    return write_record(
        random_match(Random(seed), MatchFormat(length=length), names=(left, right)), "mat"
    ).data


def _tokens(nook: Nook) -> dict[str, str]:
    tokens = {
        f"link of {entry.pk}": entry_token(entry)
        for entry in Entry.objects.filter(division__event__club=nook.club)
    }
    return {**tokens, "registration link": join_token(nook.open.event)}


def latest_report(match: Match) -> Report:
    return Report.objects.filter(match=match).order_by("-version").first()
