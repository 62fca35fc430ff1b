"""Pairings: round by round for Swiss, and whole schedules for round robins."""
