"""Written by `python -m tenure.protocol.generate`; never edited."""
