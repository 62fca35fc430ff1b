"""Template context of an entry's path through an event, with one sentence for each match.

It contains past matches, coming matches, and possible later ones. The player's own page and the public page
of the entry show it.
"""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.engine.brackets.structure import SourceKind
from tournaments.engine.brackets.way import PathStep
from tournaments.engine.statuses import PLAYERS_BUSY, MatchStatus
from tournaments.engine.types import EntryId
from tournaments.selectors.draws import DrawnMatch
from tournaments.selectors.hall.forecast import Forecast, round_up
from tournaments.selectors.matches.meetings import HeadToHead, PastMatch
from tournaments.selectors.matches.player import MyMatch
from tournaments.selectors.matches.way import StagePath, possible_opponents
from tournaments.shared.fragments.cards import Context, placeholder_label
from tournaments.shared.words.names import clock_time, date_label, result_kind_note, round_name_in_section
from tournaments.shared.words.statuses import badge_label


def path_contexts(paths: Sequence[StagePath], forecast: Forecast | None = None) -> list[Context]:
    """Return the context of each stage for ``_way.html``, with the steps of the entry's path in order.

    ``look`` of a step is won, lost, none (no winner), bye, now, ahead (after a win) or loss (after a loss).
    With a ``forecast``, the next match has its expected start.
    """
    return [
        {
            "title": str(path.stage) if len(paths) > 1 else "",
            "steps": [
                step for step in (*_past_steps(path, forecast), *_future_steps(path)) if step is not None
            ],
        }
        for path in paths
    ]


def _past_steps(path: StagePath, forecast: Forecast | None) -> list[Context | None]:
    return [_own_match_step(path, match, forecast) for match in path.matches]


def _own_match_step(path: StagePath, match: MyMatch, forecast: Forecast | None) -> Context | None:
    """Return the step for a match that the entry has played or has to play.

    None if the match is cancelled.
    """
    row = match.row
    if row.status is MatchStatus.VOID:
        return None
    params = {"round": round_name_in_section(row.section, row.round_code), "name": match.other.name}
    if row.is_bye:
        return _step("bye", _("%(round)s: bye") % params)
    if match.over:
        return _result_step(match, params)
    link = reverse("public:match", args=[row.public_id])
    current_step = path.onward.now if path.onward is not None else None
    if not match.other.name:
        opponent = (
            _opponent_label(path, current_step)
            if current_step is not None and current_step.node.number == row.number
            else ""
        )
        params["name"] = opponent or placeholder_label(match.other)
        return _step("now", _next_match_message(path, row, params, forecast), link)
    if row.status in PLAYERS_BUSY and row.table:
        text = _("Now: %(round)s against %(name)s at table %(table)s")
        return _step("now", text % {**params, "table": row.table}, link)
    if row.status is MatchStatus.READY:
        return _step("now", _next_match_message(path, row, params, forecast), link)
    text = _("Now: %(round)s against %(name)s (%(state)s)")
    return _step("now", text % {**params, "state": badge_label(row.status)}, link)


def _next_match_message(
    path: StagePath, row: DrawnMatch, params: dict[str, str], forecast: Forecast | None
) -> str:
    begins = forecast.begins.get(row.pk) if forecast is not None else None
    if begins is None:
        return _("Next: %(round)s against %(name)s") % params
    time = clock_time(round_up(begins.median), path.stage.division.event)
    return _("Next: %(round)s against %(name)s, about %(time)s") % {**params, "time": time}


def _result_step(match: MyMatch, params: dict[str, str]) -> Context:
    row = match.row
    link = reverse("public:match", args=[row.public_id])
    own, other = row.scores if match.own_side is row.sides[0] else row.scores[::-1]
    has_score = own is not None and other is not None
    params = {**params, "score": f"{own}\N{EN DASH}{other}"}
    if row.winner is None:
        style, text = "none", _("%(round)s: no winner against %(name)s")
        params["name"] = match.other.name or placeholder_label(match.other)
    elif row.winner is match.side:
        style = "won"
        text = (
            _("%(round)s: won %(score)s against %(name)s")
            if has_score
            else _("%(round)s: won against %(name)s")
        )
    else:
        style = "lost"
        text = _("%(round)s: lost %(score)s to %(name)s") if has_score else _("%(round)s: lost to %(name)s")
    played_by = (
        _("played by %(name)s") % {"name": match.own_side.name}
        if match.own_side.former_lineup_id is not None
        else ""
    )
    notes = [note for note in (result_kind_note(row.result_kind), played_by) if note]
    return _step(style, f"{text % params} ({'; '.join(notes)})" if notes else text % params, link)


def _future_steps(path: StagePath) -> list[Context]:
    if path.onward is None:
        return []
    steps = []
    for index, step in enumerate(path.onward.wins):
        params = {
            "round": round_name_in_section(step.node.section, step.node.code),
            "who": _opponent_label(path, step),
        }
        if index == 0:
            text = (
                _("After a win: %(round)s against %(who)s") if params["who"] else _("After a win: %(round)s")
            )
        else:
            text = _("Then: %(round)s against %(who)s") if params["who"] else _("Then: %(round)s")
        steps.append(_step("ahead", text % params))
    loss = path.onward.loss
    if loss is not None:
        params = {
            "round": round_name_in_section(loss.node.section, loss.node.code),
            "who": _opponent_label(path, loss),
        }
        text = _("After a loss: %(round)s against %(who)s") if params["who"] else _("After a loss: %(round)s")
        steps.append(_step("loss", text % params))
    else:
        steps.append(_step("loss", _("After a loss: eliminated.")))
    return steps


def _opponent_label(path: StagePath, step: PathStep) -> str:
    """Return the possible opponents of a coming match in a few words; empty if they are not known."""
    line = step.against
    if line.entry is not None:
        return path.names.get(EntryId(line.entry), "")
    pair = path.entries_by_match.get(line.match) if line.match is not None else None
    if pair is not None and all(entry_id in path.names for entry_id in pair):
        params = {"a": path.names[pair[0]], "b": path.names[pair[1]]}
        if line.kind is SourceKind.WINNER_OF:
            return _("the winner of %(a)s – %(b)s") % params
        return _("the loser of %(a)s – %(b)s") % params
    names = possible_opponents(path, step)
    if len(names) < 2:
        return "".join(names)
    return _("%(names)s or %(last)s") % {"names": ", ".join(names[:-1]), "last": names[-1]}


def meetings_context(meetings: HeadToHead, name: str) -> Context:
    """Return the context of the earlier matches between two players, written for the first of the two.

    ``name``: the second player. The context has the number of wins of each and the last matches.
    """
    params = {"won": meetings.won, "lost": meetings.lost, "name": name}
    return {
        "name": name,
        "words": _("You won: %(won)s. %(name)s won: %(lost)s.") % params,
        "short": _("%(won)s won, %(lost)s lost") % params,
        "rows": [
            {
                "look": {True: "won", False: "lost", None: "none"}[meeting.won],
                "words": _meeting_label(meeting),
                "url": reverse("public:match", args=[meeting.match.public_id]),
                "event": meeting.match.stage.division.event.name,
                "day": date_label(meeting.match.played_at.date()) if meeting.match.played_at else "",
            }
            for meeting in meetings.newest
        ],
    }


def _meeting_label(meeting: PastMatch) -> str:
    text = {True: _("You won"), False: _("You lost"), None: _("No winner")}[meeting.won]
    return text if None in meeting.scores else f"{text} {meeting.scores[0]}\N{EN DASH}{meeting.scores[1]}"


def _step(style: str, label: str, url: str = "") -> Context:
    return {"look": style, "words": label, "url": url}
