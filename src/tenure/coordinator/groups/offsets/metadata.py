"""Length of the metadata of a commit (`offset.metadata.max.bytes`), counted as in Java, in UTF-16 units."""


def is_too_long(metadata: str | None, units_max: int) -> bool:
    if metadata is None or 2 * len(metadata) <= units_max:
        return False
    return utf16_units(metadata) > units_max


def utf16_units(text: str) -> int:
    """Count UTF-16 units: a character beyond the basic plane has two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
