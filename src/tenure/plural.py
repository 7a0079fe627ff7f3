"""Numbers with their nouns, for messages."""


def format_count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 group`, `2 groups`. `plural` is the plural if it is not formed with "s"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
