"""Addresses of account pages that replace those of django-allauth, under the same names."""

from django.urls import path

from people.web.door import views

urlpatterns = [
    path("password/reset/", views.forgotten_password, name="account_reset_password"),
    path("password/change/", views.change_password, name="account_change_password"),
    path("password/set/", views.set_password, name="account_set_password"),
    path("sessions/", views.sessions, name="usersessions_list"),
]
