"""Mapping from the name in a certificate to a user name, as in Kafka."""

import datetime

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from tenure.broker.security.certificate import subject_name
from tenure.broker.security.principal_mapping import principal_mapping

NAME = "CN=Duke,OU=ServiceUsers,O=Org,C=US"


@pytest.mark.parametrize(
    ("rules", "user"),
    [
        ("DEFAULT", NAME),
        ("RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/", "Duke"),
        ("RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/L", "duke"),
        ("RULE:^CN=(.*?), *OU=Other.*$/$1/,RULE:^CN=(.*?),OU=(.*?),O=.*$/$1@$2/U , DEFAULT", "DUKE@SERVICEUSERS"),
        ("RULE:^CN=Other$/x/,DEFAULT", NAME),
        ("RULE:^.*C=US$/a\\/b/", "a/b"),
    ],
)
def test_principal_mapping__several_rules__first_matching_rule_applies(rules: str, user: str) -> None:
    assert principal_mapping(rules)(NAME) == user


def test_principal_mapping__no_rule_matches__error() -> None:
    with pytest.raises(ValueError, match=r"no rule of ssl\.principal\.mapping\.rules matches"):
        principal_mapping("RULE:^CN=Other$/x/")(NAME)


def test_certificate_subject__special_characters_and_attribute_types__name_as_in_java() -> None:
    """Print names as X500Principal.getName() does for the same subjects."""
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.datetime.now(datetime.UTC)
    parts = [(NameOID.COUNTRY_NAME, "US"), (NameOID.ORGANIZATION_NAME, "A, B"), (NameOID.COMMON_NAME, "Duke"),
             (NameOID.EMAIL_ADDRESS, "d@x.org")]  # fmt: skip
    subject = x509.Name([x509.NameAttribute(*part) for part in parts])
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
    certificate = builder.serial_number(1).not_valid_before(now).not_valid_after(now).sign(key, hashes.SHA256())
    assert subject_name(certificate.public_bytes(Encoding.DER)) == (
        "1.2.840.113549.1.9.1=#16076440782e6f7267,CN=Duke,O=A\\, B,C=US"
    )
