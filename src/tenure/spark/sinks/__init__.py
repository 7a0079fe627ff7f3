"""Sinks: declared outputs, and the publishers that write committed rows."""
