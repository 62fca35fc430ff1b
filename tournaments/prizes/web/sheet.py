"""Texts of the fields in the prizes form, converted from and to a plan. Errors use the same field names.

`pools.4` is the pool of division 4, `stages.7.main.way` a field of section `main` of stage 7, and
`stages.7.main.places.0.value` the prize of its first place.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from faults import Fault
from people.currencies import currency_decimals, format_number
from tournaments.engine.standings.leaving import WithdrawnRights
from tournaments.engine.standings.prizes import (
    MAX_GIFT_LENGTH,
    MAX_PRIZES,
    SPLITS,
    WHOLE_UNIT,
    Prize,
    PrizePlan,
    PrizeUnit,
    SectionPrizes,
)
from tournaments.models import Event, Stage
from tournaments.selectors.prizes import prize_sections

FieldTexts = dict[str, str]
MAX_NUMBER_LENGTH: Final = 24
_DECIMAL: Final = re.compile(r"[0-9]{1,15}(\.[0-9]{1,6})?")
_BLANKS: Final = re.compile(r"[\s\u2019']")


@dataclass(slots=True)
class ParsedPrizes:
    """The plan with all entered prizes that could be parsed, and the errors of the others."""

    plan: PrizePlan
    faults: list[Fault] = field(default_factory=list)


def section_prefix(stage: Stage, section: str) -> str:
    """Return the start of all field names of a section, such as ``stages.7.main``."""
    return f"stages.{stage.pk}.{section}"


def texts_from_plan(plan: PrizePlan, stages: Sequence[Stage]) -> FieldTexts:
    """Return the field texts for ``plan``, as a dictionary keyed by field name."""
    texts, digits = {"currency": plan.currency}, currency_decimals(plan.currency)
    for stage in stages:
        pool = plan.pools.get(stage.division_id)
        texts[f"withdrawn.{stage.division_id}"] = plan.withdrawn.get(stage.division_id, "")
        texts[f"pools.{stage.division_id}"] = "" if pool is None else _amount_text(pool, digits)
        for section in plan.stages.get(stage.pk, ()):
            texts |= section_texts(section_prefix(stage, section.section), section, digits)
    return texts


def section_texts(prefix: str, section: SectionPrizes, digits: int) -> FieldTexts:
    """Return the field texts of one section. ``digits``: number of decimals of the currency."""
    pool = "" if section.pool is None else _amount_text(section.pool, digits)
    is_in_amounts = section.way is PrizeUnit.AMOUNTS
    texts = {
        f"{prefix}.way": str(section.way),
        f"{prefix}.pool": pool if section.part is None else f"{format_number(section.part)} %",
        f"{prefix}.unit": f"{section.unit:f}",
    }
    for number, prize in enumerate(section.places):
        value = _amount_text(prize.value, digits) if is_in_amounts else format_number(prize.value)
        texts[f"{prefix}.places.{number}.value"] = value if prize.value else ""
        texts[f"{prefix}.places.{number}.gift"] = prize.gift
    return texts


def _amount_text(amount: Decimal, digits: int) -> str:
    """Return the amount with all decimals of the currency, or without decimals if it is a whole number."""
    return format_number(amount, 0 if amount == int(amount) else digits)


def texts_from_post(event: Event, stages: Sequence[Stage], posted: Mapping[str, str]) -> FieldTexts:
    """Return the submitted texts of fields that the event's form has, shortened to a safe length."""
    field_names = [
        "currency",
        *(f"{kind}.{stage.division_id}" for stage in stages for kind in ("pools", "withdrawn")),
    ]
    for stage in stages:
        for section in prize_sections(stage):
            prefix = section_prefix(stage, section)
            field_names += [f"{prefix}.way", f"{prefix}.pool", f"{prefix}.unit"]
            field_names += [
                f"{prefix}.places.{number}.{kind}"
                for number in range(MAX_PRIZES)
                for kind in ("value", "gift")
            ]
    texts = {
        name: str(posted[name]).replace("\0", "")[: MAX_GIFT_LENGTH * 4].strip()
        for name in field_names
        if name in posted
    }
    return {"currency": event.currency, **texts}


def parse_texts(texts: FieldTexts, stages: Sequence[Stage]) -> ParsedPrizes:
    """Parse the field texts into a plan; a text that cannot be parsed adds an error and no value."""
    parsed = ParsedPrizes(PrizePlan(currency=texts.get("currency", "").upper()))
    digits = currency_decimals(parsed.plan.currency)
    pools: dict[int, Decimal] = {}
    plans: dict[int, tuple[SectionPrizes, ...]] = {}
    withdrawn: dict[int, WithdrawnRights] = {}
    for stage in stages:
        if withdrawn_text := texts.get(f"withdrawn.{stage.division_id}"):
            withdrawn[stage.division_id] = _parse_withdrawn(
                parsed, withdrawn_text, f"withdrawn.{stage.division_id}"
            )
        pool = _parse_field_number(parsed, texts, f"pools.{stage.division_id}", digits)
        if pool is not None:
            pools[stage.division_id] = pool
        plans[stage.pk] = tuple(
            _parse_section(parsed, texts, stage, section, digits) for section in prize_sections(stage)
        )
    parsed.plan = PrizePlan(currency=parsed.plan.currency, pools=pools, stages=plans, withdrawn=withdrawn)
    parsed.faults = list(dict.fromkeys(parsed.faults))  # a pool is read once for each stage of its division
    return parsed


def _parse_section(
    parsed: ParsedPrizes, texts: FieldTexts, stage: Stage, section: str, digits: int
) -> SectionPrizes:
    prefix = section_prefix(stage, section)
    unit = _parse_way(parsed, texts, f"{prefix}.way")
    pool, part = texts.get(f"{prefix}.pool", ""), None
    amount = None
    if pool.endswith("%"):
        part = _parse_field_number(
            parsed, {f"{prefix}.pool": pool.removesuffix("%").strip()}, f"{prefix}.pool", 0
        )
    else:
        amount = _parse_field_number(parsed, texts, f"{prefix}.pool", digits)
    value_digits = 0 if unit is PrizeUnit.PER_CENT else digits
    places = []
    for number in range(MAX_PRIZES):
        name = f"{prefix}.places.{number}"
        value = texts.get(f"{name}.value", "")
        parsed_value = _parse_field_number(
            parsed, {name: value.removesuffix("%").strip()}, name, value_digits, f"{name}.value"
        )
        places.append(Prize(parsed_value or Decimal(0), texts.get(f"{name}.gift", "")))
    while places and not places[-1].value and not places[-1].gift:
        places.pop()
    return SectionPrizes(
        section, unit, tuple(places), amount, part, _parse_unit(texts.get(f"{prefix}.unit", ""))
    )


def _parse_withdrawn(parsed: ParsedPrizes, text: str, name: str) -> WithdrawnRights:
    try:
        return WithdrawnRights(text)
    except ValueError:
        parsed.faults.append(Fault("prizes.withdrawn_unknown", name))
        return WithdrawnRights.PLACE


def _parse_way(parsed: ParsedPrizes, texts: FieldTexts, name: str) -> PrizeUnit:
    text = texts.get(name) or PrizeUnit.AMOUNTS.value
    try:
        return PrizeUnit(text)
    except ValueError:
        parsed.faults.append(Fault("prizes.way_unknown", name))
        return PrizeUnit.AMOUNTS


def _parse_unit(text: str) -> Decimal:
    """Return the unit to which prizes are rounded; 0, which is rejected, if the text is not a number."""
    if not text:
        return WHOLE_UNIT
    return Decimal(text) if _DECIMAL.fullmatch(text) else Decimal(0)


def _parse_field_number(
    parsed: ParsedPrizes, texts: FieldTexts, name: str, digits: int, field_: str = ""
) -> Decimal | None:
    text = texts.get(name, "")
    if not text:
        return None
    try:
        return parse_number(text, digits)
    except ValueError:
        parsed.faults.append(Fault("prizes.number_odd", field_ or name, {"text": text[:MAX_NUMBER_LENGTH]}))
        return None


def parse_number(text: str, digits: int) -> Decimal:
    """Parse a number in common notations: `1,250.50`, `1.250,50`, `1250`, `€ 300,-`. Raises `ValueError`.

    ``digits``: number of decimals that the currency has, or 0 for percentages. Of two different separators,
    the last one separates decimals. A single separator separates thousands if three digits follow, unless
    ``digits`` is 3 or 0: `1.250` is more than a thousand euros.
    """
    cleaned = _BLANKS.sub("", text).strip("€$£¥").removesuffix(",-").removesuffix(",–").removesuffix(".-")
    signs = [sign for sign in cleaned if sign in ".,"]
    if len(set(signs)) == 2:
        decimal_sign = signs[-1]
        if signs.count(decimal_sign) > 1:
            raise ValueError(text)
        integer_part, _sign, fraction = cleaned.rpartition(decimal_sign)
        _check_thousands(integer_part)
        cleaned = f"{re.sub('[.,]', '', integer_part)}.{fraction}"
    elif signs:
        _head, _sign, fraction = cleaned.rpartition(signs[0])
        is_thousands = len(fraction) == 3 and digits not in {0, 3} and not _head.startswith("0")
        if len(signs) > 1 or is_thousands:
            _check_thousands(cleaned)
            cleaned = re.sub("[.,]", "", cleaned)
        else:
            cleaned = cleaned.replace(",", ".")
    if not _DECIMAL.fullmatch(cleaned):
        raise ValueError(text)
    return Decimal(cleaned)


def _check_thousands(text: str) -> None:
    if not re.fullmatch(r"[0-9]{1,3}([.,][0-9]{3})*|[0-9]+", text):
        raise ValueError(text)


def fill_section(texts: FieldTexts, prefix: str, source: str) -> FieldTexts:
    """Return the texts with a section filled from ``source``.

    ``prefix``: the start of the section's field names.

    ``source``: a common split (`split.2`) or another section (`copy.stages.7.main`); others change nothing.
    """
    kind, _dot, source_key = source.partition(".")
    texts = dict(texts)
    if (
        kind == "split"
        and source_key.isascii()
        and source_key.isdecimal()
        and len(source_key) < 3
        and int(source_key) < len(SPLITS)
    ):
        _clear_places(texts, prefix, ("value",))
        texts[f"{prefix}.way"] = PrizeUnit.PER_CENT.value
        for number, share in enumerate(SPLITS[int(source_key)]):
            texts[f"{prefix}.places.{number}.value"] = format_number(share)
    elif kind == "copy" and source_key != prefix and any(name.startswith(f"{source_key}.") for name in texts):
        _clear_places(texts, prefix, ("value", "gift"))
        for name, text in list(texts.items()):
            if name.startswith(f"{source_key}.") and not name.endswith((".pool", ".unit")):
                texts[f"{prefix}{name.removeprefix(source_key)}"] = text
    return texts


def _clear_places(texts: FieldTexts, prefix: str, suffixes: tuple[str, ...]) -> None:
    for name in [name for name in texts if name.startswith(f"{prefix}.places.") and name.endswith(suffixes)]:
        texts[name] = ""
