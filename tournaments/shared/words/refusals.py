"""Messages for the errors (faults) that lower layers or several packages raise: what is wrong and what to do.

Messages for faults of one package are in its own ``words.py``.
"""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages
from tournaments.engine.statuses import REFUSAL_CODES
from tournaments.shared.words.full import division_full_message
from tournaments.shared.words.moves import MATCH_ACTION_TEXTS

# A transition is refused if the state has changed since the page was rendered; the page shows the new one.
_TRANSITION_MESSAGES = {
    "match.pair_refused": _("This match already has both sides."),
    **{f"match.{action}_refused": texts.refusal_message for action, texts in MATCH_ACTION_TEXTS.items()},
    "match.adjourn_refused": _("This match cannot be adjourned now."),
    "match.resume_refused": _("This match is not adjourned."),
    "match.report_refused": _("Results cannot be reported for this match now."),
    "match.dispute_refused": _("This match cannot be disputed now."),
    "match.confirm_refused": _("This match cannot be confirmed now."),
    "match.pass_bye_refused": _("This match is not a bye."),
    "match.void_refused": _("This match is already void."),
    "match.correct_refused": _("Only a finished match can be corrected."),
    "match.repair_refused": _(
        "This change cannot be made by a repair. Tell the site operator what you were doing."
    ),
    "event.open_refused": _("This event cannot be opened for entries now."),
    "event.close_refused": _("This event is not open for entries."),
    "event.start_refused": _("This event cannot start now."),
    "event.unstart_refused": _("This event is not running."),
    "event.finish_refused": _("This event is not running."),
    "event.reopen_refused": _("Only a finished event can be reopened."),
    "event.cancel_refused": _("This event can no longer be cancelled."),
    "event.restore_refused": _("Only a cancelled event can be restored."),
    "stage.draw_refused": _("The draw has already been published. Unpublish it first."),
    "stage.discard_refused": _("No unpublished draw to discard."),
    "stage.publish_refused": _("No new draw to publish. Make a draw first."),
    "stage.unpublish_refused": _("The draw cannot be changed because play has begun."),
    "stage.start_refused": _("This stage cannot start now."),
    "stage.unstart_refused": _("The draw cannot be changed because play has begun."),
    "stage.finish_refused": _("This stage is not running."),
    "stage.reopen_refused": _("Only a finished stage can be reopened."),
    "receipt.gone": _("This registration no longer exists. Please ask the director."),
    "link.not_approved": _("This link will work once the director has approved the entry."),
    "entry.approve_refused": _("This entry has already been approved or withdrawn."),
    "entry.move_up_refused": _("This entry is not waiting for a place."),
    "entry.withdraw_refused": _("This entry has already been withdrawn."),
    "entry.return_refused": _(
        "This entry is not withdrawn: it is active, on the waiting list or pending approval."
    ),
    "entry.queue_refused": _(
        "This entry is not withdrawn: it is active, on the waiting list or pending approval."
    ),
    "entry.move_back_refused": _("This entry has no place to give back."),
    "entry.unapprove_refused": _("This entry is not approved or has been withdrawn."),
}
if missing := REFUSAL_CODES - set(_TRANSITION_MESSAGES):
    raise LookupError(f"refusals without words: {sorted(missing)}")

register_messages(_TRANSITION_MESSAGES)
register_messages(
    {
        "call.unknown": _("These calls were not found. Check the matches and try again."),
        "notice.empty": _("Enter the text of the announcement."),
        "notice.too_long": _("Enter at most %(limit)s characters (currently %(count)s)."),
        "answer.reason_missing": _("Enter a short reason so that the director can decide."),
        "answer.reason_long": _("Enter at most %(limit)s characters (currently %(count)s)."),
        "event.unknown": _("Event not found."),
        "stage.other_system": _("This event uses a different format."),
        "swiss.rounds_odd": _("Enter a number of rounds from 1 to %(limit)s."),
        "swiss.points_odd": _("Choose a full point, half a point or no point for a round without play."),
        "swiss.clubs_odd": _("Choose what happens to players of the same club."),
        "swiss.too_few": _("A round needs at least 2 players; there are %(count)s."),
        "swiss.no_pairing": _(
            "These %(count)s players cannot be paired because too many are from the same club or kept "
            "apart. Allow some of them to meet."
        ),
        "swiss.not_entered": _("A player in this round is not entered. Reload the page."),
        "tie_break.unknown": _("Tie-break “%(code)s” not found."),
        "tie_break.edition_unknown": _("Edition “%(value)s” of the tie-break rules not found."),
        "tie_break.not_in_edition": _(
            "This edition of the rules (%(edition)s) does not include the tie-break “%(code)s”. Choose "
            "another tie-break or another edition."
        ),
        "tie_break.not_in_round_robin": _(
            "This edition of the rules (%(edition)s) does not allow the tie-break “%(code)s” in a round "
            "robin, because all players have the same opponents."
        ),
        "tie_break.not_in_swiss": _(
            "This edition of the rules (%(edition)s) allows the tie-break “%(code)s” only in round robins."
        ),
        "tie_break.twice": _("Choose each tie-break only once."),
        "tie_break.too_many": _("Choose at most %(limit)s tie-breaks."),
        "swiss.lives_odd": _("Enter a number of lives from 1 to %(limit)s, or 0 for no elimination."),
        "groups.count_odd": _("Enter a number of groups from 1 to %(limit)s."),
        "prizes.gift_long": _("Enter at most %(limit)s characters for the other prize."),
        "prizes.too_many": _("Enter prizes for at most %(limit)s places in a part."),
        "prizes.per_cent_odd": _("Enter a percentage from 0 to 100 with at most %(digits)s decimal places."),
        "prizes.pool_twice": _("Enter the pool as an amount or as a share of the division’s pool, not both."),
        "prizes.parts_over": _(
            "The parts add up to %(sum)s per cent of this pool. Enter at most 100 per cent in total."
        ),
        "prizes.shares_over": _(
            "These places add up to %(sum)s per cent. Enter at most 100 per cent in total."
        ),
        "prizes.amount_fine": _("Enter at most %(digits)s decimal places for this currency."),
        "prizes.amount_odd": _("Enter an amount from 0 to %(largest)s."),
        "prizes.unit_unknown": _("Choose one of these values to round percentage prizes: %(allowed)s."),
        "prizes.odd": _("Enter at most %(limit)s prizes, each from 0 to %(largest)s."),
        "division.unknown": _("Division not found."),
        "settings.changed": _(
            "Another person saved these settings while you were editing them. Your changes have not been "
            "saved yet."
        ),
        "series.unknown": _("Series not found."),
        "template.unknown": _("Template not found."),
        "series.points_none": _("Enter points for at least the first place and at most %(limit)s places."),
        "series.points_odd": _("Enter points as whole numbers from 0 to %(limit)s."),
        "series.points_rise": _("A lower place cannot earn more points than a higher place."),
        "series.best_odd": _(
            "Enter how many evenings count, from 1 to %(limit)s, or leave it empty to count all of them."
        ),
        "series.division_long": _("The name is too long: %(limit)s characters at most."),
        "plan.feed_does_not_fit": _(
            "Places can come from a table or a bracket, losers only from a bracket; both can go into a "
            "bracket or a table."
        ),
        "plan.source_unknown": _("Choose an earlier stage for the players to come from."),
        "plan.feed_of_nothing": _("Enter how many players advance: 1 or more."),
        "plan.feed_from_nothing": _("Enter 1 or more."),
        "plan.feed_turned": _("Enter %(first)s or more: the last number cannot be lower than the first."),
        "plan.feed_of_no_section": _(
            "The previous stage does not have the part that players should come from."
        ),
        "plan.feed_too_many": _("Add at most %(limit)s more sources of players."),
        "plan.rest_goes_elsewhere": _("All other players already go to another stage."),
        "plan.feed_missing": _("Choose the stage that the players come from."),
        "plan.no_stages": _("A division needs at least one stage."),
        "plan.key_twice": _("Give each stage a different name."),
        "plan.losers_go_elsewhere": _("The losers of this round already go to another draw."),
        "round.unknown": _("Round not found."),
        "paper.unknown": _("Printout not found."),
        "stage.unknown": _("Stage not found."),
        "stage.already_drawn": _("The draw has been made. Discard it first, then change the format."),
        "length.none": _("Enter at least one match length, for example 5, 5, 7, 9."),
        "length.too_short": _("Enter a match length of at least 1 point."),
        "length.too_long": _("%(length)s points are too many. Enter a match length of at most 99."),
        "length.too_many": _("Enter at most 16 match lengths. Earlier rounds use the first one."),
        "list.file_large": _(
            "The file is larger than %(limit)s MB. Keep only the sheet with the players and save it again."
        ),
        "list.file_old": _(
            "This file is from an old version of Excel or protected by a password. Save it as .xlsx without "
            "a password, or as CSV."
        ),
        "list.file_unreadable": _(
            "This file cannot be read. Save it as .xlsx or CSV, or copy and paste the rows."
        ),
        "list.file_unpacked": _(
            "This workbook contains much more than a list of players. Copy and paste the rows with the "
            "players."
        ),
        "list.file_empty": _("This workbook is empty."),
        "column.unknown": _("This custom field no longer exists. Reload the page."),
        "entry.unknown": _("Entry not found in this event."),
        "entry.too_many": _("A draw can have at most %(limit)s entries; there are already %(have)s."),
        "entry.twice": _("%(name)s is already entered."),
        "entry.none_chosen": _("Choose at least one entry."),
        "column.too_many": _("An event can have at most %(limit)s custom fields."),
        "column.name_odd": _("Enter a field name of at most %(limit)s characters."),
        "column.twice": _("Two custom fields are named %(name)s. Give each field a different name."),
        "column.choices_odd": _(
            "Enter two to %(most)s options separated by commas, each with at most %(limit)s characters."
        ),
        "column.value_odd": _("%(name)s: choose one of the options, or enter at most %(limit)s characters."),
        "check_in.missing": _(
            "Not checked in: %(count)s (%(names)s). Leave them out, draw them anyway, or check them in on "
            "the Check-in page."
        ),
        "draw.event_closed": _("This event is running, finished or cancelled, so a draw cannot be made now."),
        "draw.seed_odd": _(
            "Enter a seed of 64 digits (0-9 and a-f), or for an early draw a whole number from 0 to "
            "%(limit)s."
        ),
        "lot.rolls_odd": _(
            "Enter %(apart)s rolls of two distinguishable dice, or %(alike)s rolls of two dice that look "
            "alike; you entered %(have)s."
        ),
        "lot.order_odd": _("Enter each of the %(count)s numbers exactly once; you entered %(have)s."),
        "lot.list_changed": _(
            "The list has changed since you saw it. Check the new list and try again. Dice must be rolled "
            "again."
        ),
        "randomness.none_named": _(
            "No public number has been chosen for this draw. Choose one first, or draw without it."
        ),
        "randomness.too_early": _(
            "The time of the public number has not been reached yet. Draw after that time."
        ),
        "randomness.read_from_missing": _(
            "Enter the source of the number, for example a web address, in at most %(limit)s characters."
        ),
        "randomness.value_odd": _(
            "Copy everything on the page of the drand round, or enter its random number: 64 hexadecimal "
            "digits (0–9 and a–f)."
        ),
        "randomness.other_round": _("This is a different round. Copy the page of round %(round)s."),
        "randomness.number_odd": _(
            "Enter the lottery number in digits or letters, with at most %(limit)s characters."
        ),
        "draw.entries_odd": _("A draw needs %(least)s to %(most)s entries; there are %(count)s."),
        "draw.too_few_entries": _("A draw needs at least %(minimum)s entries."),
        "draw.too_many_entries": _("A draw can have at most %(maximum)s entries."),
        "draw.begun": _("The draw cannot be changed because play has begun."),
        "draw.lines_do_not_fit": _("The draw does not match the entries. Draw again."),
        "draw.entry_twice": _("An entry is in the draw twice. Draw again."),
        "draw.no_power_of_two": _("The number of bracket lines must be a power of two. Draw again."),
        "draw.no_semifinal": _("A match for third place needs more than two entries."),
        "division.limit_source_missing": _("Enter whose ratings count: a list of the club or a federation."),
        "division.limit_source_long": _("Enter at most %(limit)s characters for the source of the ratings."),
        "division.limit_empty": _(
            "Enter a lowest or a highest rating, or both. To remove the limit, also clear its source."
        ),
        "division.limit_odd": _("Enter a rating from %(least)s to %(most)s."),
        "division.limit_turned": _("Enter a highest rating that is not below the lowest."),
        "entry.full": division_full_message,
        "own_return.over": _("This event has finished."),
        "own_return.drawn": _(
            "The draw has been made. Ask at the desk: the director can reinstate you if a place is free."
        ),
        "own_return.cut_off": _("Entries are closed. Ask at the desk: the director can still add you."),
        "own_return.by_desk": _(
            "A director withdrew your entry, for example because you were missing at check-in. Ask at the "
            "desk to be reinstated."
        ),
        "entry.starts_when_full": _(
            "This starts automatically when it is full. Places left: %(left)s. The next one opens after that."
        ),
        "draw.stage_before_not_over": _(
            "Finish the previous stage first: this stage is drawn from its table."
        ),
        "draw.rounds_before_not_over": _(
            "Play all matches of the rounds whose losers enter, then make the draw."
        ),
        "open_lines.odd": _("Reserve at most %(limit)s lines for late entries."),
        "open_lines.first_match": _(
            "Lines cannot be reserved with a consolation for first-match losers: late entries use the lines "
            "of the byes."
        ),
        "buy_back.no_place": _("No place left for a re-entry."),
        "buy_back_within.odd": _(
            "Enter a number of matches from %(least)s to %(limit)s, or 0 for all eliminated players."
        ),
        "flight.not_in_double": _(
            "In double elimination the lower bracket replaces the consolation and the match for third "
            "place. For a last chance, add a stage for losers of the lower bracket."
        ),
        "double.lengths_alone": _(
            "Only double elimination has separate lengths for the lower bracket and the final."
        ),
        "flight.rounds_odd": _("Choose losers from 1 to %(limit)s rounds."),
        "bracket.no_such_section": _("This bracket does not have this part."),
        "bracket.no_such_match": _("Match %(match)s was not found in this draw."),
        "bracket.losers_go_elsewhere": _("The losers of this round already go to another draw."),
        "forecast.never_ends": _("With these settings the event would never end."),
        "forecast.no_tables": _("Enter at least one table."),
        "groups.too_few_entries": _("Too few entries for this number of groups."),
        "groups.too_few_qualify": _("Too few entries qualify from the groups for a knockout."),
        "late_entry.no_free_bye": _("No bye is left for a late entry."),
        "slow_play.no_rule": _("Enter steps of at least 1 minute and values of 0 or more."),
        "lateness.no_rule": _("Enter steps of at least 1 minute and values of 0 or more."),
        "league.division_too_small": _(
            "A division of the league has too few players for this number of promotions and relegations."
        ),
        "league.not_in_it": _("This entry is not in the league."),
        "pairing.cost_too_large": _("Too many entries for this kind of pairing."),
        "plan.no_elimination": _("This is only possible in a bracket."),
        "prizes.negative": _("Enter a prize of 0 or more."),
        "prizes.places_open": _("Prizes can be distributed once all places are final."),
        "result.none_to_correct": _("This match has no result to correct."),
        "round_robin.places_not_even": _("A round robin table needs an even number of places."),
        "standings.entry_twice": _("An entry is in the standings twice."),
        "match.unknown": _("Match not found."),
        "match.table_odd": _("Enter a table from 1 to %(limit)s."),
        "table.closed": _(
            "Table %(table)s is out of use. Choose another table, or put this one back into use first."
        ),
        "match.changed_meanwhile": _(
            "This match has changed in the meantime. Check its current state, then try again."
        ),
        "match.not_running": _("This match is not part of a running event."),
        "event.over": _("This event has finished."),
        "event.called_off": _("This event is cancelled and cannot be changed. Restore it to make changes."),
        "result.match_not_ready": _("Both sides of the match must be known before a result can be recorded."),
        "score.negative": _("Enter a score of 0 or more."),
        "score.below_start": _("This side started with %(start)s points and cannot have fewer."),
        "score.both_at_length": _(
            "Only one side can have %(length)s points: the match ends when the first side reaches them."
        ),
        "score.loser_at_length": _(
            "The match is to %(length)s points. Enter fewer than %(length)s points for the loser."
        ),
        "score.winner_not_at_length": _(
            "This match is to %(length)s points. Enter %(length)s as the winner’s score."
        ),
        "score.none_at_length": _(
            "Neither side has %(length)s points. Enter exactly %(length)s points for the winner."
        ),
        "score.must_be_below_length": _("With this result neither side can have %(length)s points."),
        "score.must_stay_at_start": _(
            "This side keeps its %(start)s points, because the match was not played."
        ),
        "score.winner_missing": _("Choose who won."),
        "score.winner_contradicts": _("According to the score, the other side won."),
        "score.winner_not_allowed": _("This kind of result has no winner."),
        "kind.not_claimable": _("This result can only come from the draw."),
        "sheet.unreadable": _(
            "“%(words)s” is not a valid score. Enter the score after each game, such as 1-0 1-2 5-2."
        ),
        "sheet.too_long": _("Enter at most %(limit)s games."),
        "report.none": _("No result has been reported yet."),
        "report.kind_not_yours": _("Only a director can record this kind of result."),
        "report.kind_ends_nothing": _(
            "An adjourned match has no result yet. Use “Adjourn” to record the current score."
        ),
        "report.key_used": _("This form has already been used for another report. Reload the page."),
        "report.key_odd": _("Reload the page and send the form again."),
        "report.note_long": _("The note is too long. The limit is %(limit)s characters."),
        "phone.other": _(
            "Another phone already reports with this link. Show a code on that phone and enter it here, or "
            "ask at the desk. Nothing was sent."
        ),
        "phone.too_many": _("Too many phones are asking to use this link. Please talk to the director."),
        "link.broken": _("This link is not complete. Scan the code again or ask the director for a new one."),
        "link.revoked": _("This link is no longer valid. Ask the director for a new one."),
        "quiz.unknown": _("Position not found or no longer shown."),
        "operator.unknown": _("Not found."),
        "operator.report_unknown": _("The report was not found."),
        "player.merge_unknown": _("Merge not found."),
        "link.suspended": _(
            "This player’s account is suspended, so the link cannot be used for now. Contact: %(contact)s"
        ),
        "link.expired": _("This link expired %(days)s days after the event."),
        "money.doubles_odd": _("Enter 0 to %(limit)s automatic doubles."),
        "money.min_sessions_odd": _("Enter a number of sessions from 1 to %(limit)s."),
        "money.raccoons_without_beavers": _("Raccoons need beavers, because a raccoon answers a beaver."),
        "award.points_odd": _("Enter at least one point."),
        "award.ends_match": _(
            "This would bring the score to %(length)s points or more and end the match. Record the result "
            "instead."
        ),
        "award.note_long": _("The reason is too long: %(limit)s characters at most."),
        "award.reason_missing": _("Enter the reason for the penalty."),
        "award.minutes_odd": _("Enter the minutes as a number from 0 to %(limit)s."),
        "clock.from_start": _("All matches of this stage are already played with a clock."),
        "clock.on_already": _("This match already has a clock. Check its current state."),
        "clock.not_on": _("No clock was added to this match."),
        "clock.score_odd": _(
            "During a match, both sides have fewer than %(length)s points and at least %(a)s–%(b)s."
        ),
        "desk_note.empty": _("Enter a note for the other staff."),
        "desk_note.long": _("Enter a note of at most %(limit)s characters."),
        "clocks.no_rule": _("Enter the clock times in seconds, from 0 to %(limit)s."),
        "event.weight_fixed": _(
            "The weight cannot be changed because there are already results. They are recorded with it in "
            "the ratings ledger, where entries never change."
        ),
        "division.weight_fixed": _(
            "The first and second divisions cannot change places because there are already results, and "
            "their master points would change."
        ),
        "adjourned.cube_odd": _("Enter a cube value of 1 (in the middle), 2, 4, 8 and so on."),
        "adjourned.cube_owner": _("Choose an owner for a turned cube. A cube at 1 has no owner."),
        "adjourned.position_odd": _(
            "This position is not valid. Copy the position ID or the XGID from your backgammon program, or "
            "leave the field empty."
        ),
        "adjourned.game_over": _(
            "The game is over in this position. Record the score and leave the position empty."
        ),
        "adjourned.on_roll_missing": _("Choose whose turn it is. This is needed with a position and dice."),
        "adjourned.dice_odd": _("Enter dice from 1 to 6."),
        "adjourned.clock_odd": _("Enter a clock time from 0 to %(limit)s minutes."),
        "adjourned.in_the_past": _(
            "This date has passed. Enter today or a later date, or leave the field empty."
        ),
        "adjourned.day_missing": _("Enter a date as well as a time."),
        "adjourned.text_long": _("This is too long: use at most %(limit)s characters."),
        "report.not_your_match": _("This match is not one of yours."),
        "times.none": _("Offer at least one time."),
        "times.many": _("Offer at most %(limit)s times at once."),
        "times.odd": _("Enter a date and time such as 2027-05-01T20:15, or choose them."),
        "times.left_out": _(
            "This time does not exist, because clocks in %(zone)s go forward in that hour. Choose an "
            "earlier or later time."
        ),
        "times.over": _("This time has passed. Choose a later time."),
        "times.after_round": _(
            "This is after %(day)s, the last day of the round. Choose an earlier time, or ask the director "
            "to extend the round."
        ),
        "times.after_event": _("This is after %(day)s, long after the event. Ask the director."),
        "times.twice": _("Offer each time only once."),
        "times.place_long": _("Enter a place of at most %(limit)s characters."),
        "message.empty": _("Enter a message."),
        "message.long": _("Enter at most %(limit)s characters (currently %(count)s)."),
    }
)
