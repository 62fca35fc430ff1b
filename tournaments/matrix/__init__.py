"""All people of an event and all its divisions on one page: who plays where, who is here, who has paid; saved at once, taken back at once."""
