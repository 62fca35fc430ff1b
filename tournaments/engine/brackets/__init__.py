"""Elimination brackets: build, seed, fill by results, correct."""
