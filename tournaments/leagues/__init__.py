"""Seasons: what is left unplayed is ruled on, who goes up and down, the next season made from this one."""
