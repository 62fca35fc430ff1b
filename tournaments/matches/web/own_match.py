"""Template contexts of a match on the pages of a personal link, own side first."""

from tournaments.engine.matches.reporting import ReportPolicy
from tournaments.engine.types import Side
from tournaments.matches.web.attach_record import AttachedRecord, empty_attachment
from tournaments.matches.web.claims import report_context
from tournaments.matches.web.player_forms import ReportForm
from tournaments.matches.web.waiting import arranged_context
from tournaments.selectors.matches.player import MyMatch
from tournaments.shared.fragments.cards import Context, placeholder_label
from tournaments.shared.frames.keys import new_submission_key
from tournaments.shared.words.names import format_sentence, result_kind_note, round_name_in_section
from tournaments.shared.words.rulings import adjourned_context, award_lines, match_clock_label


def match_context(match: MyMatch) -> Context:
    """Return the template context of a match, own side first."""
    row = match.row
    scores = row.scores if match.own_side is row.sides[0] else row.scores[::-1]
    return {
        "public_id": row.public_id,
        "number": row.number,
        "status": row.status.value,
        "round_name": round_name_in_section(row.section, row.round_code),
        "length": row.length,
        "table": row.table,
        "me": match.own_side.name,
        "opponent": match.other.name or placeholder_label(match.other),
        "opponent_id": match.other.entry_public_id,
        "side": match.side.value,
        "other_side": match.side.other.value,
        "mine": scores[0],
        "theirs": scores[1],
        "won": row.winner is match.side,
        "decided": row.winner is not None,
        "note": result_kind_note(row.result_kind),
        "rules": format_sentence(match.match.stage),
        "clock": match_clock_label(match.match),
        "awards": award_lines(match.match, side_labels(match)),
        "adjourned": adjourned_context(match.match, side_labels(match), bottom_side=match.side),
        "objected": match.has_correction_request,
        "may_object": match.over and row.status.value == "confirmed",
    }


def side_labels(match: MyMatch) -> dict[Side, str]:
    return {
        match.side: match.own_side.name,
        match.side.other: match.other.name or placeholder_label(match.other),
    }


def open_match_context(
    match: MyMatch, form: ReportForm | None = None, attached: AttachedRecord | None = None
) -> Context:
    """Return the template context of an unfinished match: both sides' reports, and the forms that apply."""
    policy = match.match.stage.report_policy
    return {
        **match_context(match),
        **arranged_context(match),
        "can_report": match.can_report,
        "own_report": report_context(match, match.own_report),
        "their_report": report_context(match, match.opponent_report),
        "director_decides": policy == ReportPolicy.DIRECTOR_ONLY,
        "settles": policy == ReportPolicy.SINGLE_REPORT_SETTLES,
        "agree_key": new_submission_key(),
        "form": form or ReportForm(match=match),
        "attached": attached or empty_attachment(match.match, side_labels(match)),
    }
