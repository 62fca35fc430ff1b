"""Who takes part: lists, teams, seeds, withdrawals before the draw, buy-backs, joining by a link, merged players."""
