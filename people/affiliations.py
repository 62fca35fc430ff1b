"""Which clubs belong to which federations, and since when: what pages and API show of it."""

from people.models import Affiliation, Club


def affiliations_of(club: Club) -> list[Affiliation]:
    """The federations that ``club`` belongs to or has belonged to, and when; the present one first."""
    found = Affiliation.objects.filter(club=club).select_related("federation", "club")
    return sorted(found, key=_newest_first)


def member_affiliations(federation: Club) -> list[Affiliation]:
    """The clubs that belong to ``federation`` or have belonged to it, and when: those of today by name, then the former ones."""
    found = Affiliation.objects.filter(federation=federation, club__shut="").select_related(
        "federation", "club"
    )
    return sorted(found, key=lambda spell: (spell.until is not None, spell.club.name, _newest_first(spell)))


def _newest_first(spell: Affiliation) -> tuple[bool, int]:
    return spell.until is not None, -(spell.until.toordinal() if spell.until is not None else 0)
