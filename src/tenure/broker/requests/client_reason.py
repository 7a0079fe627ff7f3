"""Why a client joins or leaves, in its own words (KIP-800): they go into our log, so they are one short line."""

from tenure.limits import CLIENT_REASON_CHARACTERS_MAX


def client_reason(text: str | None) -> str:
    if not text:
        return ""
    return "".join(c if c.isprintable() else " " for c in text[:CLIENT_REASON_CHARACTERS_MAX])
