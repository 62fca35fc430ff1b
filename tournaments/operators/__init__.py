"""What operators of the site do: hide, remove, restore, merge, suspend, answer reports. Each deed with a reason, and in a trail of its own."""
