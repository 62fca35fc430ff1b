"""One file with all that a site keeps, written while it runs, and a site made from it on either database."""
