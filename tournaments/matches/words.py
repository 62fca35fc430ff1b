"""Messages for the error codes of this package: reports, rulings and records.

Others are in `shared.words.refusals`.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.messages import describe, location_label
from games.records.checking import Unreadable
from games.records.findings import finding
from games.records.model import Place
from people.messages import register_messages


def _unreadable_message(params: Mapping[str, Any]) -> str:
    unreadable = Unreadable(params["reason"], Place(params["line"], params["column"]), params["details"])
    return gettext("This file cannot be read as a game record. %(why)s") % {"why": describe(unreadable)}


def _finding_message(params: Mapping[str, Any]) -> str:
    place = Place(params["line"], params["column"])
    record_finding = finding(
        params["finding"], game=params["game"], turn=params["turn"], place=place, **params["details"]
    )
    return gettext("%(where)s: %(why)s") % {
        "where": location_label(record_finding),
        "why": describe(record_finding),
    }


register_messages(
    {
        "record.minds": _(
            "A player does not want these games to be public. Only that player can change this."
        ),
        "report.unknown": _("The report was not found."),
        "quiz.not_over": _("Positions can be shown when the event is over."),
        "quiz.nothing": _(
            "No positions are available: no analysed match has a blunder that may be shown. Players can "
            "have their matches analysed on their own page."
        ),
        "quiz.choice": _("Choose one of the answers."),
        "games.day_odd": _(
            "“%(value)s” is not a valid date. Enter a date such as 2026-11-23, or leave the field empty."
        ),
        "record.no_such_proposal": _(
            "This correction is no longer proposed for this record. Reload the page and choose again."
        ),
        "record.too_many_copies": _("This record already has the maximum of %(limit)s corrected copies."),
        "hand_over.unreadable": _(
            "This is not a valid result code. Show the code again, or report the result separately on both "
            "phones."
        ),
        "hand_over.not_signed": _(
            "This code was not signed by the phones of both players. Report the result separately on both "
            "phones."
        ),
        "hand_over.key_odd": _("This browser’s key cannot be read. Reload the page."),
        "hand_over.too_old": _(
            "The confirmation is too old, or the clock of one phone is wrong. Report the result separately "
            "on both phones."
        ),
        "hand_over.older": _(
            "A newer report of this match was made after you both confirmed. Check the current state."
        ),
        "report.not_open": _(
            "Results cannot be reported for this match at the moment. Check the current state."
        ),
        "report.already_confirmed": _(
            "A different result was confirmed in the meantime. If it is wrong, choose “Report a mistake”."
        ),
        "report.use_correction": _("This match has a confirmed result. To change it, use “Correct result”."),
        "report.replaced": _(
            "This report was replaced by a newer one. Review the new report before you confirm."
        ),
        "report.too_many": _("You have reported this match too many times. Ask the director."),
        "clock.score_of_one": _("Enter the points of both players, or leave both empty."),
        "answer.unknown": _("Choose one of these answers: coming, 5 minutes, cannot play."),
        "answer.too_late": _(
            "Answers are not possible for this match at the moment. Check the current state."
        ),
        "phone.code_wrong": _("This code is not valid or has expired. Show a new code on the other phone."),
        "phone.codes_often": _("Too many codes were entered. Wait ten minutes, or ask the desk."),
        "phone.nobody_yet": _(
            "No phone has reported with this link yet. The first phone that reports does not need a code."
        ),
        "record.unreadable": _unreadable_message,
        "record.refused": _finding_message,
        "record.incomplete": _(
            "This record ends before the match is over. Send the complete record, or report without it."
        ),
        "record.differs": _("The record ends at %(score)s. Check the score, or remove the record."),
        "objection.not_confirmed": _("You can report a mistake once the result is confirmed."),
        "objection.unknown": _("The correction request was not found."),
        "match.no_ruling_now": _(
            "Rulings are not possible for this match at the moment. Check the current state."
        ),
        "award.by_schedule": _(
            "Points for lateness are set by the schedule. Enter how late the player arrived."
        ),
        "award.unknown": _("These points have already been removed."),
        "award.match_lost": _(
            "After %(minutes)s minutes, the late player loses this match. Record this as the result."
        ),
    }
)
