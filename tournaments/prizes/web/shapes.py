"""Template contexts of the prizes page: each division's pool, and a table of places for each section."""

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
from tournaments.prizes.web.sheet import FieldTexts, section_prefix
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
    """Return the context of the page.

    ``texts``: the entered text of each field; ``plan``: the values that could be parsed from them;
    ``errors``: messages by field name.
    """
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
        coin_sums = [sum_ for part in division["parts"] if (sum_ := part.pop("coins")) is not None]
        division["sum"] = amount_label(prizes, sum(coin_sums)) if len(division["parts"]) > 1 else ""
    part_ids = {part["faults_id"] for division in divisions for part in division["parts"]}
    return {
        "divisions": divisions,
        "currency": _field_context("currency", texts, errors),
        "currencies": _currency_choices(texts.get("currency", "")),
        "step": f"{currency_decimals(prizes.currency)}",
        "faulty": [message for messages in errors.values() for message in messages],
        "parts_shown": len(part_ids),
        "several_divisions": len(divisions) > 1,
        "event_is_over": event.status == "finished",
    }


def prizes_from_plan(plan: PrizePlan, stages: Iterable[Stage]) -> Prizes:
    """Return the prizes with amounts computed from ``plan``, saved or not.

    Sections whose percentages exceed 100 are left out, as if they had no prizes.
    """
    is_currency_known = plan.currency in currency_codes()
    digits = currency_decimals(plan.currency) if is_currency_known else DEFAULT_DECIMALS
    divisions: dict[int, list[int]] = {}
    for stage in stages:
        divisions.setdefault(stage.division_id, []).append(stage.pk)
    list_by_part: dict[tuple[int, str], PrizeList] = {}
    for division, stage_ids in divisions.items():
        sections = [(pk, section) for pk in stage_ids for section in plan.stages.get(pk, ())]
        valid_sections = [
            (pk, section) for pk, section in sections if _is_total_valid(section.places, section.way)
        ]
        if sum((section.part or Decimal(0) for _pk, section in valid_sections), Decimal(0)) > 100:
            valid_sections = [(pk, section) for pk, section in valid_sections if section.part is None]
        lists = prize_lists(plan.pools.get(division), [section for _pk, section in valid_sections], digits)
        list_by_part |= {
            (pk, section.section): prize_list
            for (pk, section), prize_list in zip(valid_sections, lists, strict=True)
        }
    return Prizes(plan.currency if is_currency_known else "", digits, list_by_part)


def saved_differences(stages: list[Stage], typed: PrizePlan, saved: PrizePlan) -> list[tuple[str, str]]:
    """Return where saved prizes differ from the entered ones, as pairs of a label and the saved value."""
    names, prizes = part_names(stages), prizes_from_plan(saved, stages)
    differences = []
    if typed.currency != saved.currency:
        differences.append((_("Currency"), saved.currency or "–"))
    for stage in stages:
        pool = saved.pools.get(stage.division_id)
        row = (_pool_label(stage, stages), "–" if pool is None else format_number(pool))
        if typed.pools.get(stage.division_id) != pool and row not in differences:
            differences.append(row)
        saved_withdrawn = saved.withdrawn[stage.division_id]
        withdrawn_row = (_withdrawn_label(stage, stages), str(dict(WITHDRAWAL_CHOICES)[saved_withdrawn]))
        if (
            typed.withdrawn.get(stage.division_id, saved_withdrawn) is not saved_withdrawn
            and withdrawn_row not in differences
        ):
            differences.append(withdrawn_row)
        typed_sections = {
            section.section: section for section in typed.stages.get(stage.pk, ()) if not section.is_empty
        }
        saved_sections = {section.section: section for section in saved.stages.get(stage.pk, ())}
        differences += [
            (names[stage.pk, section], prize_list_label(prizes, prizes.of(stage, section)) or "–")
            for section in prize_sections(stage)
            if typed_sections.get(section) != saved_sections.get(section)
        ]
    return differences


def part_names(stages: list[Stage]) -> dict[tuple[int, str], str]:
    """Return the names of all sections, such as “Open · Groups · Consolation”, keyed by stage id and section.

    A name contains only what distinguishes the section from the others of the event.
    """
    name_by_part = {}
    for stage in stages:
        sections = prize_sections(stage)
        for section in sections:
            has_several = len(sections) > 1
            labels = [
                stage_name(stage, stages) if len(stages) > 1 else "",
                section_name(section) if has_several else "",
            ]
            name_by_part[stage.pk, section] = " · ".join(filter(None, labels)) or str(stage)
    return name_by_part


def _is_total_valid(places: Iterable[object], unit: PrizeUnit) -> bool:
    values = [getattr(prize, "value", Decimal(0)) for prize in places]
    return unit is PrizeUnit.AMOUNTS or sum(values, Decimal(0)) <= 100


def _division_context(stage: Stage, stages: list[Stage], texts: FieldTexts, errors: Errors) -> Context:
    name = f"pools.{stage.division_id}"
    return {
        "pk": stage.division_id,
        "name": stage.division.name,
        "pool": {**_field_context(name, texts, errors), "label": _pool_label(stage, stages)},
        "withdrawn": {
            **_field_context(f"withdrawn.{stage.division_id}", texts, errors),
            "choices": list(WITHDRAWAL_CHOICES),
            "shown": any(is_round_based(other) for other in stages if other.division_id == stage.division_id),
        },
        "parts": [],
    }


def _withdrawn_label(stage: Stage, stages: list[Stage]) -> str:
    has_several = len({other.division_id for other in stages}) > 1
    return " · ".join(filter(None, [stage.division.name if has_several else "", _("Players who withdraw")]))


def _pool_label(stage: Stage, stages: list[Stage]) -> str:
    has_several = len({other.division_id for other in stages}) > 1
    return _("Pool of %(division)s") % {"division": stage.division} if has_several else _("Total prize pool")


def _part_context(
    prizes: Prizes,
    stage: Stage,
    section: str,
    names: Mapping[tuple[int, str], str],
    texts: FieldTexts,
    errors: Errors,
) -> Context:
    prefix, prize_list = section_prefix(stage, section), prizes.of(stage, section)
    is_per_cent = texts.get(f"{prefix}.way") == PrizeUnit.PER_CENT
    groups = prize_group_count(stage)
    own_errors = [
        (name, fault_messages)
        for name, fault_messages in errors.items()
        if name == prefix or name.startswith(f"{prefix}.")
    ]
    return {
        "at": prefix,
        "id": prefix.replace(".", "-"),
        "name": names[stage.pk, section],
        "short": names[stage.pk, section].removeprefix(f"{stage.division.name} · "),
        "groups": ngettext("In each of %(count)s group", "In each of %(count)s groups", groups)
        % {"count": groups}
        if groups > 1
        else "",
        "way": {**_field_context(f"{prefix}.way", texts, errors), "per_cent": is_per_cent},
        "pool": _field_context(f"{prefix}.pool", texts, errors),
        "unit": {
            **_field_context(f"{prefix}.unit", texts, errors),
            "value": texts.get(f"{prefix}.unit") or "1",
        },
        "units": [(f"{unit:f}", format_number(unit)) for unit in UNITS],
        "rows": _place_rows(prizes, prize_list, prefix, texts, errors),
        "fills": _fill_choices(names, (stage.pk, section), texts),
        "sum": _sum_label(prizes, prize_list),
        "left": left_over_message(prizes, prize_list),
        "is_over": (prize_list.left_over or 0) < 0,
        "coins": None if prize_list.money is None else prize_list.total * groups,
        "faults_id": f"{prefix.replace('.', '-')}-faults",
        "faults": [_fault_with_place(name, message) for name, messages in own_errors for message in messages],
    }


def _fault_with_place(name: str, message: str) -> str:
    """Return an error message, with the number of the place if the field ``name`` belongs to a place."""
    _head, sign, rest = name.rpartition(".places.")
    number = rest.partition(".")[0]
    if not sign or not number.isdecimal():
        return message
    return _("Place %(number)s: %(fault)s") % {"number": int(number) + 1, "fault": message}


def _place_rows(
    prizes: Prizes, prize_list: PrizeList, prefix: str, texts: FieldTexts, errors: Errors
) -> list[Context]:
    labels = (
        place_prize_labels(prizes, prize_list)
        if prize_list.money is not None and prize_list.prizes.way is PrizeUnit.PER_CENT
        else []
    )
    amounts = [
        label.partition(" · ")[0] if prize_list.money and prize_list.money[n] else ""
        for n, label in enumerate(labels)
    ]
    count = len(prize_list.prizes.places)
    filled = [
        n for n in range(MAX_PRIZES) if any(texts.get(f"{prefix}.places.{n}.{x}") for x in ("value", "gift"))
    ]
    count = min(MAX_PRIZES, max(MIN_ROWS, max(count, max(filled, default=-1) + 1) + BLANK_ROWS))
    return [
        {
            "place": number + 1,
            "value": _field_context(f"{prefix}.places.{number}.value", texts, errors),
            "gift": _field_context(f"{prefix}.places.{number}.gift", texts, errors),
            "amount": amounts[number] if number < len(amounts) else "",
        }
        for number in range(count)
    ]


def _sum_label(prizes: Prizes, prize_list: PrizeList) -> str:
    values = [prize.value for prize in prize_list.prizes.places]
    if prize_list.prizes.way is PrizeUnit.PER_CENT:
        percentage = format_percentage(sum(values, Decimal(0)))
        return (
            percentage
            if prize_list.money is None
            else f"{percentage} · {amount_label(prizes, prize_list.total)}"
        )
    return amount_label(prizes, prize_list.total)


def _fill_choices(
    names: Mapping[tuple[int, str], str], own_part: tuple[int, str], texts: FieldTexts
) -> list[tuple[str, str]]:
    """Return the choices for filling a section, each as value and label.

    Common splits, and other sections.
    """
    splits = [
        (f"split.{number}", " / ".join(map(format_number, split))) for number, split in enumerate(SPLITS)
    ]
    copies = [
        (f"copy.stages.{pk}.{section}", _("same as %(part)s") % {"part": name})
        for (pk, section), name in names.items()
        if (pk, section) != own_part and texts.get(f"stages.{pk}.{section}.places.0.value")
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
