"""The only writers of tournament state, one file per process.

Every service takes keyword arguments, opens one durable transaction, locks the event first (one lock orders everything
that happens in it), asks ``engine.lifecycle`` for the next status, writes an audit row and raises the event's version.
"""
