"""Addresses under /api/v1/ratings/. Read only: results come in through their matches."""

from django.urls import path

from rating.api import official, views

app_name = "rating_api"

urlpatterns = [
    path("", views.Lists.as_view(), name="lists"),
    path("<slug:list_id>/", views.ListDetail.as_view(), name="list"),
    path("<slug:list_id>/official/", official.Issues.as_view(), name="official-lists"),
    path("<slug:list_id>/official/<int:number>/", official.IssueDetail.as_view(), name="official-list"),
    path("<slug:list_id>/official/<int:number>/players/", official.IssueRows.as_view(), name="official-rows"),
    path("<slug:list_id>/players/", views.Leaderboard.as_view(), name="leaderboard"),
    path("<slug:list_id>/players/<slug:player_id>/", views.PlayerDetail.as_view(), name="player"),
    path("<slug:list_id>/players/<slug:player_id>/history/", views.History.as_view(), name="history"),
    path("<slug:list_id>/changes/<int:number>/", views.ChangeDetail.as_view(), name="change"),
    path("<slug:list_id>/what-if/", views.WhatIf.as_view(), name="what-if"),
]
