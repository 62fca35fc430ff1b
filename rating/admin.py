"""Read-only admin pages of the rating ledger, the rating lists and their computations."""

from django.contrib import admin

from people.admin import ReadOnlyAdmin
from rating.models import Fact, Generation, RatingList


@admin.register(Fact)
class FactAdmin(ReadOnlyAdmin):
    list_display = ("id", "kind", "club", "winner", "loser", "length", "played_at", "source_key")
    list_filter = ("kind",)
    list_select_related = ("club", "winner", "loser")
    search_fields = ("source_key", "winner__name", "loser__name")


@admin.register(RatingList)
class RatingListAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "system", "is_main", "needs_rebuild", "version")
    list_select_related = ("club",)
    search_fields = ("name", "club__name")


@admin.register(Generation)
class GenerationAdmin(ReadOnlyAdmin):
    list_display = ("id", "rating_list", "state", "done", "total", "started_at", "finished_at")
    list_filter = ("state",)
    list_select_related = ("rating_list",)
