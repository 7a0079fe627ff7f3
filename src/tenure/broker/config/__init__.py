"""What the operator has set: keys, settings, addresses."""
