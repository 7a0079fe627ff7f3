"""Configuration by the operator: keys, settings, addresses."""
