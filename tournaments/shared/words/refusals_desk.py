"""Why a line of the desk means nothing, in words, and what is possible instead: the refusals of `engine.desk`."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from people.messages import register
from tournaments.engine.desk.vocabulary import ENGLISH, FORMS, Word, vocabulary


def _usage(params: Mapping[str, Any]) -> str:
    """How a word is used, in the words of the language that the page is in."""
    words = vocabulary(get_language() or ENGLISH)
    word = Word(params["word"])
    examples = [form.written(words) for form in FORMS if form.word is word]
    return gettext("Write it like this: %(examples)s") % {"examples": " · ".join(examples)}


register(
    {
        "desk.empty": _("Type what happened, for example: 12 bob 3"),
        "desk.too_long": _("The line is too long: %(limit)s characters at most."),
        "desk.unreadable": _("“%(part)s” is nothing that the line understands. Type ? for its words."),
        "desk.too_many_numbers": _(
            "There are too many numbers. Write table, winner and the loser’s points: 12 bob 3"
        ),
        "desk.usage": _usage,
        "desk.which_match": _("Which match? Begin with its table, or with # and its number: 12 7-3, #74 7-3"),
        "desk.which_result": _("Who won? Write the points behind the name, or the table before it."),
        "desk.several_of_that_name": _(
            "Several matches can be meant: %(count)s. Write the points behind the name, or the table before it."
        ),
        "desk.who_won": _("Who won? Add the name, or both scores from left to right."),
        "desk.loser_points": _(
            "The loser of this match can have %(least)s to %(most)s points, not %(points)s."
        ),
        "desk.walkover_score": _("Without play this match stands at %(a)s–%(b)s. Leave the score away."),
        "desk.how_it_stood": _("How did it stand? Write both scores behind the name: 3-2"),
        "desk.adjourned_already": _(
            "This match is adjourned already. What was written down is changed on its page."
        ),
        "desk.nothing_reported": _("Nothing that was reported waits for you."),
        "desk.not_reported": _("Nobody has reported a result of this match."),
        "desk.no_such_match": _("No match %(number)s can have a result now."),
        "desk.table_free": _("No match is at table %(table)s."),
        "desk.table_free_but_match": _(
            "No match is at table %(table)s. If you mean match %(table)s, write #%(table)s."
        ),
        "desk.not_in_this_match": _("“%(name)s” does not play in this match."),
        "desk.nobody": _("Nobody called “%(name)s” has a match to play now."),
        "desk.not_to_call": _("This match is called or being played already."),
        "desk.how_late": _("How many minutes late? Write them behind the name."),
        "desk.no_entry": _("Nobody called “%(name)s” is in this event."),
        "desk.both_free": _("Tables %(first)s and %(second)s are both free: there is nothing to swap."),
    }
)
