"""Read-only pages of Django's admin: changes go through services, with their checks and audit rows."""

from typing import TYPE_CHECKING, Any

import allauth.account.admin
import allauth.mfa.admin
import allauth.usersessions.admin  # noqa: F401 (the same)
import django.contrib.auth.admin  # noqa: F401 (the same)
from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import Model, URLField
from django.http import HttpRequest

from people.models import Affiliation, AuditEntry, Club, Membership, OutgoingMail, Player, User
from people.web.door.views import redirect_to_password_change

# These packages register pages with which data can be changed, such as second-factor secrets and session keys.
# They are imported first, so that their pages can be unregistered.
for _model in (EmailAddress, Authenticator, Group, UserSession):
    admin.site.unregister(_model)

# The admin has no sign-in page of its own: it would check no second factor and no limits.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.password_change = redirect_to_password_change  # type: ignore[method-assign, assignment]


# Django's class is generic for type checkers only.
if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


class ReadOnlyAdmin(ModelAdmin):
    """Admin with lists and details only: no add, change, delete or actions."""

    actions = None
    formfield_overrides = {URLField: {"assume_scheme": "https"}}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(User)
class UserAdmin(ReadOnlyAdmin):
    list_display = ("email", "name", "is_active", "is_staff", "date_joined")
    search_fields = ("email", "name")
    exclude = ("password",)


@admin.register(Club)
class ClubAdmin(ReadOnlyAdmin):
    list_display = ("name", "city", "country", "parent", "created_at")
    list_select_related = ("parent",)
    search_fields = ("name", "city")


@admin.register(Affiliation)
class AffiliationAdmin(ReadOnlyAdmin):
    list_display = ("club", "federation", "since", "until")
    list_select_related = ("club", "federation")


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    list_display = ("club", "user", "role", "created_at")
    list_select_related = ("club", "user")


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    list_display = ("name", "country", "home_club", "listed", "merged_into", "created_at")
    list_select_related = ("home_club", "merged_into")
    search_fields = ("search_name",)


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("at", "actor_label", "club", "action", "subject_type", "subject_id")
    list_select_related = ("club",)
    list_filter = ("action",)


@admin.register(OutgoingMail)
class OutgoingMailAdmin(ReadOnlyAdmin):
    """Mails that are waiting to be sent or could not be sent, without their text."""

    list_display = ("recipient", "subject", "state", "tries", "next_at", "reason", "written_at")
    list_filter = ("state",)
    exclude = ("content",)
