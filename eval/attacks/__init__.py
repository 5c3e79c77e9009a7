"""What a candidate might try, and the relation that must hold for each: the probe suite."""
