"""What is noted of entries, and what lists say of their players: checked, and kept."""

from collections.abc import Sequence
from dataclasses import asdict, replace

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from faults import Fault, refuse
from people.models import Player
from people.text import one_line
from tournaments.engine.new_entry import MARKS, EntryDetails, EntryMarks, NewEntry
from tournaments.models import Entry, EntryDetail

EMAIL_LIMIT = 254
LIMITS = {"phone": 40, "club": 120, "note": 500}
HIGHEST_RATING = 10_000


def clean_marks(marks: EntryMarks) -> EntryMarks:
    """``marks`` with single blanks; refuses those that are too long, all together."""
    found = EntryMarks(*(one_line(getattr(marks, name)) for name in MARKS))
    refuse(
        [
            Fault(f"entry.{name}_long", name, {"limit": limit})
            for name, limit in MARKS.items()
            if len(getattr(found, name)) > limit
        ]
    )
    return found


def clean_details(details: EntryDetails) -> EntryDetails:
    """``said`` with single blanks; refuses an address that is none, and what is too long, all together."""
    faults: list[Fault] = []
    email = one_line(details.email)
    if email:
        try:
            validate_email(email[: EMAIL_LIMIT + 1])
        except ValidationError:
            faults.append(Fault("entry.email_odd", "email", {"email": email[:120]}))
    texts = {name: one_line(getattr(details, name)) for name in LIMITS}
    faults += [
        Fault("entry.detail_long", name, {"limit": limit})
        for name, limit in LIMITS.items()
        if len(texts[name]) > limit
    ]
    if details.rating is not None and not 0 <= details.rating < HIGHEST_RATING:
        faults.append(Fault("entry.rating_odd", "rating"))
    refuse(faults)
    return replace(details, email=email, phone=texts["phone"], club=texts["club"], note=texts["note"])


def keep_details(
    entries: Sequence[Entry], teams: Sequence[Sequence[Player]], wanted: Sequence[NewEntry]
) -> None:
    """Write what was said of the players of new entries. Joins the caller's transaction."""
    EntryDetail.objects.bulk_create(
        EntryDetail(
            entry=entry,
            player=player,
            **asdict(details),
        )
        for entry, players, item in zip(entries, teams, wanted, strict=True)
        for player, member in zip(players, item.members, strict=True)
        if (details := clean_details(member.details))
    )
