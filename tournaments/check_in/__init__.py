"""Check-in: windows, checking in by list, code or own phone, and draws without missing players."""
