"""Consumer groups that keep their seats."""
