"""Django's PostgreSQL backend for processes that serve pages."""
