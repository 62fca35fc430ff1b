"""Elimination brackets: building, seeding, filling in results, correcting results."""
