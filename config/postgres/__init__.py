"""Django's PostgreSQL for processes for which somebody waits."""
