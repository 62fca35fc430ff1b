"""The writing floor below the services: lock, rows of a stage, results, places, tables.

Its functions join the transaction of the service that calls them, under the event's lock; no page and no task calls them (a contract).
"""
