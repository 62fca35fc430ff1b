"""A player changes what they have filled into the columns of an event's own: lunch, board, clock."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError, Missing
from people.messages import describe_all
from people.web.access import actor_of, form_page
from tournaments.entries.services.answers import set_own_answers, whose
from tournaments.entries.services.own import own_entry
from tournaments.entries.web.columns import OWN, own_column_fields, own_columns_in
from tournaments.selectors.columns import answers_of, is_answerable
from tournaments.shared.words.names import day_and_time, when_words

LONGEST_VERSION = 64


@form_page
def answers(request: HttpRequest, entry: str) -> HttpResponse:
    """The fields as they stand, to be changed until the director's time, or until the event runs."""
    actor = actor_of(request)
    found = own_entry(actor, entry)
    event = found.division.event
    known = answers_of(event, whose(actor, found).pk)
    typed: dict[str, Any] = {f"{OWN}{pk}": value for pk, value in known.values.items()}
    faults: list[str] = []
    status = 200
    if request.method == "POST":
        given = own_columns_in(request.POST)
        fields = {one["field"]: one["kind"] for one in own_column_fields(event, {})}
        # A box without a tick is not sent.
        values = {int(name.removeprefix(OWN)): given.get(int(name.removeprefix(OWN)), "") for name in fields}
        try:
            set_own_answers(
                actor=actor,
                public_id=found.public_id,
                values=values,
                seen=request.POST.get("seen", "")[:LONGEST_VERSION],
            )
        except CrawfordError as error:
            if isinstance(error, Missing):
                raise
            faults, status = describe_all(error), error.status
            if not isinstance(error, Conflict):
                typed = {f"{OWN}{pk}": value for pk, value in values.items()}
        else:
            messages.success(request, _("Saved. The desk can see it immediately."))
            return redirect("player:me")
    columns = own_column_fields(event, typed)
    if not columns:
        raise Missing("entry.unknown")
    context = {
        "event": event,
        "club": event.club,
        "when": when_words(event),
        "entry": found,
        "own_columns": columns,
        "open": is_answerable(event, timezone.now()),
        "until": day_and_time(event.columns_until, event),
        "seen": known.version,
        "faults": faults,
    }
    return render(request, "entries/own_answers.html", context, status=status)
