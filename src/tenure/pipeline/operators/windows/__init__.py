"""Windows of event time: kinds, kept state, and closing."""
