"""A position that somebody pastes, on the board: what stands where, what may be played, and links to look it up elsewhere."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from games.messages import describe
from games.records.boards import with_hits
from games.records.decoding import decode
from games.records.errors import UnreadableRecord
from games.records.positions import MAX_TEXT, holds_position, read_position
from games.records.replaying import compact
from games.rules.plays import Play, legal_plays
from games.rules.sides import SIDES, Side
from games.rules.xgid import PREFIX, Doing, XgId
from games.web.drawing import Drawn, svg
from games.web.showing import image_path, length_words, whole_number
from games.web.uploads import bounded
from games.web.viewing import Look


class PositionForm(forms.Form):
    """What somebody pastes. It is understood by the reader, not here."""

    text = forms.CharField(
        label=gettext_lazy("Position"),
        max_length=MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "autocomplete": "off"}),
        help_text=gettext_lazy(
            "XGID, OGID, GNU Backgammon ID (position, or position and match), or a position copied as text "
            "from XG, BGBlitz or GNU Backgammon."
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@bounded(MAX_TEXT)
def position_page(request: HttpRequest) -> HttpResponse:
    """Paste a position, look at it. Nothing is kept: the position is in the address."""
    if request.method == "POST":
        form = PositionForm(request.POST)
        if form.is_valid():
            try:
                return redirect(address_of(read_position(form.cleaned_data["text"])))
            except UnreadableRecord as error:
                form.add_error("text", describe(error))
        return render(request, "games/position.html", {"form": form}, status=422)
    given = request.GET.get("xgid", "")
    if not given:
        return render(request, "games/position.html", {"form": PositionForm()})
    try:
        shown = read_position(PREFIX + given)
    except UnreadableRecord as error:
        raise Http404("position.unreadable") from error
    chosen = whole_number(request.GET.get("play", ""), 0)
    context = {"form": PositionForm(initial={"text": shown.id}), **_context(shown, chosen)}
    return render(request, "games/position.html", context)


def address_of(shown: XgId, play: int = 0) -> str:
    """Where a position is shown, with one of its legal plays if it is chosen."""
    query = {"xgid": shown.id.removeprefix(PREFIX)} | ({"play": play} if play else {})
    return f"{reverse('games:positions')}?{urlencode(query, safe=':')}"


def position_in(content: bytes) -> str:
    """The address of the position that a file holds in place of a match; empty for none."""
    if len(content) > MAX_TEXT:
        return ""
    text = decode(content)
    try:
        return address_of(read_position(text)) if holds_position(text) else ""
    except UnreadableRecord:
        return ""


def _context(shown: XgId, chosen: int) -> dict[str, Any]:
    plays = legal_plays(shown.position, shown.dice) if shown.dice is not None else ()
    words = [compact(with_hits(shown.position, play.steps)) for play in plays]
    order = sorted(range(len(plays)), key=lambda index: words[index])
    play = plays[order[chosen - 1]] if 0 < chosen <= len(order) else None
    names = {Side.WHITE: _("White"), Side.BLACK: _("Black")}
    drawn = Drawn.of_xgid(shown)
    if play is not None:
        drawn = replace(drawn, steps=with_hits(shown.position, play.steps))
    title = _sentence(shown, play, names)
    return {
        "shown": shown,
        "board": mark_safe(svg(drawn, Look(bottom=shown.turn), title)),  # noqa: S308 - every text in it is escaped by the drawing
        "sentence": title,
        "length_words": length_words(shown.length),
        "cube": shown.cube,
        "cube_owner": names[shown.owner] if shown.owner is not None else "",
        "position_id": shown.position.id,
        "image_path": image_path(shown.id),
        "plays": [
            {
                "words": words[index] or _("No legal play"),
                "url": address_of(shown, number),
                "current": number == chosen,
                "after": address_of(_after(shown, plays[index])),
            }
            for number, index in enumerate(order, 1)
        ],
        "rows": board_rows_of(shown, names),
    }


def board_rows_of(shown: XgId, names: dict[Side, str]) -> list[dict[str, Any]]:
    """The board as text, one row for each side, everybody counting for themselves."""
    boards = {shown.turn: shown.position, shown.turn.other: shown.position.swap()}
    return [
        {
            "name": names[side],
            "points": ", ".join(
                f"{point}: {boards[side].own[point]}" for point in range(24, 0, -1) if boards[side].own[point]
            ),
            "bar": boards[side].own[25],
            "off": boards[side].own[0],
            "pips": boards[side].pips,
            "score": shown.score[side.column],
        }
        for side in SIDES
    ]


def _after(shown: XgId, play: Play) -> XgId:
    """The position after a play, the other side to roll."""
    return replace(shown, position=play.result, turn=shown.turn.other, dice=None, doing=Doing.TO_ROLL)


def _sentence(shown: XgId, play: Play | None, names: dict[Side, str]) -> str:
    name = names[shown.turn]
    if shown.dice is not None:
        dice = f"{shown.dice[0]}-{shown.dice[1]}"
        if play is not None and play.steps:
            moved = compact(with_hits(shown.position, play.steps))
            return _("%(name)s plays %(dice)s: %(play)s") % {"name": name, "dice": dice, "play": moved}
        return _("%(name)s to play %(dice)s") % {"name": name, "dice": dice}
    if shown.doing is Doing.TO_ROLL:
        return _("%(name)s to roll or double") % {"name": name}
    return _("%(name)s has doubled") % {"name": name}
