"""What this room refuses, in words: reports, rulings and records of a match. What other rooms and the floors below refuse, too: `shared.words.refusals`."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.messages import describe, where
from games.records.checking import Unreadable
from games.records.findings import finding
from games.records.model import Place
from people.messages import register


def _why_unreadable(params: Mapping[str, Any]) -> str:
    why = Unreadable(params["reason"], Place(params["line"], params["column"]), params["details"])
    return gettext("This file is not a game record that we can read. %(why)s") % {"why": describe(why)}


def _why_refused(params: Mapping[str, Any]) -> str:
    place = Place(params["line"], params["column"])
    found = finding(
        params["finding"], game=params["game"], turn=params["turn"], place=place, **params["details"]
    )
    return gettext("%(where)s: %(why)s") % {"where": where(found), "why": describe(found)}


register(
    {
        "record.minds": _("A player does not want these games to be public. Only they can say otherwise."),
        "report.unknown": _("There is no such report."),
        "quiz.not_over": _("Positions are shown when the event is over."),
        "quiz.nothing": _(
            "There is nothing to ask: no analysed match has a blunder that may be shown. Players have their matches analysed on their own page."
        ),
        "quiz.choice": _("Choose one of the answers."),
        "games.day_odd": _("“%(value)s” is no day. Write it as 2026-11-23, or leave it empty."),
        "record.no_such_proposal": _(
            "This is not proposed for this record any more. Load the page again and choose anew."
        ),
        "record.too_many_copies": _(
            "There are %(limit)s corrected copies of this record. More are not kept."
        ),
        "hand_over.unreadable": _(
            "This code is not one of a result. Show it again, or each of you reports alone."
        ),
        "hand_over.not_signed": _(
            "This code was not signed by the phones of the two players. Each of you reports alone, please."
        ),
        "hand_over.key_odd": _("This browser's key cannot be read. Please load the page again."),
        "hand_over.too_old": _(
            "This was agreed on too long ago, or a phone's clock is wrong. Each of you reports alone, please."
        ),
        "hand_over.older": _(
            "Something was said about this match after you two had agreed. Look at how it stands."
        ),
        "report.not_open": _("This match cannot be reported now. Look at how it stands."),
        "report.already_confirmed": _(
            "The result has been confirmed meanwhile, and it differs from yours. If it is wrong, object to it."
        ),
        "report.use_correction": _(
            "This match has a confirmed result. Use “Correct the result” to change it."
        ),
        "report.replaced": _("This report was replaced by a newer one. Look at it before you agree."),
        "report.too_many": _("You have reported this match very often. Please talk to the director."),
        "clock.score_of_one": _("Give the points of both, or of neither."),
        "answer.unknown": _("One can answer: coming, 5 minutes, cannot play."),
        "answer.too_late": _("Nothing can be answered for this match now. Look at how it stands."),
        "phone.code_wrong": _("This code is not good, or not any more. Show a new one on the other phone."),
        "phone.codes_often": _("That was a lot of codes. Please wait ten minutes, or ask at the desk."),
        "phone.nobody_yet": _(
            "Nobody has reported by this link so far: the first phone that reports needs no code."
        ),
        "record.unreadable": _why_unreadable,
        "record.refused": _why_refused,
        "record.incomplete": _(
            "This record stops before the match is over. Send the whole one, or report without it."
        ),
        "record.differs": _("The record ends %(score)s. Check the score, or leave the record out."),
        "objection.not_confirmed": _("There is no confirmed result to object to."),
        "objection.unknown": _("There is no such objection."),
        "match.no_ruling_now": _("Nothing can be ruled on this match now. Look at how it stands."),
        "award.by_schedule": _("Points for lateness follow from the schedule: say how late the player came."),
        "award.unknown": _("These points were taken back already."),
        "award.match_lost": _("After %(minutes)s minutes this match is lost. Record that as its result."),
    }
)
