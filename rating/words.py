"""Messages for the error codes of ratings."""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "rating.key_taken": _("This result is already in the ledger with different details."),
        "rating.taken_back": _("This result has been corrected or removed in the meantime."),
        "rating.fact_unknown": _("The result was not found in the ledger."),
        "rating.opening_not_there": _(
            "This opening rating was removed in the meantime or is neither of the two offered. Review the "
            "merge again."
        ),
        "rating.kind_unknown": _("“%(kind)s” is not a valid result type."),
        "rating.not_rateable": _("Results of this type are not rated."),
        "rating.length": _("Enter a match length between 1 and 99 points for a rated match."),
        "rating.score": _(
            "In a match to %(length)s, the winner needs at least %(length)s points and the loser must have "
            "fewer."
        ),
        "rating.same_player": _("Choose two different players."),
        "rating.player_unknown": _("Player not found."),
        "rating.place": _("Enter a place between 1 and the number of players in the field."),
        "rating.weight": _("Enter an event weight between 0 and 100."),
        "rating.pr": _("Enter errors (PR) between 0 and %(limit)s."),
        "rating.naive_time": _("Add a time zone to the time of play."),
        "rating.discipline_unknown": _("“%(discipline)s” is not a valid type of play."),
        "rating.system_unknown": _("Rating system “%(system)s” was not found."),
        "rating.parameter.unknown": _("This rating system does not have a setting named “%(name)s”."),
        "rating.parameter.choice": _("Choose one of the options for “%(name)s”."),
        "rating.parameter.number": _("Enter a number for “%(name)s”."),
        "rating.parameter.range": _("The value of “%(name)s” is outside the allowed range."),
        "rating.parameter.schedule": _(
            "Enter “%(name)s” in the form 0:20, 400:4, with experience rising from 0."
        ),
        "rating.name_missing": _("Enter a name for the list."),
        "rating.name_long": _("The name is too long: %(limit)s characters at most."),
        "rating.start": _("Enter a start value between 0 and 10,000."),
        "rating.lengths": _(
            "Enter match lengths between 1 and 99, with the shortest no longer than the longest."
        ),
        "rating.dates": _("Choose a last date on or after the first date."),
        "rating.ranking_number": _("Enter a whole number between 0 and %(limit)s."),
        "rating.members_unknown": _("Choose which players are ranked."),
        "rating.year": _("Enter a year between %(first)s and %(last)s."),
        "rating.list_unknown": _("The rating list was not found."),
        "rating.settings_changed": _(
            "The settings were changed by another person while you were editing. Your changes are not saved "
            "yet."
        ),
        "rating.main_list": _("The club’s own list cannot be hidden."),
        "rating.rebuild_running": _("This list is already being recalculated."),
        "rating.no_rebuild": _("This list is not being recalculated."),
        "rating.kept_elsewhere": _("This result belongs to an event. Correct it on the match page."),
        "rating.import_running": _(
            "Another import is in progress for this club. Wait until it is finished, or stop it."
        ),
        "rating.import_large": _("The file is too large. The limit is %(limit)s MB."),
        "rating.import_unknown": _("The import was not found. Imports are deleted one week after they end."),
        "rating.import_not_asked": _(
            "This import is in progress or already finished, so it cannot be changed."
        ),
        "rating.import_faulty": _("Nothing was imported. Correct all rows of the table first."),
        "rating.import_over": _("This import has already ended."),
        "rating.import_nobodys": _(
            "Nothing was imported because the account that confirmed the import no longer exists. Check the "
            "table again and confirm the import."
        ),
        "rating.import_failed": _(
            "The table could not be processed after three attempts. Nothing was imported."
        ),
        "rating.results_club": _(
            "This list has no results for the chosen club. Choose the club itself or one of its members."
        ),
        "rating.official_unknown": _("The official list was not found."),
        "rating.official.every": _("Choose weekly, monthly or manually only."),
        "rating.official.schedule_day": _("Enter a day between 1 and %(last)s."),
        "rating.official.day": _("Choose a date that is not in the future, in %(first)s or later."),
        "rating.official.note_long": _("The note is too long. The limit is %(limit)s characters."),
        "rating.official.note_missing": _(
            "Explain what was wrong. The note appears next to the corrected list and is public."
        ),
        "rating.official.exists": _(
            "An official list for this date already exists and cannot be changed. Create a corrected list "
            "instead."
        ),
        "rating.official.replaced": _(
            "Another person has created a corrected list for this date in the meantime. Check that list "
            "first."
        ),
        "rating.official.requested": _(
            "An official list is already being created. Wait until it is finished."
        ),
        "rating.official.computing": _(
            "The ratings of this list are being calculated. Try again when the calculation is finished."
        ),
        "signing.unreadable": _("This file is not an unmodified signed download."),
        "signing.other_key": _("The file is signed with key %(key)s, which is not one of the given keys."),
        "signing.changed": _("The content was changed after the file was signed."),
        "signing.rewritten": _(
            "The content matches the signature, but the file format has changed. Compare the file with the "
            "original from the site."
        ),
        "rating.csv.unreadable": _("The file cannot be read as text. Save it as CSV in UTF-8."),
        "rating.csv.empty": _("The file contains no rows."),
        "rating.csv.large": _("The file is too large. The limit is %(limit)s rows."),
        "rating.csv.columns": _("Add the missing columns: %(columns)s."),
        "rating.csv.number": _("Line %(line)s: “%(value)s” is not a valid number for column %(column)s."),
        "rating.csv.date": _(
            "Line %(line)s: “%(value)s” is not a valid date. Use a format such as 2026-03-14 or 2026-03-14 "
            "19:30."
        ),
        "rating.csv.empty_cell": _("Line %(line)s: column %(column)s is empty."),
        "rating.csv.player_unknown": _("Line %(line)s: no player named “%(value)s” was found in the club."),
        "rating.csv.player_ambiguous": _(
            "Line %(line)s: several players are named “%(value)s”. Use the player’s ID instead."
        ),
        "rating.csv.same_player": _("Line %(line)s: the two players must be different."),
        "rating.csv.score": _("Line %(line)s: %(value)s is not a valid score for a match to %(length)s."),
        "rating.csv.kind": _("Line %(line)s: “%(value)s” is not a result type that can be rated."),
        "rating.csv.cells": _(
            "Line %(line)s has more cells than the first line. Put text that contains a comma in quotes, "
            "and use a decimal point."
        ),
        "rating.csv.weight": _(
            "Line %(line)s: “%(value)s” is not a valid event weight. Use a number above 0 and up to "
            "%(limit)s, with a decimal point as in 2.5."
        ),
        "rating.csv.discipline": _("Line %(line)s: “%(value)s” is not a valid type of play."),
        "rating.csv.place": _("Line %(line)s: place %(value)s is outside the field."),
        "rating.csv.opening_here": _(
            "Line %(line)s is an opening rating and is skipped. Choose a list for it, or import opening "
            "ratings on the page of their list."
        ),
        "rating.csv.hidden": _(
            "Line %(line)s is skipped because it includes a private player without a name in this file. The "
            "member club’s own ledger contains this result."
        ),
        "rating.csv.merged_since": _(
            "Line %(line)s is skipped because its two players have since been merged into one."
        ),
        "rating.csv.other_weight": _(
            "Line %(line)s is already in the ledger with a different weight, which stays unchanged. To "
            "correct it, remove the result first."
        ),
        "rating.csv.other_play": _(
            "Line %(line)s is already in the ledger with different errors (PR) or none, which stay "
            "unchanged. To correct them, remove the result first."
        ),
        "rating.csv.taken_back": _("Line %(line)s is skipped because it was imported and removed earlier."),
        "rating.csv.corrected": _("Line %(line)s was imported and corrected earlier. The correction stays."),
        "rating.csv.score_filled": _(
            "Line %(line)s: the ledger contains this match without a score. The score %(value)s will be "
            "added."
        ),
        "rating.csv.twice": _("Line %(line)s is a duplicate of line %(other)s."),
    }
)
