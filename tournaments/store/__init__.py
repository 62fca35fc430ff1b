"""The writing layer below the services: locks, rows of a stage, results, places and tables.

Its functions join the transaction of the service that calls them, under the event's lock. Pages and tasks do
not call these functions (an import contract checks this).
"""
