"""Actions of site operators: hide, remove, restore, merge, suspend, answer reports.

Each action needs a reason and adds an entry to the operators' audit log.
"""
