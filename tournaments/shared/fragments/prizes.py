"""Template context of the prizes on the printed sheet at the end of an event, and the prizes as CSV."""

from django.utils.translation import gettext as _

from people.spreadsheets import csv_text
from tournaments.engine.standings.payout import from_coins
from tournaments.models import Event
from tournaments.selectors.events.detail import division_views
from tournaments.selectors.payouts import EventPayouts, PayoutPart, event_payouts
from tournaments.selectors.prizes import prize_group_count, prize_sections
from tournaments.shared.fragments.cards import Context
from tournaments.shared.words.flights import section_name
from tournaments.shared.words.names import group_name, withdrawn_title
from tournaments.shared.words.prizes import (
    amount_label,
    left_over_message,
    place_prize_labels,
    shared_prize_notes,
    won_prizes_label,
)


def prize_part_name(part: PayoutPart, *, with_division: bool = True) -> str:
    """Return the name of a part of the event with its own prizes: “Open · Groups · Consolation · Group A”.

    Stage, section and group appear only if there are several. ``with_division``: False leaves out the division's
    name.
    """
    stage = part.view.stage
    several = len(part.division.stages) > 1
    names = [
        part.division.division.name if with_division else "",
        str(stage) if several else "",
        section_name(part.paid.section) if len(prize_sections(stage)) > 1 else "",
        group_name(part.paid.group) if part.paid.group else "",
    ]
    return " · ".join(filter(None, names))


def final_prizes_context(event: Event) -> Context:
    """Return the prizes and winners of all parts of the event, for the printed sheet at its end.

    Until the winners of a part are settled, its rows have the prize of each place and an empty name.
    """
    payouts = event_payouts(event, division_views(event))
    return {
        "parts": [_part(payouts, part) for part in payouts.parts],
        "total": amount_label(payouts.prizes, payouts.coins) if payouts.coins else "",
        "settled": payouts.settled,
    }


def _part(payouts: EventPayouts, part: PayoutPart) -> Context:
    prizes, paid = payouts.prizes, part.paid
    if part.settled:
        rows = [
            {
                "place": str(winner.place),
                "name": withdrawn_title(winner.entry),
                "prize": won_prizes_label(prizes, paid, winner.entry.pk),
            }
            for winner in part.won
        ]
        total = part.coins
    else:
        places = enumerate(place_prize_labels(prizes, paid.prizes), start=1)
        rows = [{"place": str(place), "name": "", "prize": label} for place, label in places if label]
        total = paid.prizes.total
    group_label = _("Each group") if prize_group_count(part.view.stage) > 1 and not paid.group else ""
    return {
        "name": " · ".join(filter(None, (prize_part_name(part), group_label))),
        "rows": rows,
        "total": amount_label(prizes, total) if total else "",
        "left": left_over_message(prizes, paid.prizes),
        "notes": shared_prize_notes(prizes, paid),
        "settled": part.settled,
    }


def payouts_csv(payouts: EventPayouts) -> str:
    """Return all prizes as CSV, one row for each winner or, in parts that are not settled, for each place.

    Amounts are plain numbers. A text that a spreadsheet would read as a formula is written as text.
    """
    heads = [
        _("Division"),
        _("Stage"),
        _("Part"),
        _("Group"),
        _("Place"),
        _("Name"),
        _("Amount"),
        _("Currency"),
    ]
    lines: list[list[object]] = [[*heads, _("Non-cash prize")]]
    prizes = payouts.prizes
    for part in payouts.parts:
        stage, paid = part.view.stage, part.paid
        part_columns = [
            part.division.division.name,
            str(stage),
            section_name(paid.section) if len(prize_sections(stage)) > 1 else "",
            group_name(paid.group) if paid.group else "",
        ]
        rows: list[tuple[str, str, int | None, str]] = [
            (str(winner.place), withdrawn_title(winner.entry), winner.coins, " / ".join(winner.gifts))
            for winner in part.won
        ]
        if not part.settled:
            money = paid.prizes.money or (None,) * len(paid.prizes.gifts)
            pairs = enumerate(zip(money, paid.prizes.gifts, strict=True), start=1)
            rows = [(str(place), "", coins, gift) for place, (coins, gift) in pairs]
        for place, name, coins, gift in rows:
            amount = "" if coins is None else f"{from_coins(coins, prizes.digits):f}"
            lines.append([*part_columns, place, name, amount, prizes.currency, gift])
    return csv_text(lines)
