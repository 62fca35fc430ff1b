"""Repairs of results, entries and lengths: previewed, done in one step, undone from the audit log.

What a repair changes in a bracket is computed in `engine.brackets.correction`.
"""
