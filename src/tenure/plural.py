"""Numbers with their nouns, for messages."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 group`, `2 groups`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
