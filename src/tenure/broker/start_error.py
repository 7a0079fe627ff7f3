"""Why a broker did not start: one sentence with its cause and its remedy, shown to whoever typed the command."""


class StartError(Exception):
    pass
