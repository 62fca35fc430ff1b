"""Messages for errors of the command bar (`engine.desk`): commands not understood or not possible."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from people.messages import register_messages
from tournaments.engine.desk.vocabulary import ENGLISH, EXAMPLES, CommandWord, vocabulary_for


def _usage(params: Mapping[str, Any]) -> str:
    """Return “Enter it like this: …” with examples of a command, in the language of the page.

    ``params["word"]`` is the command.
    """
    vocabulary = vocabulary_for(get_language() or ENGLISH)
    word = CommandWord(params["word"])
    examples = [form.written(vocabulary) for form in EXAMPLES if form.word is word]
    return gettext("Enter it like this: %(examples)s") % {"examples": " · ".join(examples)}


register_messages(
    {
        "desk.empty": _("Type what happened, for example: 12 bob 3"),
        "desk.too_long": _("Enter a command of at most %(limit)s characters."),
        "desk.unreadable": _("“%(part)s” is not a known command. Type ? for all commands."),
        "desk.too_many_numbers": _(
            "Too many numbers. Enter the table, the winner and the loser’s points: 12 bob 3"
        ),
        "desk.usage": _usage,
        "desk.which_match": _("Which match? Start with its table, or with # and its number: 12 7-3, #74 7-3"),
        "desk.which_result": _("Who won? Enter the points after the name, or the table before it."),
        "desk.several_of_that_name": _(
            "%(count)s matches are possible. Enter the points after the name, or the table before it."
        ),
        "desk.who_won": _("Who won? Add the name, or both scores from left to right."),
        "desk.loser_points": _(
            "Enter %(least)s to %(most)s points for the loser of this match, not %(points)s."
        ),
        "desk.walkover_score": _("Without play the score of this match is %(a)s–%(b)s. Leave the score out."),
        "desk.how_it_stood": _("What was the score? Enter both scores after the name: 3-2"),
        "desk.adjourned_already": _(
            "This match is already adjourned. Change the recorded score on the match page."
        ),
        "desk.nothing_reported": _("No reports are waiting for you."),
        "desk.not_reported": _("No result has been reported for this match."),
        "desk.no_such_match": _("Match %(number)s was not found or cannot have a result now."),
        "desk.table_free": _("No match is at table %(table)s."),
        "desk.table_free_but_match": _(
            "No match is at table %(table)s. For match %(table)s, enter #%(table)s."
        ),
        "desk.not_in_this_match": _("“%(name)s” does not play in this match."),
        "desk.nobody": _("No player named “%(name)s” has a match to play now. Type ? for all commands."),
        "desk.not_to_call": _("This match has already been called or started."),
        "desk.how_late": _("How many minutes late? Enter them after the name."),
        "desk.no_entry": _("No player named “%(name)s” is in this event."),
        "desk.both_free": _(
            "Tables %(first)s and %(second)s are both free, so there are no matches to swap."
        ),
    }
)
