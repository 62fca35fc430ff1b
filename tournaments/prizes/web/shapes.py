"""Contexts for the page of prizes: the pool of each division, and a table of places for each part."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people.currencies import (
    DEFAULT_DECIMALS,
    currency_codes,
    currency_decimals,
    currency_name,
    format_number,
    format_percentage,
)
from tournaments.engine.standings.payout import PrizeList, prize_lists
from tournaments.engine.standings.prizes import MAX_PRIZES, SPLITS, UNITS, PrizePlan, PrizeUnit
from tournaments.models import Event, Stage
from tournaments.models.choices import WITHDRAWAL_CHOICES
from tournaments.prizes.web.sheet import FieldTexts, part_prefix
from tournaments.selectors.prizes import Prizes, prize_group_count, prize_sections
from tournaments.selectors.standings.tables import is_round_based
from tournaments.shared.fragments.cards import Context
from tournaments.shared.frames.divisions import stage_name
from tournaments.shared.words.flights import section_name
from tournaments.shared.words.prizes import (
    amount_label,
    left_over_message,
    place_prize_labels,
    prize_list_label,
)

MIN_ROWS, BLANK_ROWS = 4, 2
Errors = Mapping[str, Sequence[str]]


def prizes_context(
    event: Event, stages: list[Stage], plan: PrizePlan, texts: FieldTexts, errors: Errors
) -> Context:
    """Return the context of the page; ``plan``: what could be parsed of ``texts``."""
    prizes = prizes_from_plan(plan, stages)
    names = part_names(stages)
    divisions: list[Context] = []
    for stage in stages:
        if not divisions or divisions[-1]["pk"] != stage.division_id:
            divisions.append(_division_context(stage, stages, texts, errors))
        parts = divisions[-1]["parts"]
        parts += [
            _part_context(prizes, stage, section, names, texts, errors) for section in prize_sections(stage)
        ]
    for division in divisions:
        known = [sum_ for part in division["parts"] if (sum_ := part.pop("coins")) is not None]
        division["sum"] = amount_label(prizes, sum(known)) if len(division["parts"]) > 1 else ""
    used = {part["faults_id"] for division in divisions for part in division["parts"]}
    return {
        "divisions": divisions,
        "currency": _field_context("currency", texts, errors),
        "currencies": _currency_choices(texts.get("currency", "")),
        "step": f"{currency_decimals(prizes.currency)}",
        "faulty": [words for several in errors.values() for words in several],
        "parts_shown": len(used),
        "several_divisions": len(divisions) > 1,
        "event_is_over": event.status == "finished",
    }


def prizes_from_plan(plan: PrizePlan, stages: Iterable[Stage]) -> Prizes:
    """Return the prizes of ``plan``, saved or not; invalid numbers count as zero."""
    known = plan.currency in currency_codes()
    digits = currency_decimals(plan.currency) if known else DEFAULT_DECIMALS
    divisions: dict[int, list[int]] = {}
    for stage in stages:
        divisions.setdefault(stage.division_id, []).append(stage.pk)
    found: dict[tuple[int, str], PrizeList] = {}
    for division, own in divisions.items():
        sections = [(pk, section) for pk in own for section in plan.stages.get(pk, ())]
        sound = [(pk, section) for pk, section in sections if _is_total_valid(section.places, section.way)]
        if sum((section.part or Decimal(0) for _pk, section in sound), Decimal(0)) > 100:
            sound = [(pk, section) for pk, section in sound if section.part is None]
        lists = prize_lists(plan.pools.get(division), [section for _pk, section in sound], digits)
        found |= {(pk, section.section): one for (pk, section), one in zip(sound, lists, strict=True)}
    return Prizes(plan.currency if known else "", digits, found)


def saved_differences(stages: list[Stage], typed: PrizePlan, saved: PrizePlan) -> list[tuple[str, str]]:
    """Return where saved prizes differ from the typed ones: label, and saved value."""
    names, prizes = part_names(stages), prizes_from_plan(saved, stages)
    found = []
    if typed.currency != saved.currency:
        found.append((_("Currency"), saved.currency or "–"))
    for stage in stages:
        pool = saved.pools.get(stage.division_id)
        row = (_pool_label(stage, stages), "–" if pool is None else format_number(pool))
        if typed.pools.get(stage.division_id) != pool and row not in found:
            found.append(row)
        kept = saved.withdrawn[stage.division_id]
        kept_row = (_withdrawn_label(stage, stages), str(dict(WITHDRAWAL_CHOICES)[kept]))
        if typed.withdrawn.get(stage.division_id, kept) is not kept and kept_row not in found:
            found.append(kept_row)
        mine = {one.section: one for one in typed.stages.get(stage.pk, ()) if not one.is_empty}
        theirs = {one.section: one for one in saved.stages.get(stage.pk, ())}
        found += [
            (names[stage.pk, section], prize_list_label(prizes, prizes.of(stage, section)) or "–")
            for section in prize_sections(stage)
            if mine.get(section) != theirs.get(section)
        ]
    return found


def part_names(stages: list[Stage]) -> dict[tuple[int, str], str]:
    """Return “Open · Groups · Consolation”: what distinguishes the parts of the event from each other."""
    found = {}
    for stage in stages:
        own = prize_sections(stage)
        for section in own:
            several = len(own) > 1
            words = [
                stage_name(stage, stages) if len(stages) > 1 else "",
                section_name(section) if several else "",
            ]
            found[stage.pk, section] = " · ".join(filter(None, words)) or str(stage)
    return found


def _is_total_valid(places: Iterable[object], way: PrizeUnit) -> bool:
    values = [getattr(prize, "value", Decimal(0)) for prize in places]
    return way is PrizeUnit.AMOUNTS or sum(values, Decimal(0)) <= 100


def _division_context(stage: Stage, stages: list[Stage], texts: FieldTexts, errors: Errors) -> Context:
    name = f"pools.{stage.division_id}"
    return {
        "pk": stage.division_id,
        "name": stage.division.name,
        "pool": {**_field_context(name, texts, errors), "label": _pool_label(stage, stages)},
        "withdrawn": {
            **_field_context(f"withdrawn.{stage.division_id}", texts, errors),
            "choices": list(WITHDRAWAL_CHOICES),
            "shown": any(is_round_based(one) for one in stages if one.division_id == stage.division_id),
        },
        "parts": [],
    }


def _withdrawn_label(stage: Stage, stages: list[Stage]) -> str:
    several = len({one.division_id for one in stages}) > 1
    return " · ".join(filter(None, [stage.division.name if several else "", _("Players who withdraw")]))


def _pool_label(stage: Stage, stages: list[Stage]) -> str:
    several = len({one.division_id for one in stages}) > 1
    return _("Pool of %(division)s") % {"division": stage.division} if several else _("Total prize pool")


def _part_context(
    prizes: Prizes,
    stage: Stage,
    section: str,
    names: Mapping[tuple[int, str], str],
    texts: FieldTexts,
    errors: Errors,
) -> Context:
    at, one = part_prefix(stage, section), prizes.of(stage, section)
    in_per_cent = texts.get(f"{at}.way") == PrizeUnit.PER_CENT
    groups = prize_group_count(stage)
    own = [(name, words) for name, words in errors.items() if name == at or name.startswith(f"{at}.")]
    return {
        "at": at,
        "id": at.replace(".", "-"),
        "name": names[stage.pk, section],
        "short": names[stage.pk, section].removeprefix(f"{stage.division.name} · "),
        "groups": ngettext("In each of %(count)s group", "In each of %(count)s groups", groups)
        % {"count": groups}
        if groups > 1
        else "",
        "way": {**_field_context(f"{at}.way", texts, errors), "per_cent": in_per_cent},
        "pool": _field_context(f"{at}.pool", texts, errors),
        "unit": {**_field_context(f"{at}.unit", texts, errors), "value": texts.get(f"{at}.unit") or "1"},
        "units": [(f"{unit:f}", format_number(unit)) for unit in UNITS],
        "rows": _place_rows(prizes, one, at, texts, errors),
        "fills": _fill_choices(names, (stage.pk, section), texts),
        "sum": _sum_label(prizes, one),
        "left": left_over_message(prizes, one),
        "is_over": (one.left_over or 0) < 0,
        "coins": None if one.money is None else one.total * groups,
        "faults_id": f"{at.replace('.', '-')}-faults",
        "faults": [_fault_with_place(name, words) for name, several in own for words in several],
    }


def _fault_with_place(name: str, words: str) -> str:
    """Return a fault with the place that it concerns."""
    _head, sign, rest = name.rpartition(".places.")
    number = rest.partition(".")[0]
    if not sign or not number.isdecimal():
        return words
    return _("Place %(number)s: %(fault)s") % {"number": int(number) + 1, "fault": words}


def _place_rows(prizes: Prizes, one: PrizeList, at: str, texts: FieldTexts, errors: Errors) -> list[Context]:
    words = (
        place_prize_labels(prizes, one)
        if one.money is not None and one.prizes.way is PrizeUnit.PER_CENT
        else []
    )
    amounts = [part.partition(" · ")[0] if one.money and one.money[n] else "" for n, part in enumerate(words)]
    count = len(one.prizes.places)
    typed = [
        n for n in range(MAX_PRIZES) if any(texts.get(f"{at}.places.{n}.{x}") for x in ("value", "gift"))
    ]
    count = min(MAX_PRIZES, max(MIN_ROWS, max(count, max(typed, default=-1) + 1) + BLANK_ROWS))
    return [
        {
            "place": number + 1,
            "value": _field_context(f"{at}.places.{number}.value", texts, errors),
            "gift": _field_context(f"{at}.places.{number}.gift", texts, errors),
            "amount": amounts[number] if number < len(amounts) else "",
        }
        for number in range(count)
    ]


def _sum_label(prizes: Prizes, one: PrizeList) -> str:
    values = [prize.value for prize in one.prizes.places]
    if one.prizes.way is PrizeUnit.PER_CENT:
        shares = format_percentage(sum(values, Decimal(0)))
        return shares if one.money is None else f"{shares} · {amount_label(prizes, one.total)}"
    return amount_label(prizes, one.total)


def _fill_choices(
    names: Mapping[tuple[int, str], str], own: tuple[int, str], texts: FieldTexts
) -> list[tuple[str, str]]:
    """Return choices to fill a part with: a common split, or another part's prizes."""
    splits = [
        (f"split.{number}", " / ".join(map(format_number, split))) for number, split in enumerate(SPLITS)
    ]
    copies = [
        (f"copy.stages.{pk}.{section}", _("same as %(part)s") % {"part": name})
        for (pk, section), name in names.items()
        if (pk, section) != own and texts.get(f"stages.{pk}.{section}.places.0.value")
    ]
    return [*splits, *copies]


def _currency_choices(chosen: str) -> list[tuple[str, str]]:
    codes = currency_codes() if not chosen or chosen in currency_codes() else (chosen, *currency_codes())
    return [(code, f"{code} · {currency_name(code)}") for code in codes]


def _field_context(name: str, texts: FieldTexts, errors: Errors) -> Context:
    return {
        "name": name,
        "id": name.replace(".", "-"),
        "value": texts.get(name, ""),
        "wrong": name in errors,
        "faults": errors.get(name, ()),
    }
