"""Repairs: previewed as a whole, done in one step, undone from the audit log.

Consequences: `engine.brackets.correction`.
"""
