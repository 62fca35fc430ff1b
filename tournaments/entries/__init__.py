"""Entries of an event: lists, teams, seeds, withdrawals, re-entries, online registration, merged players."""
