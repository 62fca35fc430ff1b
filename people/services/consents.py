"""Whose events and lists stand on the public pages of a club's players: the home club says it, and takes it back."""

from django.db import transaction

from faults import Missing
from people.actors import Actor
from people.models import Club, PageConsent
from people.permissions import require_director
from people.services import audit
from people.services.clubs import locked_club
from people.services.versions import raise_versions
from people.versions import NAMES
from people.versions import club as topic_of


@transaction.atomic(durable=True)
def set_consent(*, actor: Actor, club_id: int, other: str, given: bool) -> Club:
    """Let events and lists of the club with the public id ``other`` stand on the pages of the players of the club, or no longer.

    Both clubs' trails tell it. Saying the same again changes nothing.
    """
    home = locked_club(club_id)
    require_director(actor, home)
    club = Club.objects.filter(public_id=other).exclude(pk=home.pk).first()
    if club is None:
        raise Missing("club.unknown")
    if given:
        _row, changed = PageConsent.objects.get_or_create(home=home, club=club)
    else:
        changed = bool(PageConsent.objects.filter(home=home, club=club).delete()[0])
    if changed:
        home.version += 1  # the pages show its players
        home.save(update_fields=["version"])
        for one in (home, club):
            audit.record(
                actor=actor,
                action="consent.give" if given else "consent.take_back",
                subject=home,
                club=one,
                data={"home": home.name, "club": club.name},
            )
        raise_versions([topic_of(home.pk), NAMES])
    return club
