"""Reasons of clients for joining or leaving (KIP-800), cut to one short line for log and journal."""

from tenure.limits.broker import CLIENT_REASON_CHARACTERS_MAX


def client_reason(text: str | None) -> str:
    if not text:
        return ""
    return "".join(c if c.isprintable() else " " for c in text[:CLIENT_REASON_CHARACTERS_MAX])
