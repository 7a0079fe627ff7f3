"""Error that prevents the broker from starting."""


class StartError(Exception):
    """One sentence with cause and remedy, shown to the user who started the broker."""
