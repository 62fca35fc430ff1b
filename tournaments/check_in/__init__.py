"""Check-in: when it is open, who is here, by list, code or own phone; and draws without those who are missing."""
