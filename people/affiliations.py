"""Read which clubs belong to which federations and since when, for pages and API."""

from people.models import Affiliation, Club


def affiliations_of(club: Club) -> list[Affiliation]:
    """Return the present and past federations of ``club`` with their dates; the present one first."""
    found = Affiliation.objects.filter(club=club).select_related("federation", "club")
    return sorted(found, key=_newest_first)


def member_affiliations(federation: Club) -> list[Affiliation]:
    """Return the present (by name), then past member clubs of ``federation``, with their dates."""
    found = Affiliation.objects.filter(federation=federation, club__shut="").select_related(
        "federation", "club"
    )
    return sorted(found, key=lambda spell: (spell.until is not None, spell.club.name, _newest_first(spell)))


def _newest_first(spell: Affiliation) -> tuple[bool, int]:
    return spell.until is not None, -(spell.until.toordinal() if spell.until is not None else 0)
