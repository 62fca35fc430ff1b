"""What a line means now, with its words: read once for a preview, and again when Enter comes."""

from dataclasses import dataclass, field

from django.urls import reverse

from faults import Conflict, CrawfordError, Fault
from people.messages import describe
from people.models import User
from people.snapshot import snapshot
from tournaments.desk.services.acting import NextCall, next_call
from tournaments.desk.services.outlook import outlook_of
from tournaments.desk.web.words import (
    Shape,
    match_words,
    meaning_shape,
    next_call_shape,
    outlook_words,
    own_words,
    pair_words,
    row_words,
    sent_back_words,
    take_back_shape,
)
from tournaments.engine.desk.reading import asks_for_entries, asks_for_reports, read
from tournaments.engine.desk.taking_back import Way
from tournaments.engine.desk.values import (
    CallNext,
    DeskMatch,
    Meaning,
    OfMatch,
    Refused,
    Result,
    Understood,
    Undo,
)
from tournaments.engine.types import Side
from tournaments.models import Event, Match, Report, Stage
from tournaments.selectors.events.director import match_of_event, reports_of, stages_of
from tournaments.selectors.hall.board import drawn_matches
from tournaments.selectors.hall.desk import desk_of, desk_of_results
from tournaments.selectors.hall.last_action import LastAction, last_action
from tournaments.selectors.repairs.corrections import correction_preview, is_built_on
from tournaments.shared.words.names import clock_time

CHOICES = 9
Known = Meaning | NextCall | LastAction


@dataclass
class Heard:
    """A line and all that it can mean, each with its words; or why it means nothing, and where to go on."""

    line: str
    meanings: list[tuple[Known, Shape]] = field(default_factory=list)
    more: int = 0
    faults: tuple[Fault, ...] = ()
    about: str = ""
    go: str = ""

    @property
    def shape(self) -> Shape:
        """For scripts and templates."""
        shapes = [shape for _meaning, shape in self.meanings]
        faults = (Fault("desk.choose"),) if len(shapes) > 1 else self.faults
        return {
            "line": self.line,
            "meanings": shapes,
            "more": self.more,
            "sentences": list(dict.fromkeys(describe(fault) for fault in faults)),
            "about": self.about,
            "go": self.go,
        }

    def marked(self, mark: str) -> tuple[Known, Shape] | None:
        """The meaning that was shown under this mark, if the line still has it."""
        return next(((known, shape) for known, shape in self.meanings if shape["mark"] == mark), None)


@snapshot()
def hear(event: Event, user: User, line: str, mark: str | None = None) -> Heard:
    """Read a line. Nothing is written.

    ``mark``: of what was shown and is confirmed. What else the line can mean does not matter then, nor what would follow:
    only the matches that it names are looked at.
    """
    words = own_words()
    only = mark.split(":") if mark is not None else None
    stages = stages_of(event)
    desk = desk_of(
        event,
        stages,
        entries=asks_for_entries(line, words),
        reports=asks_for_reports(line, words),
        only=only,
    )
    heard = Heard(line)
    reading = read(line, words, desk)
    if isinstance(reading, Refused):
        if mark is None:
            _explain(heard, event, reading, stages)
        return heard
    heard.more = max(0, len(reading.meanings) - CHOICES)
    for meaning in reading.meanings[:CHOICES]:
        try:
            heard.meanings.append(_known(event, user, meaning, stages, heard))
        except CrawfordError as error:
            heard.faults = error.faults
    if len(heard.meanings) == 1 and mark is None:
        known, shape = heard.meanings[0]
        if isinstance(known, Result):
            shape["follows"] = outlook_words(known.match, outlook_of(event, known, desk))
    return heard


def _known(
    event: Event, user: User, meaning: Meaning, stages: list[Stage], heard: Heard
) -> tuple[Known, Shape]:
    """A meaning with its words; what “call” and “undo” mean is looked up. Raises the reason where they mean nothing."""
    if isinstance(meaning, CallNext):
        found = next_call(event)
        (drawn,) = drawn_matches([found.match.pk])
        return found, next_call_shape(found, " – ".join(side.name for side in drawn.sides))
    if isinstance(meaning, Undo):
        last = last_action(event, user)
        if last is None:
            raise Conflict("desk.undo_nothing")
        return last, {**take_back_shape(last), "follows": _undone_with(event, last, heard)}
    return meaning, meaning_shape(event, meaning, stages)


def _undone_with(event: Event, last: LastAction, heard: Heard) -> list[str]:
    """What is undone together with the action; raises the reason where it cannot be taken back from here."""
    heard.go = (
        _address(event, last.match) if last.match else reverse("director:audit", args=[event.public_id])
    )
    if last.last.way is Way.NONE:
        raise Conflict("desk.undo_not_here", what=row_words(last))
    if last.last.since is not None:
        raise Conflict("desk.undo_since", what=row_words(last))
    sent_back: list[str] = []
    if last.last.way is Way.RESULT and last.match is not None:
        found = correction_preview(last.match, None)
        if is_built_on(found):
            raise Conflict("desk.undo_choose")
        sent_back = [sent_back_words(match) for one in found.repairs.values() for match in one.sent_back]
    heard.go = ""
    return sent_back


def _explain(heard: Heard, event: Event, reading: Refused, stages: list[Stage]) -> None:
    """Why the line means nothing; of a match that is over, what was reported, by whom and when."""
    heard.faults = reading.faults
    if reading.match is not None:
        heard.about = f"{match_words(reading.match, stages)} · {pair_words(reading.match)}"
        if reading.faults[0].code == "desk.adjourned_already":
            heard.go = _address(event, reading.match)
    if not reading.searched:
        return
    before = read(heard.line, own_words(), desk_of_results(event))
    if isinstance(before, Understood) and isinstance(before.meanings[0], OfMatch):
        over = before.meanings[0].match
        found = match_of_event(event, over.public_id)
        if found is not None:
            heard.faults = (already(event, found, over.names),)
            heard.about = match_words(over, stages)
            heard.go = _address(event, found)


def already(event: Event, match: Match, names: tuple[str, str]) -> Fault:
    """What stands already: how it ended, who said so and when."""
    final = next((one for one in reports_of(match) if one.state == Report.State.CONFIRMED), None)
    first, second = (Side.B, Side.A) if match.winner_side == Side.B else (Side.A, Side.B)
    points = {Side.A: match.score_a, Side.B: match.score_b}
    named = {Side.A: names[0], Side.B: names[1]}
    return Fault(
        "desk.already",
        params={
            "winner": named[first],
            "loser": named[second],
            "score": f"{points[first]}–{points[second]}",
            "who": final.reporter if final is not None else "–",
            "time": clock_time(match.confirmed_at, event),
        },
    )


def _address(event: Event, match: Match | DeskMatch) -> str:
    return reverse("director:match", args=[event.public_id, match.public_id])
