"""Putting right what has happened: previewed whole, done in one step, undone from the trail. What follows: `engine.brackets.correction`."""
