"""How requests come in and responses go out, between Granian's event loop and Django's threads."""
