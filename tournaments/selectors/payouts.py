"""Who gets which prize in a whole event: for the final sheet, the file and the API."""

from dataclasses import dataclass

from tournaments.engine.standings.ranking import Place
from tournaments.engine.types import EntryId
from tournaments.models import Event
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.events.detail import DivisionView, StageView
from tournaments.selectors.prizes import Paid, Prizes, paid_in, prizes_of


@dataclass(frozen=True, slots=True)
class Won:
    """What an entry gets for its place: money in coins, and gifts of the places that it shares."""

    entry: EntryRow
    place: Place
    coins: int
    gifts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a stage that has prizes. ``won``: best first, empty until its places are settled."""

    division: DivisionView
    view: StageView
    paid: Paid
    won: tuple[Won, ...]

    @property
    def settled(self) -> bool:
        return self.paid.shares is not None

    @property
    def coins(self) -> int:
        """What is paid out."""
        return sum(one.coins for one in self.won)


@dataclass(frozen=True, slots=True)
class Payouts:
    """All parts with prizes, in the order of the event."""

    prizes: Prizes
    parts: tuple[Part, ...]

    @property
    def coins(self) -> int:
        return sum(part.coins for part in self.parts)

    @property
    def settled(self) -> bool:
        return all(part.settled for part in self.parts)


def payouts_of(event: Event, divisions: tuple[DivisionView, ...]) -> Payouts:
    """Who gets what, worked out from ``divisions`` (`divisions_of` with entries); no query of its own."""
    prizes = prizes_of(event, [view.stage for division in divisions for view in division.stages])
    return Payouts(
        prizes,
        tuple(
            Part(division, view, paid, _won(division, paid))
            for division in divisions
            for view in division.stages
            for paid in paid_in(prizes, view.stage, view.draw or view.league)
            if paid.prizes.prizes.places
        ),
    )


def _won(division: DivisionView, paid: Paid) -> tuple[Won, ...]:
    if paid.shares is None:
        return ()
    shares = paid.shares
    entries = {EntryId(entry.pk): entry for entry in division.entries}
    won = [
        Won(entries[entry], place, shares.each.get(entry, 0), shares.gifts.get(entry, ()))
        for entry, place in paid.places.items()
        if entry in entries and (shares.each.get(entry) or shares.gifts.get(entry))
    ]
    return tuple(sorted(won, key=lambda one: (one.place.first, one.place.last, one.entry.pk)))
