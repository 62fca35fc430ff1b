"""Players table: all people and divisions of an event on one page.

With check-in and payment; saved and undone as a whole.
"""
