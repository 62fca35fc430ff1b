"""Addresses under /api/v1/records/."""

from django.urls import path

from games.api.views import CheckRecord

app_name = "api-records"

urlpatterns = [path("check/", CheckRecord.as_view(), name="check")]
