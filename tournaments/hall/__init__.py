"""Tables in the hall: the match board, calling, tables out of use, delays, displays."""
