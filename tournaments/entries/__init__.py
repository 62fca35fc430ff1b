"""Entries: lists, teams, seeds, withdrawals before the draw, re-entries, registration, merged players."""
