"""Services of the players table: save all changes of the page in one transaction, and undo the last save."""
