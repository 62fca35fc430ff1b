"""Tables: the match board, calling, tables out of use, delays, displays in the hall."""
