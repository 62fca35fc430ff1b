"""Read facts and write history in bulk. The only package of this app with SQL of its own.

``partitions`` creates, attaches and drops the tables of history; ``reading`` turns facts into rows for the
formulas; ``writing`` stores steps and standings. Which facts count and when anything is computed is decided
in ``rating.services``.
"""
