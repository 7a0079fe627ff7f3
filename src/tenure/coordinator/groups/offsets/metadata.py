"""Length of the metadata of a commit (`offset.metadata.max.bytes`), in UTF-16 code units as in Java."""


def is_too_long(metadata: str | None, units_max: int) -> bool:
    if metadata is None or 2 * len(metadata) <= units_max:
        return False
    return utf16_units(metadata) > units_max


def utf16_units(text: str) -> int:
    """Return the number of UTF-16 code units: two for each character beyond the basic plane, one for all others."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
