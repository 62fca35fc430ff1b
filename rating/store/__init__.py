"""How facts are read and history is written in bulk. The only place of this app with SQL of its own.

`partitions` makes, attaches and drops the room for history; `reading` turns facts into rows for the formulas; `writing`
takes steps and standings back. Which facts count and when anything is computed is decided in `rating.services`.
"""
