"""The one door for everybody: sign-in, second factor, sessions. django-allauth does the work; here is what this site asks of it."""
