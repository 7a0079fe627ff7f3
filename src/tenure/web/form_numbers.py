"""Numbers that users type into forms of the dashboard."""


def parse_integer(text: str) -> int:
    """Parse an integer, which may be negative. Raises ValueError with a sentence for the user."""
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a number: write digits only, such as 10 or -10.") from None
