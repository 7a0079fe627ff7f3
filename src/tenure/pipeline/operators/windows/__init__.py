"""Windows of event time: which there are, what is kept of each, and when it closes."""
