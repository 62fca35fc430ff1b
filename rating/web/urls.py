"""Public addresses of ratings. They contain public ids and ledger numbers and no other database ids."""

from django.urls import path

from rating.web import exports, official, public

app_name = "rating"

urlpatterns = [
    path("<slug:list_id>/", public.leaderboard_page, name="list"),
    path("<slug:list_id>/ratings.csv", exports.ratings_csv, name="csv"),
    path("<slug:list_id>/ratings.json", exports.ratings_json, name="json"),
    path("<slug:list_id>/official/", official.current_page, name="official"),
    path("<slug:list_id>/official/dates/", official.dates_page, name="official-dates"),
    path("<slug:list_id>/official/<int:number>/", official.issue_page, name="official-issue"),
    path("<slug:list_id>/official/<int:number>/list.csv", official.issue_csv, name="official-csv"),
    path(
        "<slug:list_id>/official/<int:number>/signed.json",
        official.signed_document_file,
        name="official-signed",
    ),
    path("<slug:list_id>/why/<int:number>/", public.why_page, name="why"),
    path("<slug:list_id>/what-if/", public.what_if_page, name="what-if"),
    path("<slug:list_id>/players/", public.find_players, name="find-players"),
    path("<slug:list_id>/player/<slug:player_id>/", public.player_page, name="player"),
    path("<slug:list_id>/player/<slug:player_id>/chart.svg", public.chart, name="chart"),
    path("<slug:list_id>/player/<slug:player_id>/history.csv", exports.history_csv, name="history-csv"),
    path("<slug:list_id>/player/<slug:player_id>/versus/", public.opponents_page, name="opponents"),
    path("<slug:list_id>/player/<slug:player_id>/versus/<slug:other_id>/", public.versus_page, name="versus"),
]
