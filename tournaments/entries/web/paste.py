"""Enter a pasted list: show what each line means, let the director choose where it is not certain, enter all at once.

The text itself is sent again with every step, so nothing is kept between them and nothing is lost. A line that names
exactly one known player means that player; ``skip`` leaves a line out, ``new`` makes a new player of the same name.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import CrawfordError
from people.messages import describe_all
from people.models import Player
from people.selectors import players_by_key
from people.snapshot import snapshot
from people.web.access import actor_of
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import add_entries
from tournaments.entries.web.read_list import LONGEST_TEXT, MOST_LINES, PastedLine, read_list
from tournaments.models import Division, Event
from tournaments.selectors.entries import players_entered
from tournaments.selectors.events.director import entries_are_open, stages_of
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.director import INVALID, not_done, show
from tournaments.shared.frames.divisions import Switch, chosen_division

SKIP, NEW = "skip", "new"


class Meaning(StrEnum):
    """What a line turned out to be."""

    NEW = "new"
    KNOWN = "known"
    SEVERAL = "several"
    ENTERED = "entered"
    TWICE = "twice"
    UNREADABLE = "unreadable"


@dataclass(slots=True)
class Row:
    """A line with its meaning and the director's choice."""

    line: PastedLine
    meaning: Meaning
    candidates: list[Player] = field(default_factory=list)
    note: str = ""
    choice: str = ""
    incomplete: bool = False  # somebody else of the team is not entered, so nobody of it is

    @property
    def entry(self) -> NewEntry | None:
        """What to enter for this line, None for nothing (or nothing yet)."""
        if self.choice == SKIP or self.meaning in {Meaning.ENTERED, Meaning.TWICE, Meaning.UNREADABLE}:
            return None
        if self.meaning is Meaning.NEW or self.choice == NEW:
            return NewEntry(name=self.line.name)
        if self.meaning is Meaning.KNOWN:
            return NewEntry(player_id=self.candidates[0].pk)
        chosen = next((player for player in self.candidates if player.public_id == self.choice), None)
        return NewEntry(player_id=chosen.pk) if chosen is not None else None

    @property
    def undecided(self) -> bool:
        return self.meaning is Meaning.SEVERAL and self.choice != SKIP and self.entry is None

    @property
    def key(self) -> str:
        member = f"-{self.line.place}" if self.line.place > 1 else ""
        return f"choice-{self.line.number}{member}"


@event_form
def paste(request: HttpRequest, event: Event) -> HttpResponse:
    """First the empty field, then the preview, then everybody is entered."""
    stages = stages_of(event)
    switch = chosen_division(request, event, stages)
    back = switch.address(event, "entries")
    frame = {
        "open": entries_are_open(switch.stage, event),
        "division": switch.division,
        "divisions": switch.links(event, "paste"),
        "back": back,
    }
    if request.method != "POST":
        return show(request, "entries/paste.html", event, "entries", frame, stages=stages)
    text = request.POST.get("list", "").replace("\0", "")
    lines = sum(1 for line in text.splitlines() if line.strip())
    if len(text) > LONGEST_TEXT or not 1 <= lines <= MOST_LINES:
        fault = _("Paste at least one name.") if not lines else _too_long(lines)
        context = {**frame, "text": text[:LONGEST_TEXT], "fault": fault}
        return show(request, "entries/paste.html", event, "entries", context, stages=stages, status=INVALID)
    rows = _rows(request, event, switch.division, text)
    if request.POST.get("step") != "enter":
        return _preview(request, event, switch, text, rows)
    if any(row.undecided for row in rows):
        fault = _("Choose who is meant in the lines that are marked.")
        return _preview(request, event, switch, text, rows, [fault])
    try:
        made = add_entries(
            actor=actor_of(request),
            event_id=event.pk,
            division_id=switch.division.pk,
            entries=_entries(rows, switch.division.team_size),
        )
    except CrawfordError as error:
        if error.status != INVALID:
            return not_done(request, error, back=back)
        return _preview(request, event, switch, text, rows, describe_all(error))
    words = (
        ngettext("%(count)s player is entered.", "%(count)s players are entered.", len(made))
        if switch.division.team_size == 1
        else ngettext("%(count)s team is entered.", "%(count)s teams are entered.", len(made))
    )
    messages.success(request, words % {"count": len(made)})
    return redirect(back)


def _too_long(lines: int) -> str:
    words = _("This is too long for one list: it has %(lines)s lines. Paste up to %(limit)s at a time.")
    return words % {"lines": lines, "limit": MOST_LINES}


def _entries(rows: list[Row], size: int) -> list[NewEntry]:
    """The entries of the lines; a team is entered with all its members or not at all."""
    lines: dict[int, list[NewEntry]] = {}
    for row in rows:
        if row.entry is not None:
            lines.setdefault(row.line.number, []).append(row.entry)
    return [
        NewEntry(first.name, first.player_id, tuple(others))
        for first, *others in lines.values()
        if len(others) == size - 1
    ]


@snapshot()
def _preview(
    request: HttpRequest,
    event: Event,
    switch: Switch,
    text: str,
    rows: list[Row],
    faults: list[str] | None = None,
) -> HttpResponse:
    entering = _entries(rows, switch.division.team_size)
    teams: dict[int, list[Row]] = {}
    for row in rows:
        teams.setdefault(row.line.number, []).append(row)
    for team in teams.values():
        for row in team:
            row.incomplete = any(one.entry is None and not one.undecided for one in team)
    counted = {meaning: sum(row.meaning is meaning for row in rows) for meaning in Meaning}
    context = {
        "text": text,
        "rows": sorted(rows, key=lambda row: not (row.undecided or row.meaning is Meaning.UNREADABLE)),
        "division": switch.division,
        "back": switch.address(event, "entries"),
        "entering": len(entering),
        "undecided": sum(row.undecided for row in rows),
        "counted": [
            (words, counted[meaning]) for meaning, words in _meaning_words().items() if counted[meaning]
        ],
        "faults": faults or [],
    }
    status = INVALID if faults else 200
    return show(request, "entries/paste_preview.html", event, "entries", context, status=status)


def _rows(request: HttpRequest, event: Event, division: Division, text: str) -> list[Row]:
    """Every line with its meaning; three queries per 400 different names."""
    lines = read_list(text, division.team_size)
    known = players_by_key(club=event.club, keys=[line.key for line in lines if line.name])
    entered = players_entered([division.pk])
    first_at: dict[str, int] = {}
    rows = []
    for line in lines:
        row = _row(line, known.get(line.key, []), entered, first_at)
        choice = request.POST.get(row.key, "")
        # A checkbox says “somebody new of this name”; a second one of the same name stays one line, one entry.
        row.choice = choice if choice in {SKIP, NEW} or row.meaning is Meaning.SEVERAL else ""
        rows.append(row)
    return rows


def _row(line: PastedLine, players: list[Player], entered: set[int], first_at: dict[str, int]) -> Row:
    if not line.name:
        return Row(line, Meaning.UNREADABLE)
    if line.key in first_at:
        return Row(line, Meaning.TWICE, note=_("as line %(line)s") % {"line": first_at[line.key]})
    first_at[line.key] = line.number
    free = [player for player in players if player.pk not in entered]
    if players and not free:
        return Row(line, Meaning.ENTERED, players)
    if len(free) == 1 and len(players) == 1:
        return Row(line, Meaning.KNOWN, free)
    if free:
        return Row(line, Meaning.SEVERAL, free)
    return Row(line, Meaning.NEW)


def _meaning_words() -> dict[Meaning, str]:
    return {
        Meaning.SEVERAL: _("several players of this name"),
        Meaning.UNREADABLE: _("cannot be read"),
        Meaning.KNOWN: _("known"),
        Meaning.NEW: _("new"),
        Meaning.TWICE: _("twice on the list"),
        Meaning.ENTERED: _("already entered"),
    }
