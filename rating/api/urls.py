"""Addresses under /api/v1/ratings/, for reading and for imports of old results."""

from django.urls import path

from rating.api import imports, official, views

app_name = "rating_api"

urlpatterns = [
    path("", views.Lists.as_view(), name="lists"),
    path("clubs/<slug:club>/imports/", imports.ClubImports.as_view(), name="imports"),
    path("imports/<slug:number>/report/", imports.Import.as_view(), name="import"),
    path("imports/<slug:number>/check/", imports.CheckImport.as_view(), name="import-check"),
    path("imports/<slug:number>/take/", imports.TakeImport.as_view(), name="import-take"),
    path("imports/<slug:number>/stop/", imports.StopImport.as_view(), name="import-stop"),
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
