"""Sinks: declarations of outputs, and the publishers that write committed rows to them."""
