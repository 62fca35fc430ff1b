"""Services that change accounts, roles, clubs, players and the audit log: the only code that does."""
