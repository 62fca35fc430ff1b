"""Check-in: when it is open, checking in by list, code or own device, and draws without missing players."""
