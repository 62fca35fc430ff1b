"""How requests come in and answers go out, between Granian's loop and Django's threads."""
