"""Texts of prizes: what each place brings, and what an entry won.

Prizes belong to a part of the event: a section of a stage, or one of its groups.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from django.utils.translation import gettext as _

from people.currencies import format_money, format_percentage
from tournaments.engine.standings.payout import PrizeList
from tournaments.engine.types import EntryId
from tournaments.models import Stage
from tournaments.selectors.prizes import PrizePart, Prizes, prize_group_count, prize_sections
from tournaments.shared.words.flights import section_name

SEPARATOR = " · "


def amount_label(prizes: Prizes, minor_units: int, *, omit_zeros: bool = True) -> str:
    """Return an amount of money as text, with its currency.

    ``minor_units``: the amount in the smallest coin; ``omit_zeros``: leave out decimals if all are zero.
    """
    return format_money(prizes.amount(minor_units), prizes.currency, omit_zeros=omit_zeros)


def place_prize_labels(prizes: Prizes, prize_list: PrizeList) -> list[str]:
    """Return the prizes of each place as “€300 · Trophy”, first place first.

    Money prizes are in per cent as long as the amount that the percentages refer to is not known.
    """
    values = [prize.value for prize in prize_list.prizes.places]
    if prize_list.money is None:
        money = [format_percentage(value) if value else "" for value in values]
    else:
        whole = _all_whole(prizes, prize_list.money)
        money = [amount_label(prizes, coins, omit_zeros=whole) if coins else "" for coins in prize_list.money]
    return [SEPARATOR.join(filter(None, parts)) for parts in zip(money, prize_list.gifts, strict=True)]


def prize_list_label(prizes: Prizes, prize_list: PrizeList) -> str:
    """Return all prizes of a list in one line: “€300, €150, 2 × €75” if two places bring the same."""
    groups: list[tuple[str, int]] = []
    for label in place_prize_labels(prizes, prize_list):
        if groups and groups[-1][0] == label:
            groups[-1] = (label, groups[-1][1] + 1)
        else:
            groups.append((label, 1))
    return ", ".join(
        f"{times}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{label or '–'}" if times > 1 else label or "–"
        for label, times in groups
    )


def prize_rows(prizes: Prizes, stage: Stage) -> list[tuple[str, str]]:
    """Return the prizes of each section of a stage, as (label, value) pairs.

    Sections without prizes are omitted.
    """
    rows = []
    for section in prize_sections(stage):
        prize_list = prizes.of(stage, section)
        if not prize_list.prizes.places:
            continue
        several = len(prize_sections(stage)) > 1
        label = _("Prizes, %(part)s") % {"part": section_name(section)} if several else _("Prizes")
        prizes_label = prize_list_label(prizes, prize_list)
        rows.append(
            (
                label,
                _("%(prizes)s in each group") % {"prizes": prizes_label}
                if prize_group_count(stage) > 1
                else prizes_label,
            )
        )
    return rows


def won_prizes_label(prizes: Prizes, paid: PrizePart, entry: int) -> str:
    """Return the prizes that the entry with the id ``entry`` won, as text.

    Empty until the winners are settled.
    """
    if paid.shares is None:
        return ""
    coins = paid.shares.each.get(EntryId(entry), 0)
    money = (
        amount_label(prizes, coins, omit_zeros=_all_whole(prizes, paid.shares.each.values())) if coins else ""
    )
    gifts = " / ".join(paid.shares.gifts.get(EntryId(entry), ()))
    return SEPARATOR.join(filter(None, (money, gifts)))


def shared_prize_notes(prizes: Prizes, paid: PrizePart) -> list[str]:
    """Return notes below a list of winners: how shared places divide their prizes, and what was not paid."""
    if paid.shares is None:
        return []
    notes = []
    last = len(paid.prizes.prizes.places)
    shared_places = [place for place in paid.places.values() if place.shared and place.first <= last]
    if shared_places and paid.prizes.total:
        notes.append(
            _(
                "Players who share a place share its prizes; amounts that cannot be divided go to the players "
                "entered first."
            )
        )
    gifts = paid.shares.gifts.values()
    if any(len(entry_gifts) > 1 for entry_gifts in gifts):
        notes.append(_("Players who share a place agree with the director on other prizes."))
    if paid.passed_over and any(paid.shares.each.values()):
        notes.append(_("Players who withdrew keep their place; their prize goes to the next player."))
    if paid.shares.unpaid:
        notes.append(
            _("Places without a player: %(money)s is not paid.")
            % {"money": amount_label(prizes, paid.shares.unpaid)}
        )
    return notes


def left_over_message(prizes: Prizes, prize_list: PrizeList) -> str:
    """Return how much of the prize pool is left over, or by how much the prizes exceed it.

    Empty without a pool.
    """
    if prize_list.left_over is None or prize_list.pool is None:
        return ""
    pool = amount_label(prizes, prize_list.pool)
    if prize_list.left_over < 0:
        excess = amount_label(prizes, -prize_list.left_over)
        return _("%(money)s more than the pool of %(pool)s") % {"money": excess, "pool": pool}
    if prize_list.left_over:
        remainder = amount_label(prizes, prize_list.left_over)
        return _("%(money)s of the pool of %(pool)s left over") % {"money": remainder, "pool": pool}
    return _("the whole pool of %(pool)s") % {"pool": pool}


def _all_whole(prizes: Prizes, coins: Iterable[int]) -> bool:
    unit: Decimal = prizes.amount(1)
    return unit == 1 or all(amount % int(1 / unit) == 0 for amount in coins)


def find_prize_part(paid: Sequence[PrizePart], section: str, group: int = 0) -> PrizePart | None:
    """Return from ``paid`` the prizes of a bracket section and a group (0 without groups), or None."""
    return next((part for part in paid if (part.section, part.group) == (section, group)), None)
