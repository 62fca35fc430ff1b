"""Backup of a whole site in one file while it runs, and restoring the site on either kind of database."""
