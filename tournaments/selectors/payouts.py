"""The prizes that the entries of an event have won, for the final sheet, the export file and the API."""

from dataclasses import dataclass

from tournaments.engine.standings.ranking import Place
from tournaments.engine.types import EntryId
from tournaments.models import Event
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.events.detail import DivisionView, StageView
from tournaments.selectors.prizes import PrizePart, Prizes, event_prizes, prize_parts


@dataclass(frozen=True, slots=True)
class Payout:
    """The prizes of an entry for its place.

    ``coins``: money, in the currency's smallest unit; ``gifts``: other prizes of the places that the entry
    shares.
    """

    entry: EntryRow
    place: Place
    coins: int
    gifts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PayoutPart:
    """A part of a stage that has prizes.

    ``won``: what entries get, best first; empty until the places are settled.
    """

    division: DivisionView
    view: StageView
    paid: PrizePart
    won: tuple[Payout, ...]

    @property
    def settled(self) -> bool:
        return self.paid.shares is not None

    @property
    def coins(self) -> int:
        """The sum of the money that entries of this part get, in the currency's smallest unit."""
        return sum(payout.coins for payout in self.won)


@dataclass(frozen=True, slots=True)
class EventPayouts:
    """All parts of an event that have prizes, in the order of its stages."""

    prizes: Prizes
    parts: tuple[PayoutPart, ...]

    @property
    def coins(self) -> int:
        return sum(part.coins for part in self.parts)

    @property
    def settled(self) -> bool:
        return all(part.settled for part in self.parts)


def event_payouts(event: Event, divisions: tuple[DivisionView, ...]) -> EventPayouts:
    """Compute the payouts of ``event``; ``divisions``: ``division_views(event)`` with entries.

    Queries only for withdrawals and re-entries in parts whose places are settled.
    """
    prizes = event_prizes(event, [view.stage for division in divisions for view in division.stages])
    return EventPayouts(
        prizes,
        tuple(
            PayoutPart(division, view, prize_part, _payouts_of_part(division, prize_part))
            for division in divisions
            for view in division.stages
            for prize_part in prize_parts(prizes, view.stage, view.draw or view.league)
            if prize_part.prizes.prizes.places
        ),
    )


def _payouts_of_part(division: DivisionView, prize_part: PrizePart) -> tuple[Payout, ...]:
    if prize_part.shares is None:
        return ()
    shares = prize_part.shares
    entries = {EntryId(entry.pk): entry for entry in division.entries}
    payouts = [
        Payout(entries[entry], place, shares.each.get(entry, 0), shares.gifts.get(entry, ()))
        for entry, place in prize_part.places.items()
        if entry in entries and (shares.each.get(entry) or shares.gifts.get(entry))
    ]
    return tuple(sorted(payouts, key=lambda payout: (payout.place.first, payout.place.last, payout.entry.pk)))
