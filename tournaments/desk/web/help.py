"""All words of the desk line with examples, made from the grammar's own table."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from tournaments.desk.web.words import own_words
from tournaments.engine.desk.vocabulary import FORMS, WORDS, Word
from tournaments.models import Event
from tournaments.shared.frames.access import desk_page
from tournaments.shared.frames.director import show

MEANS: Mapping[str, str | Promise] = {
    "winner": _("Table 12: Bob has won. The length fills in: 7–0."),
    "loser_points": _("The same with the points of the other side: 7–3."),
    "as_on_the_slip": _("Both scores from left to right, as on the slip."),
    "by_name": _("By the name alone, wherever he plays: his points, then those of the other side."),
    "by_number": _("With # it is the number of a match, not a table."),
    "walkover": _("A walk-over to Ann: she goes on, nobody played."),
    "retired": _("Bob gives up at 3–2; Ann has won. Word before the name, his points first."),
    "on_time": _("The same for Bob’s clock: he has lost on time."),
    "forfeit": _("Bob forfeits the match; nobody played."),
    "disqualified": _("Bob is disqualified. A score may stand behind his name."),
    "settled": _("Both have agreed, or you have ruled, that Ann goes on; it stood 5–3 for her."),
    "nobody": _("Neither of the two came: a walk-over for nobody."),
    "unfinished": _("It ends unfinished at this score, from left to right; nobody wins."),
    "confirm_all": _("What players have reported and waits for you: choose, and it stands."),
    "confirm": _(
        "The result that was reported at table 12 is right. If the two say different things, choose."
    ),
    "decide": _("They say different things: it is as Ann says."),
    "call_next": _("Call who has waited longest."),
    "call_match": _("Call the match that waits for table 9; #74 or a name will do, too."),
    "start": _("The match at table 9 begins now."),
    "back": _("Called by mistake: the match waits again, and table 9 is free."),
    "adjourn": _("The match at table 12 is broken off at 5–3 and goes on another time."),
    "resume": _("Match 74, which was adjourned, goes on: it is ready for a table."),
    "late": _("Bob is 12 minutes late: Ann gets what the schedule says, or the match."),
    "clock": _("Put a clock on in the match at table 12; #74 or a name will do, too."),
    "clock_at": _("The same at 5–3, from left to right: both see then how much time they have left."),
    "clock_off": _("Take the clock off that was put on at table 12."),
    "out": _("Bob leaves the event. A page shows first what follows."),
    "swap": _("The matches of tables 3 and 9 change places; one of the two may be empty."),
    "say": _("Announce it to everybody: on the wall, on the pages of the event and on the phones."),
    "undo": _("Take back what you did last. Again: what you did before that."),
    "help": _("This page."),
}
WORD_NAMES: Mapping[Word, str | Promise] = {
    Word.WALKOVER: _("walk-over"),
    Word.RETIRED: _("gives up"),
    Word.ON_TIME: _("loses on time"),
    Word.FORFEIT: _("forfeits"),
    Word.DISQUALIFIED: _("is disqualified"),
    Word.SETTLED: _("settled between the two"),
    Word.NOBODY: _("neither came"),
    Word.UNFINISHED: _("ends unfinished"),
    Word.CONFIRM: _("what was reported is right"),
    Word.CALL: _("call a match"),
    Word.START: _("a match begins"),
    Word.BACK: _("send a match back"),
    Word.ADJOURN: _("adjourn a match"),
    Word.RESUME: _("an adjourned match goes on"),
    Word.LATE: _("somebody is late"),
    Word.CLOCK: _("put a clock on"),
    Word.OFF: _("take the clock off"),
    Word.OUT: _("somebody leaves"),
    Word.SWAP: _("swap two tables"),
    Word.SAY: _("announce"),
    Word.UNDO: _("take back"),
    Word.HELP: _("help"),
}


@desk_page
def line_help(request: HttpRequest, event: Event) -> HttpResponse:
    """The words in the language of the page with examples, and those of every language that has its own."""
    words = own_words()
    languages = [code for code, _name in settings.LANGUAGES if code in WORDS]
    context: dict[str, Any] = {
        "forms": [{"example": form.written(words), "means": MEANS[form.code]} for form in FORMS],
        "languages": [get_language_info(code)["name_local"] for code in languages],
        "words": [
            {"name": WORD_NAMES[word], "written": [", ".join(WORDS[code][word]) for code in languages]}
            for word in Word
        ],
    }
    return show(request, "desk/help.html", event, "matches", context)
