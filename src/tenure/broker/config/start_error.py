"""Error that prevents the broker from starting."""


class StartError(Exception):
    """The broker cannot start. The message is one sentence with cause and remedy, for the user who starts it."""
