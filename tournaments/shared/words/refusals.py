"""Words for what the floors below refuse, and what several rooms do: what is wrong, where, and what to do.

What one room alone refuses stands in its own ``words.py``.
"""

from django.utils.translation import gettext_lazy as _

from people.messages import register
from tournaments.engine.statuses import REFUSAL_CODES
from tournaments.shared.words.full import full_words
from tournaments.shared.words.moves import MOVE_WORDS

# A refused transition means that somebody else was quicker or the page was old; the page shows the state beside it.
_REFUSED = {
    "match.pair_refused": _("This match already has both its sides."),
    **{f"match.{action}_refused": words.refused for action, words in MOVE_WORDS.items()},
    "match.adjourn_refused": _("This match cannot be adjourned now."),
    "match.resume_refused": _("This match is not adjourned."),
    "match.report_refused": _("This match cannot be reported now."),
    "match.dispute_refused": _("This match cannot be disputed now."),
    "match.confirm_refused": _("This match cannot be confirmed now."),
    "match.pass_bye_refused": _("This match is not a bye."),
    "match.void_refused": _("This match is already void."),
    "match.correct_refused": _("Only a finished match can be corrected."),
    "match.repair_refused": _(
        "This match cannot become that by a repair. Tell whoever runs the site what you were doing."
    ),
    "event.open_refused": _("This event cannot be opened for entries now."),
    "event.close_refused": _("This event is not open for entries."),
    "event.start_refused": _("This event cannot start now."),
    "event.unstart_refused": _("This event is not running."),
    "event.finish_refused": _("This event is not running."),
    "event.reopen_refused": _("Only a finished event can be opened again."),
    "event.cancel_refused": _("This event cannot be cancelled any more."),
    "event.restore_refused": _("Only a cancelled event can be restored."),
    "stage.draw_refused": _("The draw is already published. Take it back first."),
    "stage.discard_refused": _("There is no unpublished draw to throw away."),
    "stage.publish_refused": _("There is no new draw to publish. Make one first."),
    "stage.unpublish_refused": _("Play has begun, so the draw stays."),
    "stage.start_refused": _("This stage cannot start now."),
    "stage.unstart_refused": _("Play has begun, so the draw stays."),
    "stage.finish_refused": _("This stage is not running."),
    "stage.reopen_refused": _("Only a finished stage can be opened again."),
    "receipt.gone": _("This registration is no longer there. Please ask the director."),
    "link.not_approved": _("This link works as soon as the director has approved the entry."),
    "entry.approve_refused": _("This entry is approved already, or has left."),
    "entry.move_up_refused": _("This entry does not wait for a place."),
    "entry.withdraw_refused": _("This entry is already withdrawn."),
    "entry.return_refused": _(
        "This entry is not withdrawn: it takes part, waits for a place, or waits for approval."
    ),
    "entry.queue_refused": _(
        "This entry is not withdrawn: it takes part, waits for a place, or waits for approval."
    ),
    "entry.move_back_refused": _("This entry has no place that it could give back."),
    "entry.unapprove_refused": _("This entry is not approved, or has left."),
}
if missing := REFUSAL_CODES - set(_REFUSED):
    raise LookupError(f"refusals without words: {sorted(missing)}")

register(_REFUSED)
register(
    {
        "call.unknown": _("These calls are not found. Look at the matches again."),
        "notice.empty": _("Type what everybody should know."),
        "notice.too_long": _("At most %(limit)s characters; these are %(count)s."),
        "answer.reason_missing": _("Please say in a few words why: the director decides with it."),
        "answer.reason_long": _("At most %(limit)s characters; these are %(count)s."),
        "event.unknown": _("There is no such event."),
        "stage.other_system": _("This is not how this event is played."),
        "swiss.rounds_odd": _("Give a number of rounds from 1 to %(limit)s."),
        "swiss.points_odd": _("A round without play is worth a full point, half a point or nothing."),
        "swiss.clubs_odd": _("Choose what happens to players of the same club."),
        "swiss.too_few": _("A round needs at least 2 players; there are %(count)s."),
        "swiss.no_pairing": _(
            "These %(count)s players cannot be paired: too many are of the same club, or kept apart. "
            "Let some of them meet if need be."
        ),
        "swiss.not_entered": _("Somebody in this round is not entered. Please load the page again."),
        "tie_break.unknown": _("There is no tie-break called “%(code)s”."),
        "tie_break.edition_unknown": _("There is no edition of the tie-break rules called “%(value)s”."),
        "tie_break.not_in_edition": _(
            "This edition of the rules (%(edition)s) does not know the tie-break “%(code)s”. Choose another one, or another edition."
        ),
        "tie_break.not_in_round_robin": _(
            "This edition of the rules (%(edition)s) forbids the tie-break “%(code)s” in a round robin: all have the same opponents."
        ),
        "tie_break.not_in_swiss": _(
            "This edition of the rules (%(edition)s) has the tie-break “%(code)s” for round robins only."
        ),
        "tie_break.twice": _("A tie-break stands on the list twice."),
        "tie_break.too_many": _("There is room for %(limit)s tie-breaks. Leave some of them out."),
        "swiss.lives_odd": _("Give a number of lives from 1 to %(limit)s, or 0 if nobody goes out."),
        "groups.count_odd": _("Give a number of groups from 1 to %(limit)s."),
        "prizes.gift_long": _("What is given beside money is too long: %(limit)s characters at most."),
        "prizes.too_many": _("A part has room for prizes of %(limit)s places."),
        "prizes.per_cent_odd": _("Give per cent from 0 to 100, with %(digits)s decimals at most."),
        "prizes.pool_twice": _("Give the pool as an amount or as a part of the division's pool, not both."),
        "prizes.parts_over": _("The parts have %(sum)s per cent of this pool together. There are 100."),
        "prizes.shares_over": _("These places have %(sum)s per cent together. There are 100."),
        "prizes.amount_fine": _("This currency has %(digits)s decimals: give no more."),
        "prizes.amount_odd": _("Give an amount from 0 to %(largest)s."),
        "prizes.unit_unknown": _("Prizes in per cent can be rounded to %(allowed)s."),
        "prizes.odd": _("Give at most %(limit)s prizes, each from 0 to %(largest)s."),
        "division.unknown": _("There is no such division."),
        "settings.changed": _(
            "These settings were saved by somebody else while you worked on them. Nothing of yours is saved yet."
        ),
        "series.unknown": _("There is no such series."),
        "template.unknown": _("There is no such template."),
        "series.points_none": _(
            "Write points for the first place at least, and for %(limit)s places at most."
        ),
        "series.points_odd": _("Points are whole numbers from 0 to %(limit)s."),
        "series.points_rise": _("A later place cannot be worth more than one before it."),
        "series.best_odd": _("From 1 to %(limit)s evenings can count; empty: all of them."),
        "series.division_long": _("The name is too long: %(limit)s characters at most."),
        "plan.feed_does_not_fit": _(
            "Places can be taken from a table or a bracket, and losers from a bracket: into a bracket or a table."
        ),
        "plan.source_unknown": _("Choose an earlier stage to take the players from."),
        "plan.feed_of_nothing": _("Say how many go on: 1 or more."),
        "plan.feed_from_nothing": _("Count from 1."),
        "plan.feed_turned": _(
            "This has to be %(first)s or more: the last one does not come before the first."
        ),
        "plan.feed_of_no_section": _("The stage before has no such part from which players could go on."),
        "plan.feed_too_many": _("Players can come from %(limit)s more parts at most."),
        "plan.rest_goes_elsewhere": _("Another stage takes all others already."),
        "plan.feed_missing": _("Say which stage the players come from."),
        "plan.no_stages": _("A division needs at least one stage."),
        "plan.key_twice": _("Two stages have the same name."),
        "plan.losers_go_elsewhere": _("The losers of this round already go to another draw."),
        "round.unknown": _("There is no such round."),
        "paper.unknown": _("There is no such paper to print."),
        "stage.unknown": _("There is no such stage."),
        "stage.already_drawn": _(
            "The draw is made. Throw it away first, then change how the event is played."
        ),
        "length.none": _("Give at least one match length, for example 5, 5, 7, 9."),
        "length.too_short": _("A match is played to at least 1 point."),
        "length.too_long": _("%(length)s points are too many: a match is played to 99 at most."),
        "length.too_many": _("Give at most 16 lengths. Earlier rounds take the first one."),
        "list.file_large": _(
            "The file is too large: %(limit)s MB at most. Keep the sheet with the people and save it anew."
        ),
        "list.file_old": _(
            "This is a file of an old Excel, or it has a password. Save it as .xlsx without one, or as CSV."
        ),
        "list.file_unreadable": _(
            "This file cannot be read. Save it as .xlsx or CSV, or copy the rows and paste them."
        ),
        "list.file_unpacked": _(
            "This workbook holds far more than a list of people. Copy the rows with the people and paste them."
        ),
        "list.file_empty": _("This workbook is empty."),
        "column.unknown": _("There is no such column any more. Load the page again."),
        "entry.unknown": _("There is no such entry in this event."),
        "entry.too_many": _("A draw has room for %(limit)s entries; there are %(have)s already."),
        "entry.twice": _("%(name)s is already entered."),
        "entry.none_chosen": _("Choose at least one entry."),
        "column.too_many": _("An event has at most %(limit)s columns of its own."),
        "column.name_odd": _("A column needs a name of at most %(limit)s letters."),
        "column.twice": _("There are two columns named %(name)s."),
        "column.choices_odd": _(
            "Write two to %(most)s choices with commas between them, each of at most %(limit)s letters."
        ),
        "column.value_odd": _("%(name)s: choose one of the choices, or write at most %(limit)s letters."),
        "check_in.missing": _(
            "Not here: %(count)s (%(names)s). Leave them out, draw them anyway, or mark who is here on the page Check-in."
        ),
        "draw.event_closed": _("This event is running, finished or cancelled, so nothing is drawn now."),
        "draw.seed_odd": _(
            "The seed of a draw has 64 digits, 0-9 and a-f; an early one is a whole number from 0 to %(limit)s."
        ),
        "lot.rolls_odd": _(
            "Type %(apart)s rolls of two dice that can be told apart, or %(alike)s of two that look alike; these are %(have)s."
        ),
        "lot.order_odd": _("Each of the %(count)s numbers has to be there once; there are %(have)s."),
        "lot.list_changed": _(
            "The list has changed since you saw it. Look at it, then try again. Dice have to be rolled again."
        ),
        "randomness.none_named": _(
            "No public number is named for this draw. Name one first, or draw without it."
        ),
        "randomness.too_early": _("The time of the public number has not come yet. Draw after it."),
        "randomness.read_from_missing": _(
            "Enter where you read the number, for example the address of the page, in at most %(limit)s characters."
        ),
        "randomness.value_odd": _(
            "Copy everything that the page of the drand round shows, or enter its random number: 64 digits, 0-9 and a-f."
        ),
        "randomness.other_round": _("This is another round. Copy the page of round %(round)s."),
        "randomness.number_odd": _(
            "Enter the lottery number with digits or letters, in at most %(limit)s characters."
        ),
        "draw.entries_odd": _("A draw needs from %(least)s to %(most)s entries; there are %(count)s."),
        "draw.too_few_entries": _("A draw needs at least %(minimum)s entries."),
        "draw.too_many_entries": _("A draw has room for %(maximum)s entries at most."),
        "draw.begun": _("Play has begun, so the draw stays."),
        "draw.lines_do_not_fit": _("The draw does not fit the entries. Please draw again."),
        "draw.entry_twice": _("An entry stands in the draw twice. Please draw again."),
        "draw.no_power_of_two": _("A bracket has a power of two lines. Please draw again."),
        "draw.no_semifinal": _("With two entries there is no match for third place."),
        "division.limit_source_missing": _("Name whose ratings count: a list of the club, or a federation."),
        "division.limit_source_long": _("The name of who rates is too long: %(limit)s characters at most."),
        "division.limit_empty": _(
            "Give a lowest or a highest rating, or both. To take the limit away, empty its source, too."
        ),
        "division.limit_odd": _("A rating is a number from %(least)s to %(most)s."),
        "division.limit_turned": _("The highest rating is below the lowest one."),
        "entry.full": full_words,
        "own_return.over": _("This event is over."),
        "own_return.drawn": _(
            "The draw has been made. Ask the director at the desk: they can reinstate you if a place is left."
        ),
        "own_return.cut_off": _(
            "Entries are closed. Ask the director at the desk: they can still let you in."
        ),
        "own_return.by_desk": _(
            "A director withdrew you, for example because you were missing at check-in. Ask at the desk to be reinstated."
        ),
        "entry.starts_when_full": _(
            "This one starts by itself when it is full. Places left in it: %(left)s; then the next one opens."
        ),
        "draw.stage_before_not_over": _(
            "The stage before has to be over first: this one is drawn from its table."
        ),
        "draw.rounds_before_not_over": _(
            "The rounds whose losers come in have to be over first: play all their matches, then draw."
        ),
        "open_lines.odd": _("Hold open up to %(limit)s lines."),
        "open_lines.first_match": _(
            "With a consolation for first-match losers no lines can be held open: they come in on the lines of the byes."
        ),
        "buy_back.no_place": _("There is no place left to come back to."),
        "buy_back_within.odd": _(
            "Give a number of matches from %(least)s to %(limit)s, or 0 for whoever is out."
        ),
        "flight.not_in_double": _(
            "A double elimination has no consolation and no match for third place: its lower bracket is both. For a last"
            " chance add a stage that takes losers of the lower bracket."
        ),
        "double.lengths_alone": _(
            "Only a double elimination has a lower bracket and a final with lengths of their own."
        ),
        "flight.rounds_odd": _("Losers of 1 to %(limit)s rounds can come in."),
        "bracket.no_such_section": _("There is no such part in this bracket."),
        "bracket.no_such_match": _("There is no match %(match)s in this draw."),
        "bracket.losers_go_elsewhere": _("The losers of this round already go to another draw."),
        "forecast.never_ends": _("With these settings the event would never end."),
        "forecast.no_tables": _("There has to be at least one table."),
        "groups.too_few_entries": _("There are too few entries for so many groups."),
        "groups.too_few_qualify": _("Too few entries qualify from the groups for a knock-out."),
        "late_entry.no_free_bye": _("There is no free bye left that a late entry could take."),
        "slow_play.no_rule": _("A step is at least a minute, and nothing is below 0."),
        "lateness.no_rule": _("A step is at least a minute, and nothing is below 0."),
        "league.division_too_small": _(
            "A division of the league is too small for so many to move up or down."
        ),
        "league.not_in_it": _("This entry does not take part in the league."),
        "pairing.cost_too_large": _("There are too many entries for this kind of pairing."),
        "plan.no_elimination": _("Only a bracket can do this."),
        "prizes.negative": _("A prize cannot be below 0."),
        "prizes.places_open": _("Prizes can be shared out when all places are settled."),
        "result.none_to_correct": _("This match has no result that could be corrected."),
        "round_robin.places_not_even": _("A round robin table needs an even number of places."),
        "standings.entry_twice": _("An entry stands in the standings twice."),
        "match.unknown": _("There is no such match."),
        "match.table_odd": _("There are tables 1 to %(limit)s."),
        "table.closed": _("Table %(table)s is out of use. Choose another one, or put it back first."),
        "match.changed_meanwhile": _(
            "This match was changed meanwhile. Look at how it stands, then try again."
        ),
        "match.not_running": _("This match is not part of a running event."),
        "event.over": _("This event is over."),
        "event.called_off": _("This event is called off, so it stays as it is. Restore it to change it."),
        "result.match_not_ready": _("Both sides of a match must be known before it has a result."),
        "score.negative": _("A score cannot be below 0."),
        "score.below_start": _("This side started with %(start)s points, so it cannot have fewer."),
        "score.both_at_length": _(
            "Both cannot have %(length)s points: the match ends when the first side gets there."
        ),
        "score.loser_at_length": _(
            "The loser has %(length)s points or more, but the match is to %(length)s: the loser must have fewer."
        ),
        "score.winner_not_at_length": _(
            "This match is to %(length)s points: write the winner's score as %(length)s."
        ),
        "score.none_at_length": _(
            "Nobody has %(length)s points. The winner of this match must have exactly %(length)s."
        ),
        "score.must_be_below_length": _("With this result nobody can have %(length)s points."),
        "score.must_stay_at_start": _("Nothing was played, so this side keeps its %(start)s points."),
        "score.winner_missing": _("Say who won."),
        "score.winner_contradicts": _("The score says that the other side won."),
        "score.winner_not_allowed": _("With this result nobody wins."),
        "kind.not_claimable": _("This result comes from the draw alone."),
        "sheet.unreadable": _(
            "“%(words)s” is no score. Write the score after each game, such as 1-0 1-2 5-2."
        ),
        "sheet.too_long": _("No match has more than %(limit)s games."),
        "report.none": _("Nothing has been reported yet."),
        "report.kind_not_yours": _("Only a director can record this kind of result."),
        "report.kind_ends_nothing": _(
            "An adjourned match has no result yet. Use “Adjourn” to write down how it stands."
        ),
        "report.key_used": _("This form was already used for another report. Please load the page again."),
        "report.key_odd": _("Please load the page again and send the form once more."),
        "report.note_long": _("The note is too long: %(limit)s characters at most."),
        "phone.other": _(
            "Another phone speaks by this link. Show a code there and type it here, or ask at the desk. Nothing was sent."
        ),
        "phone.too_many": _("Many phones ask to speak by this link. Please talk to the director."),
        "link.broken": _("This link is not complete. Scan the code again or ask the director for a new one."),
        "link.revoked": _("This link is no longer good. Ask the director for a new one."),
        "quiz.unknown": _("There is no such position, or it is not shown any more."),
        "operator.unknown": _("There is no such thing."),
        "operator.report_unknown": _("There is no such report."),
        "player.merge_unknown": _("There is no such merge."),
        "link.suspended": _(
            "The account of this player is suspended, so the link says nothing meanwhile. Whom to ask: %(contact)s"
        ),
        "link.expired": _("This link ended %(days)s days after the event."),
        "money.doubles_odd": _("From 0 to %(limit)s automatic doubles are possible."),
        "money.min_sessions_odd": _("Give a number of sessions from 1 to %(limit)s."),
        "money.raccoons_without_beavers": _("Raccoons answer a beaver, so they need beavers."),
        "award.points_odd": _("Give at least one point."),
        "award.ends_match": _(
            "That makes %(length)s points or more and would end the match. Record its result instead."
        ),
        "award.note_long": _("The reason is too long: %(limit)s characters at most."),
        "award.reason_missing": _("Say what the penalty is for."),
        "award.minutes_odd": _("Give the minutes as a number from 0 to %(limit)s."),
        "clock.from_start": _("All matches of this stage are played with a clock anyway."),
        "clock.on_already": _("A clock is on in this match already. Look at how it stands."),
        "clock.not_on": _("No clock was put on in this match."),
        "clock.score_odd": _(
            "While a match is on, both sides have fewer than %(length)s points, and at least %(a)s–%(b)s."
        ),
        "desk_note.empty": _("Type what the others should know."),
        "desk_note.long": _("A note is at most %(limit)s characters long."),
        "clocks.no_rule": _("Give the times of the clock in seconds, from 0 to %(limit)s."),
        "event.weight_fixed": _(
            "There are results already, so the weight stays as it is: they stand in the ratings’ ledger with it, "
            "and nothing in there is ever changed."
        ),
        "division.weight_fixed": _(
            "There are results already, and this would change what they count for master points: "
            "the first and the second division stay where they are."
        ),
        "adjourned.cube_odd": _("The cube shows 1 (in the middle), 2, 4, 8 and so on."),
        "adjourned.cube_owner": _("A cube that was turned belongs to somebody, one at 1 to nobody."),
        "adjourned.position_odd": _(
            "This is not a position. Copy the position ID or the XGID from your board program, or leave it empty."
        ),
        "adjourned.game_over": _(
            "In this position the game is over. Write down the score and leave it empty."
        ),
        "adjourned.on_roll_missing": _("Say whose turn it is: a position and dice need that."),
        "adjourned.dice_odd": _("Dice show 1 to 6."),
        "adjourned.clock_odd": _("A clock shows from 0 to %(limit)s minutes."),
        "adjourned.in_the_past": _("This day is over. Give today or a later one, or leave it empty."),
        "adjourned.day_missing": _("Give the day as well as the time."),
        "adjourned.text_long": _("This is too long: %(limit)s characters at most."),
        "report.not_your_match": _("This is not one of your matches."),
        "times.none": _("Offer at least one time."),
        "times.many": _("At most %(limit)s times can be offered at once."),
        "times.odd": _("Write day and time as 2027-05-01T20:15, or choose them."),
        "times.left_out": _(
            "No clock shows this time: the clocks of %(zone)s go forward in that hour. Choose one before or after it."
        ),
        "times.over": _("This time is over. Choose a later one."),
        "times.after_round": _(
            "That is after %(day)s, the last day of the round. Choose an earlier time, or ask the director for a later last day."
        ),
        "times.after_event": _("That is after %(day)s, long after the event. Ask the director."),
        "times.twice": _("You offer this time twice."),
        "times.place_long": _("Name the place in at most %(limit)s characters."),
        "message.empty": _("Write something first."),
        "message.long": _("Write at most %(limit)s characters; these are %(count)s."),
    }
)
