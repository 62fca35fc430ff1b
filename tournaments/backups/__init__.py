"""Backup of a whole site in one file while it runs, and restoring it on either database."""
