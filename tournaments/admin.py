"""Read-only admin pages for tournaments: every change goes through a service."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from people.admin import ReadOnlyAdmin
from tournaments.models import Delivery, Division, Entry, Event, Match, Objection, Report, Round, Stage


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "starts_on", "status", "visibility", "version")
    list_select_related = ("club",)
    list_filter = ("status",)
    search_fields = ("name",)


@admin.register(Division)
class DivisionAdmin(ReadOnlyAdmin):
    list_display = ("event", "name", "position")
    list_select_related = ("event",)


@admin.register(Stage)
class StageAdmin(ReadOnlyAdmin):
    exclude = ("secret",)  # of the next draw: it determines that draw, so the admin does not show it
    list_display = ("division", "system", "lengths", "draw_method", "draw_seed", "status")
    list_select_related = ("division__event",)


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin):
    list_display = ("stage", "number", "code", "length")
    list_select_related = ("stage",)


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = ("name", "division", "seed", "status", "source", "created_at")
    list_select_related = ("division__event",)
    search_fields = ("name",)


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    list_display = (
        "stage",
        "number",
        "status",
        "table",
        "score_a",
        "score_b",
        "winner_side",
        "result_kind",
        "version",
    )
    list_select_related = ("stage",)
    list_filter = ("status",)


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin):
    list_display = (
        "match",
        "version",
        "reporter_kind",
        "side",
        "score_a",
        "score_b",
        "kind",
        "state",
        "created_at",
    )
    list_select_related = ("match__stage",)


@admin.register(Objection)
class ObjectionAdmin(ReadOnlyAdmin):
    list_display = ("match", "entry", "created_at", "settled_at")
    list_select_related = ("match__stage", "entry")


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    """Read-only list of deliveries that wait or were given up, without recipients and addresses."""

    list_display = ("pk", "kind", "way", "state", "tries", "next_at", "sent_at", "opened_at", "reason")
    list_filter = ("state", "way")
    list_select_related = ("notification",)
    fields = ("kind", "way", "state", "tries", "next_at", "taken_at", "sent_at", "opened_at", "reason")

    @admin.display(description=_("kind"))
    def kind(self, row: Delivery) -> str:
        return row.notification.kind
