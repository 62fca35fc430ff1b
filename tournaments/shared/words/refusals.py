"""Words for the tournament services' and the engine's codes: what is wrong, where, and what to do."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.messages import describe, where
from games.records.checking import Unreadable
from games.records.findings import finding
from games.records.model import Place
from people.messages import register
from tournaments.engine.statuses import REFUSAL_CODES


def _why_unreadable(params: Mapping[str, Any]) -> str:
    why = Unreadable(params["reason"], Place(params["line"], params["column"]), params["details"])
    return gettext("This file is not a game record that we can read. %(why)s") % {"why": describe(why)}


def _why_refused(params: Mapping[str, Any]) -> str:
    place = Place(params["line"], params["column"])
    found = finding(
        params["finding"], game=params["game"], turn=params["turn"], place=place, **params["details"]
    )
    return gettext("%(where)s: %(why)s") % {"where": where(found), "why": describe(found)}


# A refused transition means that somebody else was quicker or the page was old; the page shows the state beside it.
_REFUSED = {
    "match.pair_refused": _("This match already has both its sides."),
    "match.call_refused": _("This match cannot be called now. It may have started already."),
    "match.start_refused": _("This match cannot be started now."),
    "match.send_back_refused": _("This match is not at a table."),
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
            "These %(count)s players cannot be paired: too many are of the same club, or kept apart. "
            "Let some of them meet if need be."
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
        "swiss.lives_odd": _("Give a number of lives from 1 to %(limit)s, or 0 if nobody goes out."),
        "groups.count_odd": _("Give a number of groups from 1 to %(limit)s."),
        "prizes.odd": _("Give at most %(limit)s prizes, none of them below zero."),
        "apart.wish_odd": _("Say whether the two may meet."),
        "apart.same_entry": _("Choose two different players."),
        "apart.too_many": _("At most %(limit)s pairs can be kept apart."),
        "swap.not_playing": _("Only those who play in this round, or have its bye, can change places."),
        "swap.already_meet": _("%(first)s and %(second)s already meet in this round."),
        "swap.too_many": _("After %(limit)s changes by hand it is easier to pair again."),
        "swap.none": _("Nothing was changed by hand."),
        "play_off.too_early": _("A play-off can be recorded once the last match of the stage is over."),
        "play_off.twice": _("Somebody stands in two places of the play-off."),
        "play_off.not_tied": _(
            "A play-off is among all who are tied, and nobody else. The table may have changed: look at it again."
        ),
        "play_off.none": _("There is no play-off."),
        "play_off.changed": _("The event was changed meanwhile. Look at the table again."),
        "play_off.with_lives": _(
            "With lives a play-off has no matches here; record the order in which they came out of it."
        ),
        "play_off.next_drawn": _(
            "The stage that follows is drawn already. Throw that draw away, then play it off."
        ),
        "play_off.too_many": _(
            "At most %(limit)s can play it off here. Record the order in which they came out of it."
        ),
        "ruling.odd": _("Say how the match is closed."),
        "deadline.no_day": _("Give a day, for example 2027-01-31."),
        "deadline.over": _("This stage is over, so nothing is due any more."),
        "deadline.odd": _("Round %(round)s: this day is too far from the event."),
        "deadline.before_earlier": _("Round %(round)s would be due before the round that comes before it."),
        "deadline.days_odd": _("Give a number of days between two rounds from 0 to %(limit)s."),
        "event.name_missing": _("Give the event a name."),
        "event.name_long": _("The name is too long: %(limit)s characters at most."),
        "event.day_odd": _("Give a day between the years %(first)s and %(last)s."),
        "event.ends_before_start": _("The last day is before the first day."),
        "event.too_long": _("An event can last %(limit)s days at most."),
        "event.timezone_unknown": _("There is no time zone called “%(timezone)s”."),
        "event.visibility_unknown": _("Choose public or unlisted."),
        "event.tables_odd": _("Give a number of tables from 1 to %(limit)s."),
        "event.action_unknown": _("There is nothing called “%(action)s” that an event can do."),
        "division.action_unknown": _(
            "A division can go up, go down, be taken away or be followed by another one like it."
        ),
        "event.template_unknown": _("There is no kind of event called “%(value)s”."),
        "division.unknown": _("There is no such division."),
        "division.none": _("An event needs at least one division."),
        "division.no_stages": _("A division needs at least one stage."),
        "division.name_missing": _("Give the division a name, so that people can tell it from the others."),
        "division.name_long": _("The name is too long: %(limit)s characters at most."),
        "division.name_twice": _("There is a division called “%(name)s” already."),
        "division.too_many": _("An event has room for %(limit)s divisions."),
        "division.team_size_odd": _("An entry is one player, or a team of two or %(limit)s."),
        "division.reentries_odd": _("Give a number of buy-backs from 0 to %(limit)s."),
        "division.until_odd": _("Check the day and the time of the last late entries."),
        "division.moving_odd": _("Give a number from 0 to %(limit)s."),
        "division.has_entries": _("Somebody is entered already, so the number of players in a team stays."),
        "division.the_only_one": _("An event has at least one division, so the last one stays."),
        "division.in_use": _(
            "This division has entries or a draw, so it stays. Only an empty one can be taken away."
        ),
        "division.still_open": _("This one still takes entries. Draw it first, then open the next one."),
        "settings.changed": _(
            "These settings were saved by somebody else while you worked on them. Nothing of yours is saved yet."
        ),
        "division.event_over": _("The event is over or called off, so its divisions stay as they are."),
        "stage.name_long": _("The name is too long: %(limit)s characters at most."),
        "stage.too_many": _("A division has room for %(limit)s stages."),
        "stage.the_only_one": _("A division has at least one stage, so the last one stays."),
        "stage.feeds_another": _("Another stage takes players from this one. Change that one first."),
        "stage.takes_too_many": _("At most %(limit)s can go on from another stage."),
        "plan.feed_does_not_fit": _(
            "Players can be taken from a Swiss or a round robin, into a bracket or a table."
        ),
        "plan.source_unknown": _("Choose an earlier stage with a table to take the players from."),
        "plan.feed_of_nothing": _("Say how many go on: 1 or more."),
        "plan.feed_missing": _("Say which stage the players come from."),
        "plan.no_stages": _("A division needs at least one stage."),
        "plan.key_twice": _("Two stages have the same name."),
        "plan.losers_go_elsewhere": _("The losers of this round already go to another draw."),
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
        "registration.no_division": _("Choose what you want to play."),
        "registration.too_late": _(
            "Registration cannot be opened any more: the draw is made or the event is over."
        ),
        "entry.unknown": _("There is no such entry in this event."),
        "entry.none": _("Name at least one player."),
        "entry.team_size": _("An entry in this division has %(size)s players: name all of them."),
        "entry.team_name_long": _("The team's name is too long: %(limit)s characters at most."),
        "entry.party_long": _("The mark is too long: %(limit)s characters at most."),
        "entry.partner_unclear": _(
            "Several players are called %(name)s. Please ask the director to enter your team."
        ),
        "entry.bought_back": _("%(name)s has bought back, so this entry stays as it is."),
        "entry.cut_off": _(
            "Entries closed on %(until)s. To let somebody in, change the division's last day of entries."
        ),
        "buy_back.not_running": _("Players can buy back while the event is running."),
        "buy_back.not_offered": _("There are no buy-backs in this division."),
        "buy_back.still_in": _(
            "%(name)s is still in and cannot buy back now. Whoever plays on in the consolation must be withdrawn from it first."
        ),
        "buy_back.done": _("%(name)s has bought back already."),
        "buy_back.used_up": _("%(name)s has used up all buy-backs: %(limit)s for each player."),
        "buy_back.no_place": _("There is no place left to come back to."),
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
        "draw.stage_before_not_over": _(
            "The stage before has to be over first: this one is drawn from its table."
        ),
        "flight.not_in_double": _(
            "A double elimination has no consolation and no match for third place: its lower bracket is both."
        ),
        "flight.two_consolations": _("There can be one consolation: first-match losers or progressive."),
        "flight.two_last_chances": _("There can be one last chance."),
        "flight.last_chance_alone": _("A last chance is fed by a consolation. Choose a consolation first."),
        "flight.rounds_odd": _("Losers of 1 to %(limit)s rounds can come in."),
        "flight.third_place_too": _(
            "The losers of the semifinals go on to the consolation, so there is no match for third place."
        ),
        "bracket.no_such_section": _("There is no such part in this bracket."),
        "bracket.no_such_match": _("There is no match %(match)s in this draw."),
        "bracket.losers_go_elsewhere": _("The losers of this round already go to another draw."),
        "consolation.no_such_round": _("The main draw has no such round to feed the consolation."),
        "consolation.too_few_entries": _("There are too few entries for a consolation."),
        "forecast.never_ends": _("With these settings the event would never end."),
        "forecast.no_tables": _("There has to be at least one table."),
        "groups.too_few_entries": _("There are too few entries for so many groups."),
        "groups.too_few_qualify": _("Too few entries qualify from the groups for a knock-out."),
        "late_entry.no_free_bye": _("There is no free bye left that a late entry could take."),
        "lateness.no_rule": _("A step is at least a minute, and nothing is below 0."),
        "league.division_too_small": _(
            "A division of the league is too small for so many to move up or down."
        ),
        "league.not_in_it": _("This entry does not take part in the league."),
        "pairing.cost_too_large": _("There are too many entries for this kind of pairing."),
        "plan.no_elimination": _("Only a bracket can do this."),
        "prize.negative": _("A prize is 0 or more."),
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
        "match.player_busy": _(
            "%(name)s is still in match %(number)s. Send that match back first, or wait until it is over."
        ),
        "match.player_busy_elsewhere": _("%(name)s is still in match %(number)s of %(event)s."),
        "call.nothing_ready": _("No match is ready: nothing can be called now."),
        "call.no_table": _("No table is free. Put one back into use, or wait until a match is over."),
        "call.all_busy": _("Everybody whose match is ready still plays another one."),
        "table.closed": _("Table %(table)s is out of use. Choose another one, or put it back first."),
        "table.action_unknown": _("A table can be taken out of use or put back."),
        "table.last": _("One table at least has to stay in use."),
        "event.over": _("This event is over."),
        "event.called_off": _("This event is called off, so it stays as it is. Restore it to change it."),
        "match.table_taken": _("Table %(table)s is in use. Choose another one."),
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
        "report.none": _("Nothing has been reported yet."),
        "report.unknown": _("There is no such report."),
        "report.kind_not_yours": _("Only a director can record this kind of result."),
        "report.kind_ends_nothing": _(
            "An adjourned match has no result yet. Use “Adjourn” to write down how it stands."
        ),
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
        "record.unreadable": _why_unreadable,
        "record.refused": _why_refused,
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
        "correction.choose_repair": _(
            "Later matches have been played on this result. Say what becomes of them: they fall away, or they stay."
        ),
        "correction.repair_gone": _(
            "This match was changed meanwhile, and the repair that you chose no longer fits. Look at it again."
        ),
        "late_entry.not_now": _("Nobody can be put into this draw now."),
        "late_entry.choose": _("Choose a free bye."),
        "late_entry.taken": _("This bye is not free any more. Choose another one."),
        "entry.not_drawn": _("Nothing is under way for this entry."),
        "length.match_over": _("This match is over. Correct its result together with its length."),
        "length.below_start": _("A side starts with %(length)s points or more, so the match would be over."),
        "length.not_longer": _("The match was to %(length)s points; only a longer one is played on."),
        "round.unknown": _("There is no such round."),
        "entry.same_player": _("%(name)s is the player who is entered here."),
        "repair.unknown": _("There is no such repair in this event."),
        "repair.undone_already": _("This has already been taken back."),
        "repair.not_the_last": _("Something else was repaired after it. Take that back first."),
        "repair.round_since": _(
            "Another round has been published since, so this can no longer be taken back."
        ),
        "repair.built_on": _(
            "Match %(match)s has gone on since, so this can no longer be taken back. Correct what is wrong now instead."
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
