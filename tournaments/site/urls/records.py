"""URLs of the game records of a match, under /records/."""

from django.urls import path

from tournaments.matches.web import analysed_file
from tournaments.matches.web import records as pages

app_name = "records"

urlpatterns = [
    path("m/<slug:match>/", pages.viewer, name="match"),
    path("m/<slug:match>/<int:version>/", pages.viewer, name="record"),
    path("m/<slug:match>/<int:version>/copies/<int:number>/", pages.copy_viewer, name="copy"),
    path(
        "m/<slug:match>/<int:version>/copies/<int:number>/as/<slug:code>/", pages.copy_file, name="copy-file"
    ),
    path("m/<slug:match>/<int:version>/original/", pages.original, name="original"),
    path("m/<slug:match>/<int:version>/analysed/", analysed_file.public_analysis_file, name="analysed"),
    path("m/<slug:match>/<int:version>/as/<slug:code>/", pages.export, name="export"),
]
