"""Configuration of the broker by its operator: keys, their values, and addresses."""
