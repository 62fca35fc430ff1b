"""The only writers of users' roles, clubs, players and the audit trail; one file per process."""
