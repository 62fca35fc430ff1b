"""Help page of the command bar: all command words with examples, from the table of the grammar."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from tournaments.desk.web.words import current_vocabulary
from tournaments.engine.desk.vocabulary import EXAMPLES, WORDS, CommandWord
from tournaments.models import Event
from tournaments.shared.frames.access import staff_page
from tournaments.shared.frames.director import render_event_page

EXAMPLE_DESCRIPTIONS: Mapping[str, str | Promise] = {
    "winner": _("Bob won at table 12. The winner’s score is filled in: 7–0."),
    "loser_points": _("The same with the opponent’s points: 7–3."),
    "as_on_the_slip": _("Both scores from left to right, as on the match slip."),
    "by_name": _("By name only, at any table: first this player’s points, then the opponent’s."),
    "by_number": _("# marks a match number instead of a table."),
    "walkover": _("Walkover for Ann: she advances without playing."),
    "retired": _("Bob retires at 3–2 and Ann wins. Put the command before the name, and Bob’s points first."),
    "on_time": _("Bob loses on time at this score."),
    "forfeit": _("Bob forfeits the match without playing."),
    "disqualified": _("Bob is disqualified. You can add a score after his name."),
    "settled": _("Ann advances by agreement or by your ruling; the score was 5–3 for her."),
    "nobody": _("Neither player came: double walkover."),
    "unfinished": _("The match ends unfinished at this score, from left to right; neither player wins."),
    "confirm_all": _("Show reported results that wait for your confirmation. Choose one to confirm it."),
    "confirm": _("Confirm the result reported at table 12. If the two reports conflict, choose one."),
    "decide": _("The reports conflict: confirm Ann’s."),
    "call_next": _("Call the match that has waited longest."),
    "call_match": _("Call the match waiting for table 9. You can also use #74 or a name."),
    "start": _("Start the match at table 9."),
    "back": _("Undo a call: the match returns to the queue and table 9 is free."),
    "adjourn": _("Adjourn the match at table 12 at 5–3; it resumes later."),
    "resume": _("Resume adjourned match 74: it is ready for a table."),
    "late": _("Bob is 12 minutes late: Ann gets the penalty points set in the rules, or the match."),
    "clock": _("Add a clock to the match at table 12. You can also use #74 or a name."),
    "clock_at": _("The same at 5–3, from left to right: both players then see their remaining time."),
    "clock_off": _("Remove the clock from the match at table 12."),
    "out": _("Withdraw Bob from the event. A page first shows the consequences."),
    "swap": _("Swap the matches at tables 3 and 9; one of the tables can be empty."),
    "say": _("Make an announcement on the displays, the event’s pages and phones."),
    "undo": _("Undo your last action. Repeat to undo the one before it."),
    "help": _("Open this page."),
}
WORD_LABELS: Mapping[CommandWord, str | Promise] = {
    CommandWord.WALKOVER: _("walkover"),
    CommandWord.RETIRED: _("resigns"),
    CommandWord.ON_TIME: _("loses on time"),
    CommandWord.FORFEIT: _("forfeits"),
    CommandWord.DISQUALIFIED: _("is disqualified"),
    CommandWord.SETTLED: _("settled by agreement"),
    CommandWord.NOBODY: _("neither came"),
    CommandWord.UNFINISHED: _("ends unfinished"),
    CommandWord.CONFIRM: _("confirm a report"),
    CommandWord.CALL: _("call a match"),
    CommandWord.START: _("start a match"),
    CommandWord.BACK: _("return a match to the queue"),
    CommandWord.ADJOURN: _("adjourn a match"),
    CommandWord.RESUME: _("resume an adjourned match"),
    CommandWord.LATE: _("record a late player"),
    CommandWord.CLOCK: _("add a clock"),
    CommandWord.OFF: _("remove the clock"),
    CommandWord.OUT: _("withdraw a player"),
    CommandWord.SWAP: _("swap two tables"),
    CommandWord.SAY: _("make an announcement"),
    CommandWord.UNDO: _("undo"),
    CommandWord.HELP: _("help"),
}


@staff_page
def command_help(request: HttpRequest, event: Event) -> HttpResponse:
    """Page with the command words in the page's language and in all others, with examples."""
    vocabulary = current_vocabulary()
    languages = [code for code, _name in settings.LANGUAGES if code in WORDS]
    context: dict[str, Any] = {
        "forms": [
            {"example": example.written(vocabulary), "means": EXAMPLE_DESCRIPTIONS[example.code]}
            for example in EXAMPLES
        ],
        "languages": [get_language_info(code)["name_local"] for code in languages],
        "words": [
            {
                "name": WORD_LABELS[command_word],
                "written": [", ".join(WORDS[code][command_word]) for code in languages],
            }
            for command_word in CommandWord
        ],
    }
    return render_event_page(request, "desk/help.html", event, "matches", context)
