"""The only writers of accounts, roles, clubs, players and the audit log; one module per process."""
