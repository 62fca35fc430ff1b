"""Read which clubs belong to which federations, and since when, for pages and API."""

from people.models import Affiliation, Club


def affiliations_of(club: Club) -> list[Affiliation]:
    """Return the present and past federations of ``club`` with their dates; the present one first."""
    affiliations = Affiliation.objects.filter(club=club).select_related("federation", "club")
    return sorted(affiliations, key=_newest_first)


def member_affiliations(federation: Club) -> list[Affiliation]:
    """Return the affiliations of clubs with ``federation``: present ones by club name, then past ones."""
    affiliations = Affiliation.objects.filter(federation=federation, club__shut="").select_related(
        "federation", "club"
    )
    return sorted(
        affiliations,
        key=lambda affiliation: (
            affiliation.until is not None,
            affiliation.club.name,
            _newest_first(affiliation),
        ),
    )


def _newest_first(affiliation: Affiliation) -> tuple[bool, int]:
    return affiliation.until is not None, -(
        affiliation.until.toordinal() if affiliation.until is not None else 0
    )
