"""Sentences for the audit log: one for each action code, built from the entry's own data.

Every layer registers the sentences of its own actions, and a test checks that every action written has one.
An entry with an unknown action was written by a newer release before a downgrade: the page says so.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.dateparse import parse_date
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.models import AuditEntry, Role

Facts = Mapping[str, Any]
Sentence = str | Promise | Callable[[Facts], str]

SUBJECT_KEY: Final = "subject"  # key of the name of the row's object, beside the row's own data
_SENTENCES: dict[str, Sentence] = {}


def register_sentences(sentences: Mapping[str, Sentence]) -> None:
    """Add sentences, keyed by action code.

    A sentence is a text with places, ``%(key)s``, or a function of the entry's facts. A code that has a
    sentence already raises ``LookupError``.
    """
    for code, sentence in sentences.items():
        if code in _SENTENCES:
            raise LookupError(f"audit action {code!r} already has words")
        _SENTENCES[code] = sentence


def known_actions() -> frozenset[str]:
    """Return all action codes that have sentences."""
    return frozenset(_SENTENCES)


def action_sentence(action: str, facts: Facts) -> str:
    """Return the sentence of an audit log action in the active language.

    ``facts``: the data for the placeholders of the sentence (`sentence_facts`).
    """
    sentence = _SENTENCES.get(action)
    if sentence is None:
        return unknown_action_sentence(action)
    if callable(sentence) and not isinstance(sentence, str | Promise):
        return sentence(facts)
    return str(sentence) % facts


def unknown_action_sentence(action: str) -> str:
    """Return the sentence for an action code that has none in this release."""
    return _("An action that this version cannot display (%(action)s).") % {"action": action}


def sentence_facts(entry: AuditEntry, subject: str = "") -> dict[str, Any]:
    """Return the entry's data for its sentence, with the name of its object under the key "subject".

    ``subject``: that name, "" if no longer known.
    """
    return {**entry.data, SUBJECT_KEY: subject or _("something that no longer exists")}


def role_name(code: object) -> str:
    """Return the label of a role, such as “Owner”; the code itself if it is unknown."""
    return str(Role(code).label) if code in Role.values else str(code)


def describe_differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return the values that differ, such as “name: Ann → Anna; country: – → FI”."""
    return "; ".join(
        f"{_field_name(key)}: {_format_value(before.get(key))} → {_format_value(after[key])}"
        for key in after
        if before.get(key) != after[key]
    )


_FIELD_LABELS: Mapping[str, str | Promise] = {
    "name": gettext_lazy("name"),
    "city": gettext_lazy("town"),
    "country": gettext_lazy("country"),
    "website": gettext_lazy("website"),
    "about": gettext_lazy("about"),
    "listed": gettext_lazy("public"),
    "listed_with_draw": gettext_lazy("public from the first public draw"),
    "shown_as": gettext_lazy("public name"),
    "minor": gettext_lazy("minor"),
    "guardian_id": gettext_lazy("guardian"),
    "place": gettext_lazy("place"),
    "description": gettext_lazy("description"),
    "starts_on": gettext_lazy("first day"),
    "ends_on": gettext_lazy("last day"),
    "timezone": gettext_lazy("time zone"),
    "requires": gettext_lazy("required agreements"),
    "visibility": gettext_lazy("visibility"),
    "tables": gettext_lazy("tables"),
    "weight": gettext_lazy("weight for master points"),
    "opens_at": gettext_lazy("start of play"),
    "closes_at": gettext_lazy("no match begins after"),
    "break_from": gettext_lazy("break from"),
    "break_until": gettext_lazy("break until"),
    "word_minutes": gettext_lazy("up-next notice, minutes"),
    "text": gettext_lazy("text"),
    "division": gettext_lazy("division"),
    "until": gettext_lazy("until"),
    "points": gettext_lazy("points by place"),
    "rest": gettext_lazy("all other places"),
    "scale": gettext_lazy("how points are calculated"),
    "ties": gettext_lazy("shared places"),
    "best": gettext_lazy("evenings that count"),
    "archived": gettext_lazy("archived"),
}


_WITH_SECONDS = re.compile(r"\d\d:\d\d:\d\d")


def _field_name(key: str) -> str:
    return str(_FIELD_LABELS.get(key, key))


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    text = str(value) if value not in {None, ""} else "–"
    if _WITH_SECONDS.fullmatch(text):
        text = text[:5]
    return text if len(text) <= 60 else f"{text[:57]}…"


def _sentence_with_changes(template: str | Promise) -> Callable[[Facts], str]:
    """Return a function that builds a sentence from ``template`` and the changed values."""

    def sentence(facts: Facts) -> str:
        changes = describe_differences(facts.get("before") or {}, facts.get("after") or {})
        text = str(template) % facts
        return f"{text} {changes}" if changes else text

    return sentence


def _new_players_sentence(facts: Facts) -> str:
    return _("New players: %(count)s.") % {"count": len(facts.get("players", []))}


def _with_effective_day(sentence: str, facts: Facts) -> str:
    """Return ``sentence`` followed by the day from which the change counts, where the entry has one."""
    day = parse_date(facts.get("since") or facts.get("until") or "")
    if day is None:
        return sentence
    return _("%(words)s Effective %(day)s.") % {
        "words": sentence,
        "day": date_format(day, "SHORT_DATE_FORMAT"),
    }


register_sentences(
    {
        "club.create": gettext_lazy("Club created: %(name)s."),
        "club.import": gettext_lazy("The club was imported from %(site)s, including its history."),
        "event.import": gettext_lazy("%(name)s was imported from %(site)s in the state it had there."),
        "club.update": _sentence_with_changes(gettext_lazy("Club settings changed.")),
        "club.join_federation": lambda facts: _with_effective_day(
            _("The club joined a federation.") if facts.get("after") else _("The club left its federation."),
            facts,
        ),
        "federation.joined": lambda facts: _with_effective_day(
            _("%(name)s joined the federation.") % facts, facts
        ),
        "federation.left": lambda facts: _with_effective_day(
            _("%(name)s left the federation.") % facts, facts
        ),
        "member.add": lambda facts: (
            _("Member added: %(subject)s as %(role)s.") % {**facts, "role": role_name(facts["role"])}
        ),
        "member.change_role": lambda facts: (
            _("Role of %(subject)s: %(before)s → %(after)s.")
            % {**facts, "before": role_name(facts["before"]), "after": role_name(facts["after"])}
        ),
        "member.leave": gettext_lazy("%(subject)s has left the club."),
        "invitation.make": lambda facts: (
            _("Invitation created: %(role)s %(label)s") % {**facts, "role": role_name(facts["role"])}
        ),
        "invitation.withdraw": lambda facts: (
            _("Invitation withdrawn: %(role)s %(label)s") % {**facts, "role": role_name(facts["role"])}
        ),
        "invitation.decline": lambda facts: (
            _("Invitation declined: %(role)s %(label)s") % {**facts, "role": role_name(facts["role"])}
        ),
        "invitation.accept": lambda facts: (
            _("%(subject)s accepted the role: %(role)s.") % {**facts, "role": role_name(facts["role"])}
        ),
        "assistant.end": gettext_lazy("%(name)s is no longer an assistant."),
        "member.remove": gettext_lazy("Member removed: %(subject)s."),
        "merge.ask": gettext_lazy("%(club)s asked %(keeper)s to merge %(subject)s into %(name)s."),
        "merge.decline": gettext_lazy("The merge of %(subject)s into %(name)s was declined."),
        "consent.own_give": gettext_lazy(
            "%(subject)s allows events and rating lists of %(club)s on their own page."
        ),
        "consent.own_refuse": gettext_lazy(
            "%(subject)s does not allow events and rating lists of %(club)s on their own page."
        ),
        "consent.own_forget": gettext_lazy(
            "%(subject)s lets the home club decide whether %(club)s appears on their page."
        ),
        "consent.give": gettext_lazy(
            "%(home)s allows events and rating lists of %(club)s on its players’ pages."
        ),
        "consent.take_back": gettext_lazy(
            "%(home)s no longer allows events and rating lists of %(club)s on its players’ pages."
        ),
        "account.suspend": gettext_lazy("Account suspended: %(subject)s"),
        "account.let_in": gettext_lazy("Account reinstated: %(subject)s"),
        "player.create": gettext_lazy("New player: %(name)s."),
        "player.create_many": _new_players_sentence,
        "player.offer": gettext_lazy("Account link created for %(name)s."),
        "player.take": gettext_lazy("%(name)s is now linked to an account."),
        "player.ask": gettext_lazy("An account used a personal link to request to be linked to %(name)s."),
        "player.confirm": gettext_lazy("Link request accepted: the account is now linked to %(name)s."),
        "player.decline": gettext_lazy("Link request declined: the account is not linked to %(name)s."),
        "player.release": gettext_lazy("Wrong account unlinked: %(name)s no longer has an account."),
        "retention.forget": gettext_lazy("Deleted after the retention period: %(what)s, %(count)s."),
        "player.guard": gettext_lazy("A guardian’s account now acts for %(name)s."),
        "player.erase": gettext_lazy("A player was erased. Results remain, without the name."),
        "account.delete": gettext_lazy("A user deleted their account."),
        "player.numbers": gettext_lazy("Federation numbers and outside ratings of %(subject)s changed."),
        "player.update": _sentence_with_changes(gettext_lazy("Player %(subject)s changed.")),
    }
)
