"""Import tables of opening ratings and old results: all or nothing, and idempotent for the same file."""

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from faults import Conflict, Invalid, Missing
from names.public_page import PublicPage
from people.actors import Actor
from people.models import Club, Player
from people.permissions import require_director
from people.rows import one_or_none
from people.services import audit
from people.services.players import NewPlayer, create_players, link_players_to_club
from people.zones import FIRST_YEAR, LAST_YEAR
from rating.models import RatingList, TableImport
from rating.models.imports import Step
from rating.services.locks import lock_list, mark_for_rebuild
from rating.services.plans import ImportPlan, ImportRequest, ImportSummary, build_plan
from rating.store.facts import add_facts, replace_players
from rating.store.reading import list_ids_counting, share_lock_club

_LINK_BATCH = 400


def check_openings(
    *,
    rating_list: RatingList,
    text: str,
    as_of: datetime,
    create_unknown: bool = False,
    same: Collection[str] = (),
) -> ImportSummary:
    """Check a table of opening ratings and return what an import would do. Writes nothing."""
    check_day(as_of)
    return build_plan(
        ImportRequest(rating_list.club, text, rating_list, as_of, create_unknown, same=same)
    ).summary


def check_results(
    *,
    club: Club,
    text: str,
    create_unknown: bool = False,
    openings_to: RatingList | None = None,
    same: Collection[str] = (),
) -> ImportSummary:
    """Check a table of results and return what an import would do. Writes nothing."""
    return build_plan(ImportRequest(club, text, openings_to, None, create_unknown, same=same)).summary


@transaction.atomic
def import_openings(
    *,
    actor: Actor,
    list_id: int,
    text: str,
    as_of: datetime,
    create_unknown: bool = False,
    again: bool = False,
    same: Collection[str] = (),
    public_page: PublicPage = PublicPage.WITH_DRAW,
) -> ImportSummary:
    """Import opening ratings of players on a list, which apply from ``as_of``.

    ``again``: True also imports rows that were removed before. ``same``: public ids of players confirmed for
    their names. ``public_page``: from when players who are created are public.
    """
    club = lock_club_for_players(Club.objects.filter(rating_lists=list_id))
    if club is None:
        raise Missing("rating.list_unknown")
    require_director(actor, club)
    rating_list = lock_list(list_id)
    _refuse_concurrent_import(club)
    check_day(as_of)
    return write_plan(
        actor,
        build_plan(
            ImportRequest(club, text, rating_list, as_of, create_unknown, again, same, public_page),
            keep_rows=True,
        ),
    )


@transaction.atomic
def import_results(
    *,
    actor: Actor,
    club_id: int,
    text: str,
    create_unknown: bool = False,
    again: bool = False,
    openings_to: int | None = None,
    same: Collection[str] = (),
    public_page: PublicPage = PublicPage.WITH_DRAW,
) -> ImportSummary:
    """Enter a club's old results in the ledger; every list that counts the club is updated.

    A row that was removed before is left out unless ``again``: then it is a new fact under a new key. Opening
    ratings in an exported ledger are set on the club's list ``openings_to`` (an id), and left out without
    one. ``same``: public ids of players confirmed for their names. ``public_page``: from when players who are
    created are public.
    """
    club = lock_club_for_players(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("club.unknown")
    require_director(actor, club)
    rating_list = None
    if openings_to is not None:
        rating_list = one_or_none(RatingList.objects.filter(pk=openings_to, club=club))
        if rating_list is None:
            raise Missing("rating.list_unknown")
    _refuse_concurrent_import(club)
    return write_plan(
        actor,
        build_plan(
            ImportRequest(club, text, rating_list, None, create_unknown, again, same, public_page),
            keep_rows=True,
        ),
    )


def lock_club_for_players(clubs: QuerySet[Club]) -> Club | None:
    """Return the club of this query, locked, or None.

    The lock comes before those on lists and players; imports and quotas of new players wait for each other by
    it.
    """
    return clubs.select_for_update(of=("self",), no_key=True).first()


def _refuse_concurrent_import(club: Club) -> None:
    """Raise ``Conflict`` while a worker writes another table of the club.

    The worker has compared that table with the ledger and does not know the rows of this import.
    """
    if TableImport.objects.filter(club=club, state=Step.TAKE).exists():
        raise Conflict("rating.import_running")


def check_day(as_of: datetime) -> None:
    """Raise ``Invalid`` for a date outside the supported years."""
    if not FIRST_YEAR <= as_of.year <= LAST_YEAR:
        raise Invalid("rating.year", field="as_of", first=FIRST_YEAR, last=LAST_YEAR)


def write_plan(actor: Actor, plan: ImportPlan) -> ImportSummary:
    """Write what a plan contains: new players, facts, and an entry in the audit log.

    Returns the plan's summary. The caller has locked the club, so that imports see each other's rows. Raises
    ``Invalid`` if the plan has errors.
    """
    if plan.summary.faults:
        raise Invalid(faults=plan.summary.faults)
    import_request, club = plan.request, plan.request.club
    share_lock_club(club.pk)  # a list that is created meanwhile waits for these facts
    id_by_ref = _make_players(actor, import_request, plan.names)
    rows = (
        values if refs is None else replace_players(values, *_player_ids(refs, id_by_ref))
        for _line, values, refs in [*plan.filled, *plan.fresh]
    )
    try:
        with transaction.atomic():
            add_facts(rows)
    except IntegrityError as error:  # one of those that get their score was corrected meanwhile
        raise Conflict("rating.taken_back") from error
    ids = sorted(plan.opening_player_ids)
    for start in range(0, len(ids), _LINK_BATCH):
        linked_players = [Player(pk=pk) for pk in ids[start : start + _LINK_BATCH]]
        link_players_to_club(players=linked_players, club=club)
    subject: Club | RatingList = club
    if import_request.as_of is not None and import_request.openings_to is not None:
        subject = import_request.openings_to
    if plan.fresh or plan.filled:
        mark_for_rebuild(
            list_ids=[subject.pk] if isinstance(subject, RatingList) else list_ids_counting(club.pk)
        )
    summary = plan.summary
    data = {"new": summary.new, "known": summary.known, "players": len(summary.players)}
    action = "rating_list.import_openings" if isinstance(subject, RatingList) else "ledger.import_results"
    audit.record_action(actor=actor, action=action, subject=subject, club=club, data=data)
    return summary


def _make_players(actor: Actor, import_request: ImportRequest, names: Mapping[str, str]) -> dict[str, int]:
    """Create the new players and return their ids.

    Names and ids are keyed by the player's reference in the table.
    """
    if not names:
        return {}
    new_players = [NewPlayer(name, public_page=import_request.public_page) for name in names.values()]
    players = create_players(actor=actor, club=import_request.club, players=new_players)
    return {ref: player.pk for ref, player in zip(names, players, strict=True)}


def _player_ids(refs: tuple[int | str | None, ...], id_by_ref: Mapping[str, int]) -> tuple[int, int | None]:
    """Return the ids of winner and loser of a row, looking up references of new players in ``id_by_ref``."""
    winner, loser = (id_by_ref[ref] if isinstance(ref, str) else ref for ref in refs)
    assert winner is not None
    return winner, loser
