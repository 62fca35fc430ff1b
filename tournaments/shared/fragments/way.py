"""Template context of an entry's path through an event, one sentence a match.

It contains matches played, to be played, and possible. The player's own page and the public page of the entry
use it.
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
from tournaments.shared.fragments.cards import Context, placeholder
from tournaments.shared.words.names import clock_time, date_label, result_kind_note, round_name_in_section
from tournaments.shared.words.statuses import badge_label


def path_contexts(ways: Sequence[StagePath], forecast: Forecast | None = None) -> list[Context]:
    """Return the context for ``_way.html``: each stage with its steps in order.

    ``look`` of a step is won, lost, none, bye, now, ahead or loss. With a ``forecast``, the next match has
    its expected start.
    """
    return [
        {
            "title": str(way.stage) if len(ways) > 1 else "",
            "steps": [
                step for step in (*_past_steps(way, forecast), *_future_steps(way)) if step is not None
            ],
        }
        for way in ways
    ]


def _past_steps(way: StagePath, forecast: Forecast | None) -> list[Context | None]:
    return [_own_match_step(way, match, forecast) for match in way.matches]


def _own_match_step(way: StagePath, match: MyMatch, forecast: Forecast | None) -> Context | None:
    """Return the step for one of the entry's own matches; None for a void match."""
    row = match.row
    if row.status is MatchStatus.VOID:
        return None
    words = {"round": round_name_in_section(row.section, row.round_code), "name": match.other.name}
    if row.is_bye:
        return _step("bye", _("%(round)s: bye") % words)
    if match.over:
        return _result_step(match, words)
    link = reverse("public:match", args=[row.public_id])
    now = way.onward.now if way.onward is not None else None
    if not match.other.name:
        who = _opponent_label(way, now) if now is not None and now.node.number == row.number else ""
        words["name"] = who or placeholder(match.other)
        return _step("now", _next_match_message(way, row, words, forecast), link)
    if row.status in PLAYERS_BUSY and row.table:
        text = _("Now: %(round)s against %(name)s at table %(table)s")
        return _step("now", text % {**words, "table": row.table}, link)
    if row.status is MatchStatus.READY:
        return _step("now", _next_match_message(way, row, words, forecast), link)
    text = _("Now: %(round)s against %(name)s (%(state)s)")
    return _step("now", text % {**words, "state": badge_label(row.status)}, link)


def _next_match_message(
    way: StagePath, row: DrawnMatch, words: dict[str, str], forecast: Forecast | None
) -> str:
    begins = forecast.begins.get(row.pk) if forecast is not None else None
    if begins is None:
        return _("Next: %(round)s against %(name)s") % words
    time = clock_time(round_up(begins.median), way.stage.division.event)
    return _("Next: %(round)s against %(name)s, about %(time)s") % {**words, "time": time}


def _result_step(match: MyMatch, words: dict[str, str]) -> Context:
    row = match.row
    link = reverse("public:match", args=[row.public_id])
    own, other = row.scores if match.me is row.sides[0] else row.scores[::-1]
    scored = own is not None and other is not None
    words = {**words, "score": f"{own}\N{EN DASH}{other}"}
    if row.winner is None:
        look, text = "none", _("%(round)s: no winner against %(name)s")
        words["name"] = match.other.name or placeholder(match.other)
    elif row.winner is match.side:
        look = "won"
        text = (
            _("%(round)s: won %(score)s against %(name)s") if scored else _("%(round)s: won against %(name)s")
        )
    else:
        look = "lost"
        text = _("%(round)s: lost %(score)s to %(name)s") if scored else _("%(round)s: lost to %(name)s")
    note = result_kind_note(row.result_kind)
    return _step(look, f"{text % words} ({note})" if note else text % words, link)


def _future_steps(way: StagePath) -> list[Context]:
    if way.onward is None:
        return []
    found = []
    for index, step in enumerate(way.onward.wins):
        words = {
            "round": round_name_in_section(step.node.section, step.node.code),
            "who": _opponent_label(way, step),
        }
        if index == 0:
            text = (
                _("After a win: %(round)s against %(who)s") if words["who"] else _("After a win: %(round)s")
            )
        else:
            text = _("Then: %(round)s against %(who)s") if words["who"] else _("Then: %(round)s")
        found.append(_step("ahead", text % words))
    loss = way.onward.loss
    if loss is not None:
        words = {
            "round": round_name_in_section(loss.node.section, loss.node.code),
            "who": _opponent_label(way, loss),
        }
        text = _("After a loss: %(round)s against %(who)s") if words["who"] else _("After a loss: %(round)s")
        found.append(_step("loss", text % words))
    else:
        found.append(_step("loss", _("After a loss: eliminated.")))
    return found


def _opponent_label(way: StagePath, step: PathStep) -> str:
    """Return the possible opponents in a few words; empty if they are not known."""
    line = step.against
    if line.entry is not None:
        return way.names.get(EntryId(line.entry), "")
    pair = way.met_in.get(line.match) if line.match is not None else None
    if pair is not None and all(one in way.names for one in pair):
        words = {"a": way.names[pair[0]], "b": way.names[pair[1]]}
        if line.kind is SourceKind.WINNER_OF:
            return _("the winner of %(a)s – %(b)s") % words
        return _("the loser of %(a)s – %(b)s") % words
    names = possible_opponents(way, step)
    if len(names) < 2:
        return "".join(names)
    return _("%(names)s or %(last)s") % {"names": ", ".join(names[:-1]), "last": names[-1]}


def meetings_context(meetings: HeadToHead, name: str) -> Context:
    """Return earlier matches of two players as the first sees them.

    The context has the number of wins of each, and the last matches.
    """
    words = {"won": meetings.won, "lost": meetings.lost, "name": name}
    return {
        "name": name,
        "words": _("You won: %(won)s. %(name)s won: %(lost)s.") % words,
        "short": _("%(won)s won, %(lost)s lost") % words,
        "rows": [
            {
                "look": {True: "won", False: "lost", None: "none"}[one.won],
                "words": _meeting_label(one),
                "url": reverse("public:match", args=[one.match.public_id]),
                "event": one.match.stage.division.event.name,
                "day": date_label(one.match.played_at.date()) if one.match.played_at else "",
            }
            for one in meetings.newest
        ],
    }


def _meeting_label(one: PastMatch) -> str:
    text = {True: _("You won"), False: _("You lost"), None: _("No winner")}[one.won]
    return text if None in one.scores else f"{text} {one.scores[0]}\N{EN DASH}{one.scores[1]}"


def _step(look: str, words: str, url: str = "") -> Context:
    return {"look": look, "words": words, "url": url}
