"""The pure room of the tournaments: what follows from what, and nothing about where it is kept.

Here: states and their transitions, reports and decisions, draws, brackets, places, tables. Values come in,
values go out. Never here: Django, a database, a clock, global chance (a draw's chance is its stored seed).
"""
