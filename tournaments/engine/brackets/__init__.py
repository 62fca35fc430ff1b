"""Eliminations: built, seeded, filled by results, corrected."""
