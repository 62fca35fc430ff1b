"""Addresses of the pages of a club for its members."""

from django.urls import path

from people.web import numbers, players, views

app_name = "people"

urlpatterns = [
    path("", views.clubs, name="clubs"),
    path("<slug:club>/", views.club, name="club"),
    path("<slug:club>/settings/", views.club_settings, name="settings"),
    path("<slug:club>/federation/", views.federation, name="federation"),
    path("<slug:club>/members/", views.members, name="members"),
    path("<slug:club>/members/role/", views.change_role, name="change-role"),
    path("<slug:club>/leave/", views.leave_club, name="leave"),
    path("<slug:club>/members/remove/", views.remove_member, name="remove-member"),
    path("<slug:club>/players/", players.players, name="players"),
    path("<slug:club>/players/<slug:player>/", players.player, name="player"),
    path("<slug:club>/players/<slug:player>/numbers/", numbers.player_numbers, name="numbers"),
    path("<slug:club>/audit/", players.club_audit_log, name="audit"),
]
