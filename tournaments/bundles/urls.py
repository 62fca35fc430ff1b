"""URLs of files that directors download."""

from django.urls import path

from tournaments.bundles.web import event_now

app_name = "bundles"

urlpatterns = [
    path("events/<slug:event>/now.zip", event_now.download_event, name="event"),
]
