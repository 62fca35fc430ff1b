"""The audit trail of an event in words, newest first."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from people.models import AuditEntry, Player
from people.web.trail import Facts, changed, facts_of, register, sentence_of
from tournaments.models import Entry, Event, Match, Stage
from tournaments.services.common import scope_of
from tournaments.web.director.access import event_page
from tournaments.web.director.frame import lengths_words, show
from tournaments.web.labels import day_and_time, kind_note

ROWS_PER_PAGE = 50
NAMES_SHOWN = 6


@event_page
def audit(request: HttpRequest, event: Event) -> HttpResponse:
    """Everything that was done in the event and by whom."""
    rows = AuditEntry.objects.filter(scope=scope_of(event)).order_by("-pk")
    page = Paginator(rows, ROWS_PER_PAGE).get_page(request.GET.get("page"))
    names = _subjects(list(page))
    entries = [
        {
            "words": sentence_of(
                row.action, facts_of(row, names.get((row.subject_type, row.subject_id), ""))
            ),
            "when": day_and_time(row.at, event),
            "who": row.actor_label,
            "major": row.action in _MAJOR,
        }
        for row in page
    ]
    return show(request, "director/audit.html", event, "audit", {"page": page, "entries": entries})


_MAJOR = frozenset(
    {"draw.publish", "draw.take_back", "match.correct", "match.object", "event.cancel", "event.restore"}
)


def _subjects(rows: list[AuditEntry]) -> dict[tuple[str, int | None], str]:
    """What the rows speak of: numbers of matches, names of entries; three queries."""

    def ids(kind: str) -> set[int]:
        return {row.subject_id for row in rows if row.subject_type == kind and row.subject_id is not None}

    found: dict[tuple[str, int | None], str] = {}
    for pk, number in Match.objects.filter(pk__in=ids("tournaments.match")).values_list("pk", "number"):
        found["tournaments.match", pk] = str(number)
    for pk, name in Entry.objects.filter(pk__in=ids("tournaments.entry")).values_list("pk", "name"):
        found["tournaments.entry", pk] = name
    for pk, name in Player.objects.filter(pk__in=ids("people.player")).values_list("pk", "name"):
        found["people.player", pk] = name
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


def _corrected(facts: Facts) -> str:
    before, after = facts.get("before") or {}, facts.get("after") or {}
    said = _("Match %(subject)s corrected: %(before)s → %(after)s.") % {
        "subject": facts["subject"],
        "before": _score(before),
        "after": _score(after),
    }
    return f"{said} {facts['note']}" if facts.get("note") else said


def _objected(facts: Facts) -> str:
    said = _("Match %(subject)s: objection to the result.") % facts
    return f"{said} “{facts['text']}”" if facts.get("text") else said


def _table(facts: Facts) -> str:
    if facts.get("after") is None:
        return _("Match %(subject)s: table taken away.") % facts
    return _("Match %(subject)s: table %(after)s.") % facts


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


register(
    {
        "event.create": gettext_lazy("Event created: %(name)s."),
        "event.update": changed(gettext_lazy("Event changed.")),
        "event.open": gettext_lazy("Event opened for entries."),
        "event.close": gettext_lazy("Event made a draft again."),
        "event.cancel": gettext_lazy("Event called off."),
        "event.restore": gettext_lazy("Event restored."),
        "stage.update": _lengths,
        "registration.open": gettext_lazy("Self-registration opened."),
        "registration.close": gettext_lazy("Self-registration closed."),
        "registration.renew_link": gettext_lazy("Registration link made anew."),
        "entry.add": _added,
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
        "match.call": gettext_lazy("Match %(subject)s called."),
        "match.start": gettext_lazy("Match %(subject)s started."),
        "match.send_back": gettext_lazy("Match %(subject)s sent back."),
        "match.table": _table,
        "match.report": _reported,
        "match.agree": _agreed,
        "match.correct": _corrected,
        "match.object": _objected,
        "match.settle_objection": gettext_lazy("Match %(subject)s: objection settled."),
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
    }
)
