"""Principals from the names of client certificates (`ssl.principal.mapping.rules`)."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tenure.broker.config import keys
from tenure.broker.config.start_error import StartError

if TYPE_CHECKING:
    from cryptography.x509 import Name

Mapping = Callable[[str], str]

RULE: Final = re.compile(r"\s*(?:(DEFAULT)|RULE:((?:\\.|[^\\/])*)/((?:\\.|[^\\/])*)/([LU]?))\s*(?:,|$)")
RFC_2253: Final = frozenset({"CN", "C", "L", "ST", "O", "OU", "STREET", "DC", "UID"})


def principal_mapping(text: str) -> Mapping:
    """Return the function from a distinguished name to a user name: the first rule that matches the whole name counts.

    The function raises ValueError if no rule matches. Raises StartError for a rule that is none.
    """
    rules: list[Callable[[str], str | None]] = []
    at = 0
    while at < len(text):
        found = RULE.match(text, at)
        if found is None or found.end() == at:
            raise StartError(
                f"{keys.SSL_PRINCIPAL_MAPPING_RULES.name}, {text[at:]!r}, is no rule: "
                "write DEFAULT or RULE:pattern/replacement/ with L or U after it"
            )
        default, pattern, replacement, case = found.groups()
        rules.append((lambda name: name) if default else _rule(pattern, replacement, case))
        at = found.end()

    def apply(name: str) -> str:
        for rule in rules:
            if (user := rule(name)) is not None:
                return user
        raise ValueError(f"no rule of {keys.SSL_PRINCIPAL_MAPPING_RULES.name} matches the certificate's name {name!r}")

    return apply


def _rule(pattern: str, replacement: str, case: str) -> Callable[[str], str | None]:
    try:
        compiled = re.compile(pattern)
        template = re.sub(r"\\(.)|\$(\d)", _python_template, replacement)
        compiled.sub(template, "")
    except (re.error, IndexError) as error:
        raise StartError(
            f"{keys.SSL_PRINCIPAL_MAPPING_RULES.name} has the pattern {pattern!r}, which is no regular expression "
            f"({error}): correct it"
        ) from None

    def rule(name: str) -> str | None:
        found = compiled.fullmatch(name)
        if found is None:
            return None
        user = found.expand(template)
        return user.lower() if case == "L" else user.upper() if case == "U" else user

    return rule


def _python_template(part: "re.Match[str]") -> str:
    """Return Python's notation of an escaped character or a group in Java's replacement text."""
    escaped, group = part.groups()
    return f"\\g<{group}>" if group else escaped.replace("\\", "\\\\")


def subject_name(certificate: bytes) -> str:
    """Return the subject of a certificate (DER) as Java prints it (RFC 2253): the most specific part first."""
    from cryptography import x509

    subject = x509.load_der_x509_certificate(certificate).subject
    return ",".join("+".join(_attribute(x509.Name([part])) for part in rdn) for rdn in reversed(subject.rdns))


def _attribute(name: "Name") -> str:
    """Return one attribute. Java writes the value of a type that RFC 2253 does not name as hexadecimal DER."""
    (attribute,) = name
    text = attribute.rfc4514_string()
    if text.partition("=")[0] in RFC_2253:
        return text
    der = name.public_bytes()
    at = 0
    for _ in range(3):  # Into the sequence of names, the set of attributes, and the sequence of type and value.
        at = _content(der, at)[0]
    start, size = _content(der, at)
    return f"{attribute.oid.dotted_string}=#{der[start + size :].hex()}"


def _content(der: bytes, at: int) -> tuple[int, int]:
    """Return start and size of the content of the DER element at this place."""
    size = der[at + 1]
    if size < 0x80:
        return at + 2, size
    octets = size & 0x7F
    return at + 2 + octets, int.from_bytes(der[at + 2 : at + 2 + octets], "big")
