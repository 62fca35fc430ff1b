"""Page on which players change their values of custom fields, such as lunch, board or clock."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError, Missing
from people.messages import describe_all
from people.web.access import form_view, request_actor
from tournaments.entries.services.answers import represented_player, set_own_answers
from tournaments.entries.services.own import own_entry
from tournaments.entries.web.columns import CUSTOM_FIELD_PREFIX, custom_field_inputs, custom_values_from
from tournaments.selectors.columns import are_answers_open, custom_field_answers
from tournaments.shared.words.names import date_and_time, event_dates_label

MAX_VERSION_LENGTH = 64


@form_view
def own_custom_fields(request: HttpRequest, entry: str) -> HttpResponse:
    """Show and save the signed-in player's values of custom fields.

    They can be changed until the director's deadline or until the event runs.
    """
    actor = request_actor(request)
    loaded_entry = own_entry(actor, entry)
    event = loaded_entry.division.event
    answers = custom_field_answers(event, represented_player(actor, loaded_entry).pk)
    typed: dict[str, Any] = {f"{CUSTOM_FIELD_PREFIX}{pk}": value for pk, value in answers.values.items()}
    faults: list[str] = []
    status = 200
    if request.method == "POST":
        sent_values = custom_values_from(request.POST)
        fields = {field_input["field"]: field_input["kind"] for field_input in custom_field_inputs(event, {})}
        # Browsers do not send an unticked checkbox.
        values = {
            int(name.removeprefix(CUSTOM_FIELD_PREFIX)): sent_values.get(
                int(name.removeprefix(CUSTOM_FIELD_PREFIX)), ""
            )
            for name in fields
        }
        try:
            set_own_answers(
                actor=actor,
                public_id=loaded_entry.public_id,
                values=values,
                expected_version=request.POST.get("seen", "")[:MAX_VERSION_LENGTH],
            )
        except CrawfordError as error:
            if isinstance(error, Missing):
                raise
            faults, status = describe_all(error), error.status
            if not isinstance(error, Conflict):
                typed = {f"{CUSTOM_FIELD_PREFIX}{pk}": value for pk, value in values.items()}
        else:
            messages.success(request, _("Saved. The desk can see it immediately."))
            return redirect("player:me")
    columns = custom_field_inputs(event, typed)
    if not columns:
        raise Missing("entry.unknown")
    context = {
        "event": event,
        "club": event.club,
        "when": event_dates_label(event),
        "entry": loaded_entry,
        "own_columns": columns,
        "open": are_answers_open(event, timezone.now()),
        "until": date_and_time(event.columns_until, event),
        "seen": answers.version,
        "faults": faults,
    }
    return render(request, "entries/own_answers.html", context, status=status)
