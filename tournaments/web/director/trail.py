"""The audit trail of an event in words, newest first."""

from collections.abc import Mapping
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from people.models import AuditEntry
from people.web.trail import Facts, changed, facts_of, register, sentence_of
from tournaments.engine.conduct import Why
from tournaments.models import Event, Stage
from tournaments.selectors.director import stages_of
from tournaments.selectors.repairs import last_repairs
from tournaments.selectors.trail import subjects_of, trail_of
from tournaments.web.conduct import AWARD_WORDS
from tournaments.web.director.access import event_page
from tournaments.web.director.frame import lengths_words, show
from tournaments.web.director.switching import stage_name
from tournaments.web.labels import day_and_time, kind_note, round_name_of

ROWS_PER_PAGE = 50
NAMES_SHOWN = 6


@event_page
def audit(request: HttpRequest, event: Event) -> HttpResponse:
    """Everything that was done in the event and by whom."""
    page = Paginator(trail_of(event), ROWS_PER_PAGE).get_page(request.GET.get("page"))
    stages = stages_of(event)
    parts = {one.pk: stage_name(one, stages) for one in stages} if len(stages) > 1 else {}
    names = _subjects(list(page), parts)
    undoable = last_repairs(event)
    entries = [
        {
            "words": _in_part(
                sentence_of(row.action, facts_of(row, names.get((row.subject_type, row.subject_id), ""))),
                parts.get(row.subject_id or 0, "") if row.subject_type == "tournaments.stage" else "",
            ),
            "when": day_and_time(row.at, event),
            "who": row.actor_label,
            "major": row.action in _MAJOR,
            "undo": row.pk if row.pk in undoable else None,
            "undone": row.undone_by_id is not None,
        }
        for row in page
    ]
    return show(
        request, "director/audit.html", event, "audit", {"page": page, "entries": entries}, stages=stages
    )


def _in_part(words: str, part: str) -> str:
    return f"{part}: {words}" if part else words


_MAJOR = frozenset(
    {
        "draw.publish",
        "draw.take_back",
        "match.correct",
        "repair.undo",
        "match.object",
        "event.cancel",
        "event.restore",
    }
)


def _subjects(rows: list[AuditEntry], parts: Mapping[int, str]) -> dict[tuple[str, int | None], str]:
    """What the rows speak of: numbers of matches, with their stage where there are several, names of entries and players."""
    subjects = subjects_of(rows)
    found: dict[tuple[str, int | None], str] = {}
    for pk, (number, stage) in subjects.matches.items():
        found["tournaments.match", pk] = f"{number} ({parts[stage]})" if stage in parts else str(number)
    found |= {("tournaments.entry", pk): name for pk, name in subjects.entries.items()}
    found |= {("people.player", pk): name for pk, name in subjects.players.items()}
    return found


def _added(facts: Facts) -> str:
    names = [str(name) for _pk, name in facts.get("entries", [])]
    shown = ", ".join(names[:NAMES_SHOWN])
    if len(names) > NAMES_SHOWN:
        shown = _("%(names)s and %(more)s more") % {"names": shown, "more": len(names) - NAMES_SHOWN}
    return ngettext("Entered: %(names)s.", "Entered: %(names)s.", len(names)) % {"names": shown}


def _score(facts: Facts) -> str:
    note = kind_note(str(facts.get("kind") or ""))
    score = f"{facts.get('score_a')}–{facts.get('score_b')}"
    return f"{score} ({note})" if note else score


def _reported(facts: Facts) -> str:
    words = {
        "confirmed": _("Match %(subject)s: %(score)s, confirmed."),
        "reported": _("Match %(subject)s: %(score)s reported."),
        "disputed": _("Match %(subject)s: %(score)s reported, which contradicts the other side."),
    }
    said = words.get(str(facts.get("decision")), words["reported"])
    return said % {**facts, "score": _score(facts)}


def _agreed(facts: Facts) -> str:
    return _("Match %(subject)s: %(score)s agreed.") % {**facts, "score": _score(facts)}


def _absent(facts: Facts) -> str:
    return _("Match %(subject)s: %(score)s, because an entry is withdrawn.") % {
        **facts,
        "score": _score(facts),
    }


def _corrected(facts: Facts) -> str:
    before, after = facts.get("before") or {}, facts.get("after") or {}
    lengths = facts.get("length") or [0, 0]
    if after.get("status") != "confirmed" and lengths[0] != lengths[1]:
        return _("Match %(subject)s was to %(before)s points only and is played on to %(after)s.") % {
            "subject": facts["subject"],
            "before": lengths[0],
            "after": lengths[1],
        }
    said = _("Match %(subject)s corrected: %(before)s → %(after)s.") % {
        "subject": facts["subject"],
        "before": _score(before),
        "after": _score(after),
    }
    repair = {
        "void": _("Later results fell away: %(matches)s."),
        "keep": _("Later matches stayed as they were."),
    }.get(str(facts.get("repair") or ""), "")
    if repair:
        said += " " + repair % {"matches": ", ".join(str(number) for number in facts.get("voided", []))}
    return f"{said} {facts['note']}" if facts.get("note") else said


def _changed_player(facts: Facts) -> str:
    if facts.get("exchange"):
        return _("%(wrong)s and %(right)s changed places.") % facts
    if facts.get("from_now"):
        return _("%(right)s takes over for %(wrong)s.") % facts
    return _("Wrong player: it is %(right)s, not %(wrong)s.") % facts


def _round_length(facts: Facts) -> str:
    words = {**facts, "round": round_name_of(str(facts.get("code")))}
    return _("%(round)s: to %(after)s points instead of %(before)s.") % words


def _withdrew(facts: Facts) -> str:
    if facts.get("leaving") == "strike":
        return _("%(name)s withdrew; the results were struck from the table.") % facts
    return _("%(name)s withdrew after the draw.") % facts


def _undone(facts: Facts) -> str:
    what = {
        "match.correct": _("Taken back: the correction of match %(subject)s."),
        "entry.late": _("Taken back: the late entry of %(subject)s."),
        "entry.withdraw_after_draw": _("Taken back: the withdrawal of %(subject)s."),
        "entry.change_player": _("Taken back: the change of player of %(subject)s."),
        "match.length": _("Taken back: the length of match %(subject)s."),
    }
    return what.get(str(facts.get("what")), _("Taken back: the length of a round.")) % {
        "subject": facts["subject"]
    }


def _objected(facts: Facts) -> str:
    said = _("Match %(subject)s: objection to the result.") % facts
    return f"{said} “{facts['text']}”" if facts.get("text") else said


def _table(facts: Facts) -> str:
    if facts.get("after") is None:
        return _("Match %(subject)s: table taken away.") % facts
    return _("Match %(subject)s: table %(after)s.") % facts


def _conduct(facts: Facts) -> str:
    if "by_arrangement" not in facts:
        return _("Rules for lateness, clocks and ratings changed.")
    return _("Played by arrangement.") if facts["by_arrangement"] else _("Played at the tables.")


def _called(facts: Facts) -> str:
    called = [
        _("match %(number)s (table %(table)s)") % {"number": n, "table": t} for _pk, n, t in facts["matches"]
    ]
    return _("Called: %(matches)s.") % {"matches": ", ".join(called)}


def _awarded(facts: Facts) -> str:
    why = str(AWARD_WORDS[Why(facts["why"])].why) % facts
    said = _(
        "Match %(subject)s: %(points)s points without a game (%(why)s); it starts at %(start_a)s–%(start_b)s."
    )
    words = said % {**facts, "why": why}
    return f"{words} {facts['note']}" if facts.get("note") else words


def _adjourned(facts: Facts) -> str:
    words = {**facts, "a": facts["score"][0], "b": facts["score"][1]}
    if facts.get("position"):
        return _("Match %(subject)s adjourned at %(a)s–%(b)s, cube %(cube)s, position %(position)s.") % words
    return _("Match %(subject)s adjourned at %(a)s–%(b)s, cube %(cube)s.") % words


def _session(facts: Facts) -> str:
    if facts.get("corrects"):
        return _("Session %(session)s recorded in the place of session %(corrects)s.") % facts
    return _("Session %(session)s recorded.") % facts


def _seeded(facts: Facts) -> str:
    count = len(facts.get("seeds", {}))
    return ngettext("Seed of %(count)s entry changed.", "Seeds of %(count)s entries changed.", count) % {
        "count": count
    }


def _lengths(facts: Facts) -> str:
    return _("How it is played changed; lengths %(lengths)s.") % {
        "lengths": lengths_words(facts.get("lengths", []))
    }


def _method(facts: Facts) -> str:
    methods: dict[str, Any] = dict(Stage.DrawMethod.choices)
    method = methods.get(str(facts.get("method")), facts.get("method", ""))
    return _("Draw made (%(method)s, seed %(seed)s).") % {"method": method, "seed": facts.get("seed", "")}


def _kept_apart(facts: Facts) -> str:
    words = {
        "never": _("%(first)s and %(second)s must not meet."),
        "avoid": _("%(first)s and %(second)s meet only where it cannot be helped."),
        "ignore": _("%(first)s and %(second)s may meet again."),
    }
    return words[str(facts["wish"])] % facts


def _in_ledger(facts: Facts) -> str:
    """Whom an entry of the ledger is about: an opening rating or a place has one player."""
    return " – ".join(name for name in (facts.get("winner"), facts.get("loser")) if name)


register(
    {
        "event.create": gettext_lazy("Event created: %(name)s."),
        "event.update": changed(gettext_lazy("Event changed.")),
        "event.open": gettext_lazy("Event opened for entries."),
        "event.close": gettext_lazy("Event made a draft again."),
        "event.cancel": gettext_lazy("Event called off."),
        "event.restore": gettext_lazy("Event restored."),
        "stage.update": _lengths,
        "stage.add": gettext_lazy("Stage added: %(name)s."),
        "stage.remove": gettext_lazy("Stage taken away: %(name)s."),
        "division.add": gettext_lazy("Division added: %(name)s."),
        "division.next": gettext_lazy("Another one opened: %(name)s."),
        "division.update": gettext_lazy("Division changed: %(name)s."),
        "division.move": gettext_lazy("Division put in another place: %(name)s."),
        "division.remove": gettext_lazy("Division taken away: %(name)s."),
        "registration.open": gettext_lazy("Self-registration opened."),
        "registration.close": gettext_lazy("Self-registration closed."),
        "registration.renew_link": gettext_lazy("Registration link made anew."),
        "entry.add": _added,
        "entry.update": changed(gettext_lazy("Entry changed.")),
        "entry.buy_back": gettext_lazy("Bought back: %(name)s."),
        "entry.seed": _seeded,
        "entry.withdraw": gettext_lazy("Withdrawn: %(name)s."),
        "entry.return": gettext_lazy("Takes part again: %(name)s."),
        "draw.make": _method,
        "draw.discard": gettext_lazy("Draw thrown away (seed %(seed)s)."),
        "draw.publish": gettext_lazy("Draw published (seed %(seed)s)."),
        "draw.take_back": gettext_lazy("Published draw taken back."),
        "round.pair": gettext_lazy("Round %(round)s paired (seed %(seed)s)."),
        "round.discard": gettext_lazy("Pairings thrown away (seed %(seed)s)."),
        "round.publish": gettext_lazy("Round %(round)s published (seed %(seed)s)."),
        "round.take_back": gettext_lazy("Round %(round)s taken back."),
        "round.sit_out": gettext_lazy("%(name)s sits the next round out."),
        "round.end": gettext_lazy("Ended after round %(rounds)s."),
        "round.swap": gettext_lazy("Round %(round)s: %(first)s and %(second)s changed places by hand."),
        "round.undo_swaps": gettext_lazy("Changes by hand taken back."),
        "round.keep_apart": _kept_apart,
        "stage.play_off": lambda facts: (
            _("Play-off recorded: %(names)s.") % {"names": ", ".join(map(str, facts.get("order", [])))}
        ),
        "play_off.start": lambda facts: (
            _("Play-off of %(names)s.") % {"names": ", ".join(map(str, facts.get("names", [])))}
        ),
        "play_off.take_back": gettext_lazy("The play-off taken back before it began."),
        "stage.forget_play_off": gettext_lazy("Recorded play-offs taken back."),
        "stage.deadlines": gettext_lazy("Deadlines changed."),
        "match.call": gettext_lazy("Match %(subject)s called."),
        "match.start": gettext_lazy("Match %(subject)s started."),
        "match.send_back": gettext_lazy("Match %(subject)s sent back."),
        "match.table": _table,
        "match.award": _awarded,
        "match.take_back_award": gettext_lazy(
            "Match %(subject)s: %(points)s points taken back; it starts at %(start_a)s–%(start_b)s."
        ),
        "match.adjourn": _adjourned,
        "match.resume": gettext_lazy("Match %(subject)s goes on."),
        "stage.conduct": _conduct,
        "match.call_next": _called,
        "table.close": gettext_lazy("Table %(table)s taken out of use."),
        "table.open": gettext_lazy("Table %(table)s back in use."),
        "match.report": _reported,
        "match.agree": _agreed,
        "match.absent": _absent,
        "match.correct": _corrected,
        "match.length": gettext_lazy("Match %(subject)s: to %(after)s points instead of %(before)s."),
        "round.length": _round_length,
        "entry.late": gettext_lazy("Late entry: %(name)s in match %(match)s, against %(opponent)s."),
        "entry.withdraw_after_draw": _withdrew,
        "entry.change_player": _changed_player,
        "repair.undo": _undone,
        "match.object": _objected,
        "match.settle_objection": gettext_lazy("Match %(subject)s: objection settled."),
        "season.moving": gettext_lazy("How many go up and down was changed."),
        "season.create": gettext_lazy("Season %(name)s made after %(before)s."),
        "season.next": gettext_lazy("The next season was made: %(name)s."),
        "money.update": gettext_lazy("What is agreed for the points league changed."),
        "money.open": gettext_lazy("Points league started."),
        "money.take_back": gettext_lazy("Start of the points league taken back."),
        "money.finish": gettext_lazy("Points league ended."),
        "money.reopen": gettext_lazy("Points league goes on."),
        "money.record": _session,
        "money.strike": gettext_lazy("Session %(session)s struck out."),
        "money.restore": gettext_lazy("Session %(session)s counts again."),
        "link.renew": gettext_lazy("Personal link of %(subject)s made anew."),
        "link.renew_all": gettext_lazy("All personal links made anew."),
        "player.merge": gettext_lazy("Player %(subject)s merged into another."),
        "player.undo_merge": gettext_lazy("Merge of %(subject)s taken back."),
        "rating_list.create": gettext_lazy("Rating list made."),
        "rating_list.update": gettext_lazy("Rating list changed."),
        "rating_list.archive": lambda facts: (
            _("Rating list taken off the public pages.")
            if facts.get("archived")
            else _("Rating list shown on the public pages again.")
        ),
        "rating_list.rebuild": gettext_lazy("Rating list worked out anew."),
        "rating_list.stop_rebuild": gettext_lazy("Working out a rating list anew was stopped."),
        "rating_list.import_openings": gettext_lazy("Opening ratings taken in: %(new)s."),
        "ledger.import_results": gettext_lazy("Results taken into the ledger: %(new)s."),
        "ledger.replace": lambda facts: (
            _("Ledger: the entry of %(names)s was corrected.") % {"names": _in_ledger(facts)}
        ),
        "ledger.void": lambda facts: (
            _("Ledger: the entry of %(names)s was taken back.") % {"names": _in_ledger(facts)}
        ),
    }
)
