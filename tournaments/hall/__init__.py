"""The tables: the board, calling, tables out of use, what holds the hall up, the board on the wall."""
