"""Set which clubs' events and lists appear on the public pages of players: by the home club or the player."""

from typing import Final

from django.db.models import F

from faults import Missing
from people.actors import Actor
from people.models import Club, OwnConsent, PageConsent, Player
from people.permissions import require_director
from people.rows import one_or_none
from people.services import audit
from people.services.clubs import locked_club
from people.services.versions import raise_versions
from people.transactions import durable
from people.versions import NAMES
from people.versions import club_topic as topic_of

OWN_CONSENT_ACTIONS: Final = ("consent.own_give", "consent.own_refuse", "consent.own_forget")


@durable
def set_consent(*, actor: Actor, club_id: int, other_club_id: str, is_given: bool) -> Club:
    """Show events and lists of ``other_club_id`` (a club's public id) on pages of this club's players, or hide them.

    ``is_given``: show. Recorded in both clubs' audit logs. Idempotent.
    """
    home = locked_club(club_id)
    require_director(actor, home)
    club = one_or_none(Club.objects.filter(public_id=other_club_id).exclude(pk=home.pk))
    if club is None:
        raise Missing("club.unknown")
    if is_given:
        _row, changed = PageConsent.objects.get_or_create(home=home, club=club)
    else:
        changed = bool(PageConsent.objects.filter(home=home, club=club).delete()[0])
    if changed:
        home.version += 1  # the pages show its players
        home.save(update_fields=["version"])
        for audited_club in (home, club):
            audit.record_action(
                actor=actor,
                action="consent.give" if is_given else "consent.take_back",
                subject=home,
                club=audited_club,
                data={"home": home.name, "club": club.name},
            )
        raise_versions([topic_of(home.pk), NAMES])
    return club


@durable
def set_own_consent(*, actor: Actor, player_id: int, other_club_id: str, is_given: bool | None) -> Club:
    """Set whether the club ``other_club_id`` (a public id) appears on a player's page, by the player's account.

    ``is_given`` None: as the home club decides. Idempotent. The home club cannot be hidden: the player can leave
    it instead.
    """
    player = one_or_none(
        Player.objects.select_for_update(of=("self",)).filter(pk=player_id, merged_into=None)
    )
    if player is None or actor.user is None or player.user_id != actor.user.pk:
        raise Missing("player.unknown")
    club = one_or_none(Club.objects.filter(public_id=other_club_id).exclude(pk=player.home_club_id or 0))
    if club is None:
        raise Missing("club.unknown")
    before = OwnConsent.objects.filter(player=player, club=club).first()
    if is_given is (before.given if before is not None else None):
        return club
    if is_given is None:
        OwnConsent.objects.filter(player=player, club=club).delete()
    else:
        OwnConsent.objects.update_or_create(player=player, club=club, defaults={"given": is_given})
    Player.objects.filter(pk=player.pk).update(version=F("version") + 1)
    give, refuse, forget = OWN_CONSENT_ACTIONS
    action = {True: give, False: refuse, None: forget}[is_given]
    data = {"club": club.name, "id": club.public_id}
    audit.record_action(actor=actor, action=action, subject=player, club=player.home_club, data=data)
    raise_versions([NAMES])
    return club
