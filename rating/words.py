"""Words for the error codes of ratings."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "rating.key_taken": _("This result is in the ledger already, with other contents."),
        "rating.taken_back": _("This result was corrected or taken back meanwhile."),
        "rating.fact_unknown": _("The ledger has no such result."),
        "rating.opening_not_there": _(
            "This opening rating was taken back meanwhile, or is none of these two. Look at the merge again."
        ),
        "rating.kind_unknown": _("“%(kind)s” is not a kind of result."),
        "rating.not_rateable": _("A result of this kind is not rated."),
        "rating.length": _("A rated match is played to between 1 and 99 points."),
        "rating.score": _(
            "The winner of a match to %(length)s has %(length)s points or more, the loser fewer."
        ),
        "rating.same_player": _("Nobody plays against themselves."),
        "rating.player_unknown": _("There is no such player."),
        "rating.place": _("The place must lie inside the field."),
        "rating.weight": _("An event weight lies between 0 and 100."),
        "rating.pr": _("Errors of play (PR) lie between 0 and %(limit)s."),
        "rating.naive_time": _("The time played needs a time zone."),
        "rating.discipline_unknown": _("“%(discipline)s” is not a kind of play that lists know."),
        "rating.system_unknown": _("There is no rating system called “%(system)s”."),
        "rating.parameter.unknown": _("This system has no setting called “%(name)s”."),
        "rating.parameter.choice": _("“%(name)s” must be one of the choices given."),
        "rating.parameter.number": _("“%(name)s” must be a number."),
        "rating.parameter.range": _("“%(name)s” is outside of what makes sense."),
        "rating.parameter.schedule": _("“%(name)s” must read like 0:20, 400:4, experience rising from 0."),
        "rating.name_missing": _("Give the list a name."),
        "rating.name_long": _("The name is too long: %(limit)s characters at most."),
        "rating.start": _("A start value lies between 0 and 10,000."),
        "rating.lengths": _(
            "The shortest match cannot be longer than the longest; lengths run from 1 to 99."
        ),
        "rating.dates": _("The last day cannot come before the first."),
        "rating.ranking_number": _("Give a whole number from 0 to %(limit)s."),
        "rating.members_unknown": _("Choose whose players are ranked."),
        "rating.year": _("The year must lie between %(first)s and %(last)s."),
        "rating.list_unknown": _("There is no such rating list."),
        "rating.settings_changed": _(
            "Somebody else saved other settings while you were here. Nothing of yours is saved yet."
        ),
        "rating.main_list": _("The club's own list stays."),
        "rating.rebuild_running": _("This list is being rebuilt already."),
        "rating.no_rebuild": _("No rebuild of this list is running."),
        "rating.kept_elsewhere": _("This result belongs to an event. Correct it on the page of its match."),
        "rating.import_running": _(
            "Another table of this club is being taken in. Wait until it is done, or stop it first."
        ),
        "rating.import_large": _("The file is too large: %(limit)s MB at most."),
        "rating.import_unknown": _("There is no such import, or it was forgotten a week after its end."),
        "rating.import_not_asked": _("This import is being worked on, or over: there is nothing to decide."),
        "rating.import_faulty": _("Nothing can be taken in before every line of the table is right."),
        "rating.import_over": _("This import is over already."),
        "rating.import_nobodys": _(
            "The account that decided to take it in does not exist any more. Nothing came in: check it again, and decide."
        ),
        "rating.import_failed": _(
            "The table could not be worked through: three tries broke off. Nothing of it was taken in."
        ),
        "rating.results_club": _(
            "This club has no results here: choose the club itself or one of its members."
        ),
        "rating.official_unknown": _("There is no such official list."),
        "rating.official.every": _("Choose every week, every month, or by hand only."),
        "rating.official.schedule_day": _("Choose a day from 1 to %(last)s."),
        "rating.official.day": _("Choose a day that has begun, from the year %(first)s on."),
        "rating.official.note_long": _("The note is too long: %(limit)s characters at most."),
        "rating.official.note_missing": _(
            "Write what was wrong: everybody reads it beside the corrected list."
        ),
        "rating.official.exists": _(
            "This day has an official list already. It stays as it is; to put it right, make a corrected one of it."
        ),
        "rating.official.replaced": _(
            "Somebody else has made a corrected list of this day meanwhile. Look at that one first."
        ),
        "rating.official.requested": _("An official list is being made already. Wait until it is there."),
        "rating.official.computing": _(
            "The ratings of this list are being computed. Try again when that is done."
        ),
        "signing.unreadable": _("This is not a signed file as it was downloaded."),
        "signing.other_key": _("It was signed by the key %(key)s, which is not among the keys given."),
        "signing.changed": _("Something in it was changed since it was signed."),
        "signing.rewritten": _(
            "What it says is what was signed, but the file was written anew. Compare it with the one from the site."
        ),
        "rating.csv.unreadable": _("The file is not readable text. Save it as CSV in UTF-8."),
        "rating.csv.empty": _("The file has no rows."),
        "rating.csv.large": _("The file is too large: %(limit)s rows at most."),
        "rating.csv.columns": _("These columns are missing: %(columns)s."),
        "rating.csv.number": _("Line %(line)s: “%(value)s” in column %(column)s is not a number that fits."),
        "rating.csv.date": _(
            "Line %(line)s: “%(value)s” is not a date such as 2026-03-14 or 2026-03-14 19:30."
        ),
        "rating.csv.empty_cell": _("Line %(line)s: the column %(column)s is empty."),
        "rating.csv.player_unknown": _("Line %(line)s: no player called “%(value)s” is known to the club."),
        "rating.csv.player_ambiguous": _(
            "Line %(line)s: several players are called “%(value)s”; write the player's id instead."
        ),
        "rating.csv.same_player": _("Line %(line)s: nobody plays against themselves."),
        "rating.csv.score": _("Line %(line)s: %(value)s is not a score of a match to %(length)s."),
        "rating.csv.kind": _("Line %(line)s: “%(value)s” is not a kind of result that is rated."),
        "rating.csv.cells": _(
            "Line %(line)s has more cells than the first line. Put a text with a comma in quotes, and write decimals with a point."
        ),
        "rating.csv.weight": _(
            "Line %(line)s: “%(value)s” is no weight of an event: it lies above 0 and goes up to %(limit)s, with a decimal point as in 2.5."
        ),
        "rating.csv.discipline": _("Line %(line)s: “%(value)s” is not a kind of play that lists know."),
        "rating.csv.place": _("Line %(line)s: the place %(value)s does not lie inside the field."),
        "rating.csv.opening_here": _(
            "Line %(line)s is an opening rating: it stays out. Choose a list for it, or take opening ratings in on the page of their list."
        ),
        "rating.csv.hidden": _(
            "Line %(line)s: a player of it is private and has no name in this file: it stays out. The ledger of the member club itself has it."
        ),
        "rating.csv.merged_since": _(
            "Line %(line)s is between two players who were found to be one since: it stays out."
        ),
        "rating.csv.other_weight": _(
            "Line %(line)s is in the ledger already, with another weight: that one stays. Take the result back first if it is wrong."
        ),
        "rating.csv.other_play": _(
            "Line %(line)s is in the ledger already, with other errors of play (PR) or none: that stays. Take the result back first if it is wrong."
        ),
        "rating.csv.taken_back": _("Line %(line)s was taken in before and taken back since: it stays out."),
        "rating.csv.corrected": _(
            "Line %(line)s was taken in before and corrected since: the correction stays."
        ),
        "rating.csv.score_filled": _(
            "Line %(line)s: this match is in the ledger without its score; %(value)s takes its place there."
        ),
        "rating.csv.twice": _("Line %(line)s repeats line %(other)s."),
    }
)
