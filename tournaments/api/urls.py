"""Addresses of the tournament API, version 1."""

from django.urls import path

from tournaments.api import reading, writing

app_name = "api"

urlpatterns = [
    path("events/", reading.EventList.as_view(), name="events"),
    path("events/<slug:event>/", reading.EventDetail.as_view(), name="event"),
    path("events/<slug:event>/bracket/", reading.EventBracket.as_view(), name="bracket"),
    path("events/<slug:event>/matches/", reading.EventMatches.as_view(), name="matches"),
    path("events/<slug:event>/entries/", reading.EventEntries.as_view(), name="entries"),
    path("matches/<slug:match>/", reading.MatchDetail.as_view(), name="match"),
    path("matches/<slug:match>/report/", writing.ReportResult.as_view(), name="report"),
    path("matches/<slug:match>/agree/", writing.AgreeToReport.as_view(), name="agree"),
    path("matches/<slug:match>/object/", writing.ObjectToResult.as_view(), name="object"),
    path("clubs/", reading.ClubList.as_view(), name="clubs"),
    path("clubs/<slug:club>/", reading.ClubDetail.as_view(), name="club"),
    path("players/", reading.PlayerList.as_view(), name="players"),
    path("players/<slug:player>/", reading.PlayerDetail.as_view(), name="player"),
]
