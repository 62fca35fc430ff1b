"""Sign-in, second factors and sessions: settings and extensions of django-allauth, for all users."""
