"""Words for the tournament services' and the engine's codes: what is wrong, where, and what to do."""

from django.utils.translation import gettext_lazy as _

from people.messages import register
from tournaments.engine.lifecycle import REFUSAL_CODES

# A refused transition means that somebody else was quicker or the page was old; the page shows the state beside it.
_REFUSED = {
    "match.pair_refused": _("This match already has both its sides."),
    "match.unpair_refused": _("This match cannot lose a side now."),
    "match.call_refused": _("This match cannot be called now. It may have started already."),
    "match.start_refused": _("This match cannot be started now."),
    "match.send_back_refused": _("This match is not at a table."),
    "match.report_refused": _("This match cannot be reported now."),
    "match.dispute_refused": _("This match cannot be disputed now."),
    "match.confirm_refused": _("This match cannot be confirmed now."),
    "match.pass_bye_refused": _("This match is not a bye."),
    "match.void_refused": _("This match is already void."),
    "match.reopen_refused": _("Only a finished match can be opened again."),
    "match.correct_refused": _("Only a finished match can be corrected."),
    "match.restore_refused": _("Only a void match can be restored."),
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
    "entry.withdraw_refused": _("This entry is already withdrawn."),
    "entry.return_refused": _("This entry is not withdrawn."),
}
if missing := REFUSAL_CODES - set(_REFUSED):
    raise LookupError(f"refusals without words: {sorted(missing)}")

register(_REFUSED)
register(
    {
        "event.unknown": _("There is no such event."),
        "stage.other_system": _("This is not how this event is played."),
        "swiss.rounds_odd": _("Give a number of rounds from 1 to %(limit)s."),
        "swiss.points_odd": _("A round without play is worth a full point, half a point or nothing."),
        "swiss.clubs_odd": _("Choose what happens to players of the same club."),
        "swiss.too_few": _("A round needs at least 2 players; there are %(count)s."),
        "swiss.no_pairing": _(
            "These %(count)s players cannot be paired: too many are of the same club. Let clubs meet if need be."
        ),
        "swiss.not_entered": _("Somebody in this round is not entered. Please load the page again."),
        "tie_break.unknown": _("There is no tie-break called “%(code)s”."),
        "tie_break.twice": _("A tie-break stands on the list twice."),
        "round.none_paired": _("No round is paired. Pair it first."),
        "round.fixed": _("All rounds of a round robin are drawn at once; publish the next one."),
        "round.none_published": _("No round is under way."),
        "round.none_left": _("All rounds of this event are published."),
        "round.not_over": _("The round is not over yet: matches without a result: %(count)s."),
        "round.changed": _(
            "Entries or results have changed meanwhile, and the pairing with them. Look at it again."
        ),
        "event.name_missing": _("Give the event a name."),
        "event.name_long": _("The name is too long: %(limit)s characters at most."),
        "event.ends_before_start": _("The last day is before the first day."),
        "event.too_long": _("An event can last %(limit)s days at most."),
        "event.timezone_unknown": _("There is no time zone called “%(timezone)s”."),
        "event.visibility_unknown": _("Choose public or unlisted."),
        "event.tables_odd": _("Give a number of tables from 1 to %(limit)s."),
        "event.action_unknown": _("There is nothing called “%(action)s” that an event can do."),
        "division.unknown": _("There is no such division."),
        "stage.unknown": _("There is no such stage."),
        "stage.already_drawn": _(
            "The draw is made. Throw it away first, then change how the event is played."
        ),
        "stage.system_unknown": _("There is no system called “%(value)s”."),
        "stage.draw_unknown": _("Choose a blind or a seeded draw."),
        "stage.policy_unknown": _("Choose who settles a result."),
        "stage.format_unknown": _("There is no match format called “%(value)s”."),
        "stage.format_without_length": _("“%(value)s” has no length, so no match can be played by it."),
        "stage.option_unknown": _("A match to points has no such option: %(options)s."),
        "stage.without_crawford": _("A match to points is played with the Crawford rule (rule %(rule)s)."),
        "format.jacoby_in_match": _(
            "Jacoby is for money play. In a match to %(length)s points it is never used (rule %(rule)s)."
        ),
        "format.beavers_in_match": _(
            "Beavers are for money play. In a match to %(length)s points they are never used (rule %(rule)s)."
        ),
        "format.raccoons_in_match": _(
            "Raccoons are for money play. In a match to %(length)s points they are never used (rule %(rule)s)."
        ),
        "format.automatic_doubles_in_match": _(
            "Automatic doubles are for money play. In a match to %(length)s points they are never used (rule %(rule)s)."
        ),
        "format.length": _("A match is played to 1 to %(longest)s points (rule %(rule)s)."),
        "format.jacoby_without_cube": _("Without a cube there is no Jacoby (rule %(rule)s)."),
        "format.beavers_without_cube": _("Without a cube there are no beavers (rule %(rule)s)."),
        "format.raccoons_without_cube": _("Without a cube there are no raccoons (rule %(rule)s)."),
        "format.automatic_doubles_without_cube": _(
            "Without a cube there are no automatic doubles (rule %(rule)s)."
        ),
        "format.cube_limit_without_cube": _("Without a cube there is no limit for it (rule %(rule)s)."),
        "format.raccoons_without_beavers": _("Raccoons need beavers (rule %(rule)s)."),
        "format.backgammons_without_gammons": _(
            "Backgammons cannot count where gammons do not (rule %(rule)s)."
        ),
        "format.automatic_doubles": _("Give a number of automatic doubles from 0 up (rule %(rule)s)."),
        "format.cube_limit": _("The limit of the cube is 2, 4, 8 and so on (rule %(rule)s)."),
        "format.holland_without_crawford": _("The Holland rule needs the Crawford rule (rule %(rule)s)."),
        "length.none": _("Give at least one match length, for example 5, 5, 7, 9."),
        "length.too_short": _("A match is played to at least 1 point."),
        "length.too_long": _("%(length)s points are too many: a match is played to 99 at most."),
        "length.too_many": _("Give at most 16 lengths. Earlier rounds take the first one."),
        "registration.closed": _("Registration is closed. Please ask the director."),
        "registration.too_late": _(
            "Registration cannot be opened any more: the draw is made or the event is over."
        ),
        "entry.unknown": _("There is no such entry in this event."),
        "entry.none": _("Name at least one player."),
        "entry.too_many": _("A draw has room for %(limit)s entries; there are %(have)s already."),
        "entry.twice": _("%(name)s is already entered."),
        "entry.name_twice": _(
            "Line %(line)s: %(name)s is on the list twice. If these are two people, tell them apart."
        ),
        "entry.drawn": _("The draw is made. Throw it away first, then change the entries."),
        "entry.too_late": _("The draw is published: entries cannot change any more."),
        "seed.odd": _("A seed is a number from 1 to %(limit)s."),
        "seed.twice": _("Seed %(seed)s is given twice."),
        "draw.event_closed": _("This event is running, finished or cancelled, so nothing is drawn now."),
        "draw.seed_odd": _("The seed of a draw is a whole number from 0 to %(limit)s."),
        "draw.entries_odd": _("A draw needs from %(least)s to %(most)s entries; there are %(count)s."),
        "draw.too_few_entries": _("A draw needs at least %(minimum)s entries."),
        "draw.too_many_entries": _("A draw has room for %(maximum)s entries at most."),
        "draw.begun": _("Play has begun, so the draw stays."),
        "draw.lines_do_not_fit": _("The draw does not fit the entries. Please draw again."),
        "draw.entry_twice": _("An entry stands in the draw twice. Please draw again."),
        "draw.no_power_of_two": _("A bracket has a power of two lines. Please draw again."),
        "draw.no_semifinal": _("With two entries there is no match for third place."),
        "bracket.no_such_match": _("There is no match %(match)s in this draw."),
        "bracket.losers_go_elsewhere": _("The losers of this round already go to another draw."),
        "consolation.no_such_round": _("The main draw has no such round to feed the consolation."),
        "consolation.too_few_entries": _("There are too few entries for a consolation."),
        "draw.no_such_entry": _("This entry does not stand in the draw."),
        "forecast.never_ends": _("With these settings the event would never end."),
        "forecast.no_tables": _("There has to be at least one table."),
        "groups.too_few_entries": _("There are too few entries for so many groups."),
        "groups.too_few_qualify": _("Too few entries qualify from the groups for a knock-out."),
        "late_entry.no_free_bye": _("There is no free bye left that a late entry could take."),
        "lateness.no_rule": _("There is no rule for penalties by lateness in this event."),
        "league.division_too_small": _(
            "A division of the league is too small for so many to move up or down."
        ),
        "league.not_in_it": _("This entry does not take part in the league."),
        "pairing.cost_too_large": _("There are too many entries for this kind of pairing."),
        "plan.no_elimination": _("Only a bracket can do this."),
        "plan.unreadable": _("The plan of this event's stages cannot be read."),
        "prizes.negative": _("A prize cannot be below 0."),
        "prizes.places_open": _("Prizes can be shared out when all places are settled."),
        "result.none_to_correct": _("This match has no result that could be corrected."),
        "round_robin.places_not_even": _("A round robin table needs an even number of places."),
        "standings.entry_twice": _("An entry stands in the standings twice."),
        "match.unknown": _("There is no such match."),
        "match.action_unknown": _("There is nothing called “%(action)s” that a match can do."),
        "match.not_running": _("This match is not part of a running event."),
        "match.no_table_now": _("This match needs no table now."),
        "match.table_odd": _("There are tables 1 to %(limit)s."),
        "match.table_taken": _("Table %(table)s is in use. Choose another one."),
        "result.match_not_ready": _("Both sides of a match must be known before it has a result."),
        "result.none_to_retract": _("This match has no result."),
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
        "report.none": _("Nothing has been reported yet."),
        "report.unknown": _("There is no such report."),
        "report.kind_not_yours": _("Only a director can record this kind of result."),
        "report.kind_ends_nothing": _("An adjourned match has no result yet. Record it when it is over."),
        "report.not_your_match": _("This is not one of your matches."),
        "report.not_open": _("This match cannot be reported now. Look at how it stands."),
        "report.already_confirmed": _(
            "The result has been confirmed meanwhile, and it differs from yours. If it is wrong, object to it."
        ),
        "report.use_correction": _(
            "This match has a confirmed result. Use “Correct the result” to change it."
        ),
        "report.replaced": _("This report was replaced by a newer one. Look at it before you agree."),
        "report.key_used": _("This form was already used for another report. Please load the page again."),
        "report.too_many": _("You have reported this match very often. Please talk to the director."),
        "report.key_odd": _("Please load the page again and send the form once more."),
        "report.note_long": _("The note is too long: %(limit)s characters at most."),
        "record.unreadable": _("This file is no game record that we can read. %(why)s"),
        "record.refused": _("%(where)s: %(why)s"),
        "record.incomplete": _(
            "This record stops before the match is over. Send the whole one, or report without it."
        ),
        "record.differs": _("The record ends %(score)s. Check the score, or leave the record out."),
        "objection.not_confirmed": _("There is no confirmed result to object to."),
        "objection.unknown": _("There is no such objection."),
        "correction.no_result": _("This match has no result that could be corrected."),
        "correction.changed_meanwhile": _(
            "This match was changed meanwhile. Look at its result before you correct it."
        ),
        "correction.later_match_begun": _(
            "Match %(match)s, which depends on this one, has begun. Send it back first, then correct this result."
        ),
        "draw.action_unknown": _("There is nothing like this to do with a draw."),
        "link.action_unknown": _("Choose one entry, or all of them."),
        "registration.action_unknown": _("Registration can be opened, closed or given a new link."),
        "link.broken": _("This link is not complete. Scan the code again or ask the director for a new one."),
        "link.revoked": _("This link is no longer good. Ask the director for a new one."),
        "link.expired": _("This link ended %(days)s days after the event."),
        "player.same_division": _(
            "%(name)s and the duplicate took part in the same division, so they are two people."
        ),
        "player.two_accounts": _("Both players have an account of their own, so they cannot be merged."),
        "player.merge_unknown": _("There is no such merge."),
        "player.merge_undone": _("This merge has already been taken back."),
    }
)
