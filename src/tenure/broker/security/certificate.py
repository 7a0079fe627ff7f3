"""Fields of X.509 certificates: the subject in Java's form, and the end of the validity."""

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime

    from cryptography.x509 import Name

RFC_2253: Final = frozenset({"CN", "C", "L", "ST", "O", "OU", "STREET", "DC", "UID"})
PEM_CERTIFICATE: Final = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)
FIELDS_BEFORE_VALIDITY: Final = 4
"""Number of fields before the validity: version, serial number, algorithm and issuer."""
UTC_TIME: Final = 0x17
"""DER tag of a time whose year has two digits."""


def first_certificate(pem: str) -> bytes:
    """Return the first certificate of a PEM text, as DER. Raises ValueError if there is none."""
    found = PEM_CERTIFICATE.search(pem)
    if found is None:
        raise ValueError("the PEM text contains no certificate")
    from ssl import PEM_cert_to_DER_cert  # imported late, so that a start without TLS is faster

    return PEM_cert_to_DER_cert(found.group())


def expiry_of(certificate: bytes) -> "datetime":
    """Return the end of the validity of a certificate (DER).

    This function decodes the bytes itself: the package cryptography is optional, and the module `ssl` does not parse a
    server's own certificate.
    """
    from datetime import UTC, datetime  # imported late, so that the start is faster

    at = _content(certificate, _content(certificate, 0)[0])[0]
    for _ in range(FIELDS_BEFORE_VALIDITY):
        at = sum(_content(certificate, at))
    not_before_at = _content(certificate, at)[0]
    not_after_at = sum(_content(certificate, not_before_at))
    start, size = _content(certificate, not_after_at)
    text = certificate[start : start + size].decode()
    form = "%y%m%d%H%M%SZ" if certificate[not_after_at] == UTC_TIME else "%Y%m%d%H%M%SZ"
    return datetime.strptime(text, form).replace(tzinfo=UTC)


def subject_name(certificate: bytes) -> str:
    """Return the subject of a certificate (DER) in Java's form (RFC 2253), with the most specific attribute first."""
    from cryptography import x509

    subject = x509.load_der_x509_certificate(certificate).subject
    return ",".join("+".join(_attribute(x509.Name([part])) for part in rdn) for rdn in reversed(subject.rdns))


def _attribute(name: "Name") -> str:
    """Return one attribute of a subject as text.

    As in Java, the value of a type unknown to RFC 2253 is hexadecimal DER.
    """
    (attribute,) = name
    text = attribute.rfc4514_string()
    if text.partition("=")[0] in RFC_2253:
        return text
    der = name.public_bytes()
    at = 0
    for _ in range(3):  # Enter the sequence of names, the set of attributes, and the sequence of type and value.
        at = _content(der, at)[0]
    start, size = _content(der, at)
    return f"{attribute.oid.dotted_string}=#{der[start + size :].hex()}"


def _content(der: bytes, at: int) -> tuple[int, int]:
    """Return the start and size of the content of the DER element that begins at `at`."""
    size = der[at + 1]
    if size < 0x80:
        return at + 2, size
    octets = size & 0x7F
    return at + 2 + octets, int.from_bytes(der[at + 2 : at + 2 + octets], "big")
