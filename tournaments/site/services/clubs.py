"""Creation of a club with its first owner and its rating list in one transaction."""

from people.actors import Actor
from people.models import Club
from people.services.clubs import create_club
from people.transactions import durable
from rating.services import ensure_club_list


@durable
def create_club_with_list(
    *,
    actor: Actor,
    name: str,
    city: str = "",
    country: str = "",
    website: str = "",
    about: str = "",
    timezone: str = "",
) -> Club:
    """Create a club with the actor as owner and one FIBS rating list."""
    club = create_club(
        actor=actor, name=name, city=city, country=country, website=website, about=about, timezone=timezone
    )
    ensure_club_list(club_id=club.pk)
    return club
