"""Build of what is released: the source archive and the wheels."""
