"""Facts about a stage on public pages: match lengths of its rounds, and how anyone can repeat its draw."""

from django.utils.translation import gettext as _

from tournaments.engine.brackets.double import GRAND_FINAL
from tournaments.engine.brackets.structure import MAIN, THIRD_PLACE
from tournaments.engine.chance import parse_seed
from tournaments.engine.matches.lengths import lengths_for_rounds
from tournaments.models import Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.events.detail import DivisionView, StageView
from tournaments.selectors.rounds.next import planned_rounds
from tournaments.selectors.standings.feeds import expected_entry_count
from tournaments.selectors.standings.tables import is_round_based, rounds_settings
from tournaments.shared.words.flights import section_name
from tournaments.shared.words.names import round_name_from_code


def expected_entries(division: DivisionView, view: StageView) -> int:
    """Return the expected number of entries: those of the division, or those who advance to the stage."""
    source = next((other.stage for other in division.stages if other.stage.pk == view.stage.fed_by_id), None)
    if source is not None:
        view.stage.fed_by = source  # avoids a query per stage later
    return expected_entry_count(view.stage, len(division.active_entries))


def round_lengths(view: StageView, count: int) -> list[tuple[str, int]]:
    """Return pairs of round and match length; before the draw, as ``count`` entries would make it."""
    stage_lengths = tuple(view.stage.lengths)
    if is_round_based(view.stage):
        lengths = lengths_for_rounds(stage_lengths, planned_rounds(view.stage, count))
        if len(set(lengths)) == 1:
            return [(_("All rounds"), lengths[0])]
        if rounds_settings(view.stage).lives:
            last_name = _("%(round)s and later") % {"round": round_name_from_code(f"round_{len(lengths)}")}
            named_lengths = [
                (round_name_from_code(f"round_{number}"), length)
                for number, length in enumerate(lengths, start=1)
            ]
            return [*named_lengths[:-1], (last_name, lengths[-1])]
        return [
            (round_name_from_code(f"round_{number}"), length)
            for number, length in enumerate(lengths, start=1)
        ]
    if view.draw is not None:
        return _drawn_lengths(view.draw)
    rounds = max(1, (max(count, 2) - 1).bit_length())
    codes = {0: "final", 1: "semifinal", 2: "quarterfinal"}
    names = [
        round_name_from_code(codes.get(rounds_left, f"last_{2 ** (rounds_left + 1)}"))
        for rounds_left in reversed(range(rounds))
    ]
    return list(zip(names, lengths_for_rounds(stage_lengths, rounds), strict=True))


def _drawn_lengths(draw: Draw) -> list[tuple[str, int]]:
    """Return match lengths of the main draw by round; of other sections the first and the last length."""
    lengths = [(round_name_from_code(r.code), r.length) for r in draw.rounds if r.section == MAIN]
    for section in draw.sections:
        if section == MAIN:
            continue
        section_lengths = [r.length for r in draw.rounds if r.section == section and r.code != THIRD_PLACE]
        name = section_name(section)
        if section == GRAND_FINAL or min(section_lengths) == max(section_lengths):
            lengths.append((name, section_lengths[-1]))
        else:
            first, last = _("%(part)s: first round"), _("%(part)s: final")
            lengths += [
                (first % {"part": name}, section_lengths[0]),
                (last % {"part": name}, section_lengths[-1]),
            ]
    return lengths


def predates_commitments(stage: Stage) -> bool:
    """Return whether the stage was drawn before commitments existed, so that its seed is a number."""
    return not stage.fed_by_id and isinstance(parse_seed(stage.draw_seed), int)


def replay_steps(stage: Stage, entries: tuple[EntryRow, ...]) -> list[str]:
    """Return the steps with which anyone can repeat the draw from the seed alone, as sentences."""
    first = _("List the %(count)s entries in the order in which they were entered, 1 to %(count)s.") % {
        "count": len(entries)
    }
    if stage.draw_method == Stage.DrawMethod.SEEDED:
        first = _(
            "List the entries without a seed in the order in which they were entered; seeded entries go in "
            "front of them."
        )
    purpose = "blind draw" if stage.draw_method == Stage.DrawMethod.BLIND else "unseeded"
    return [
        first,
        _(
            "Numbers come from SHA-256 of “crawford-chance-1|%(purpose)s|%(seed)s|0”, then …|1, …|2 and so on: "
            "each gives four 64-bit numbers."
        )
        % {"purpose": purpose, "seed": stage.draw_seed},
        _(
            "Shuffle from the last place down (Fisher-Yates), swapping each place with a number drawn below it."
        ),
        _(
            "The first entry on the shuffled list becomes seed 1, the second seed 2 and so on, with "
            "standard seeding and byes."
        ),
    ]
