"""Sentences for audit actions about prizes, with the values before and after."""

from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext as _

from people.currencies import currency_decimals, format_number
from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.standings.payout import prize_lists
from tournaments.engine.standings.prizes import PrizePlan, SectionPrizes
from tournaments.engine.trail.prizes import PrizesSet, PrizesUndone
from tournaments.models.choices import WITHDRAWAL_CHOICES
from tournaments.selectors.prizes import Prizes
from tournaments.shared.words.flights import section_name
from tournaments.shared.words.prizes import prize_list_label

NO_PRIZE_TEXT: Final = "–"


def describe_prizes_set(action: PrizesSet, _subject: str) -> str:
    """Return a sentence such as “Prizes changed: Open · Consolation: €80, €40 → €100, €50.”"""
    changes = "; ".join(
        f"{label}: {before} → {after}" if label else f"{before} → {after}"
        for label, before, after in _prize_changes(action)
    )
    return _("Prizes changed: %(changes)s") % {"changes": changes}


def describe_prizes_undone(_action: PrizesUndone, _subject: str) -> str:
    return _("Last change of prizes undone.")


def _prize_changes(action: PrizesSet) -> Iterable[tuple[str, str, str]]:
    before, after = action.before, action.after
    if before.currency != after.currency:
        yield _("Currency"), before.currency or NO_PRIZE_TEXT, after.currency or NO_PRIZE_TEXT
    for pk in sorted({*before.pools, *after.pools}):
        pools = before.pools.get(pk), after.pools.get(pk)
        if pools[0] != pools[1]:
            first, second = (NO_PRIZE_TEXT if pool is None else format_number(pool) for pool in pools)
            yield _joined_label(action.divisions.get(pk, ""), _("Pool")), first, second
    labels = dict(WITHDRAWAL_CHOICES)
    for pk in sorted(before.withdrawn.keys() & after.withdrawn.keys()):
        old_choice, new_choice = before.withdrawn[pk], after.withdrawn[pk]
        if old_choice != new_choice:
            label = _joined_label(action.divisions.get(pk, ""), _("Players who withdraw"))
            yield label, str(labels[old_choice]), str(labels[new_choice])
    for pk in sorted({*before.stages, *after.stages}):
        old_sections, new_sections = (
            {section.section: section for section in plan.stages.get(pk, ())} for plan in (before, after)
        )
        for code in dict.fromkeys([*old_sections, *new_sections]):
            if old_sections.get(code) != new_sections.get(code):
                part = section_name(code) if code != MAIN or len({*old_sections, *new_sections}) > 1 else ""
                pair = (
                    _prizes_text(before, old_sections.get(code)),
                    _prizes_text(after, new_sections.get(code)),
                )
                yield _joined_label(action.stages.get(pk, ""), part), *pair


def _joined_label(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def _prizes_text(plan: PrizePlan, section: SectionPrizes | None) -> str:
    """Return the prizes of a section as they were set, without amounts for percentages of a pool."""
    if section is None:
        return NO_PRIZE_TEXT
    digits = currency_decimals(plan.currency)
    prizes = Prizes(plan.currency, digits, {})
    label = prize_list_label(prizes, prize_lists(None, [section], digits)[0]) or NO_PRIZE_TEXT
    pool_value = section.pool if section.pool is not None else section.part
    if pool_value is None:
        return label
    pool_text = format_number(pool_value) if section.part is None else f"{format_number(pool_value)} %"
    return _("%(prizes)s (pool %(pool)s)") % {"prizes": label, "pool": pool_text}
