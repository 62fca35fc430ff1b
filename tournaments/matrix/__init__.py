"""Players table: all people and divisions of an event on one page.

With check-in and payment; its changes are saved and undone together.
"""
