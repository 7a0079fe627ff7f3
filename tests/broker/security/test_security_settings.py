"""Security settings that contradict the listeners or each other: the start is refused."""

import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from joserfc.jwk import ECKey, KeySet

from tenure.broker.config.configuration import load_settings
from tenure.broker.config.listeners import configured_listeners
from tenure.broker.config.start_error import StartError
from tenure.broker.security.security import refuse_open_listener, security_by_listener
from tenure.development_certificates import write_certificates

TLS = "listeners=SSL://127.0.0.1:0"
TLS_FILES = "ssl.keystore.location=a"
OAUTH = "sasl.enabled.mechanisms=OAUTHBEARER"
JWKS = "sasl.oauthbearer.jwks.endpoint.url=file:///nowhere"
SASL = "listeners=SASL_PLAINTEXT://127.0.0.1:0"


def check(*flags: str, insecure: bool = False) -> None:
    settings, _ = load_settings(flags=flags)
    listeners = configured_listeners(settings)
    for listener in listeners:
        refuse_open_listener(listener, settings.of_listener(listener.name), insecure=insecure)
    security_by_listener(settings, listeners)


def why_refused(*flags: str) -> str:
    with pytest.raises(StartError) as refused:
        check(*flags)
    message = str(refused.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["tenure.users.file=x"], "tenure.users.file (--set tenure.users.file) is set, but no listener uses SASL_SSL"),
        (["sasl.enabled.mechanisms=PLAIN"], "is set, but no listener uses SASL_SSL"),
        ([SASL, "sasl.enabled.mechanisms=PLAIN"], "enables PLAIN, but no user has a password for it"),
        ([SASL, "sasl.enabled.mechanisms=GSSAPI"], "names GSSAPI, which this broker does not have: use PLAIN"),
        ([SASL, "tenure.sasl.plain.backend=builtins:print"], "is set, but PLAIN is not enabled"),
        ([SASL, "tenure.sasl.plain.backend=nowhere:f", "sasl.enabled.mechanisms=PLAIN"], "cannot be loaded"),
        ([SASL, "tenure.sasl.plain.backend=sys:argv", "sasl.enabled.mechanisms=PLAIN"], "is not a function"),
        ([SASL, "tenure.users.file=/nowhere"], "/nowhere cannot be read: No such file or directory"),
        (["listeners=SASL_PLAINTEXT://10.0.0.1:9092"], "could listen in: use SASL_SSL, or SSL with"),
        ([SASL, OAUTH], "there are no keys of an issuer: set sasl.oauthbearer.jwks.endpoint.url"),
        ([SASL, OAUTH, JWKS], "set sasl.oauthbearer.expected.audience or sasl.oauthbearer.expected.issuer"),
        ([SASL, OAUTH, JWKS, "sasl.oauthbearer.expected.audience=kafka"], "gives no JWKS"),
        ([SASL, OAUTH, "sasl.oauthbearer.jwks.endpoint.url=/x"], "is not a file://, http:// or https:// URL"),
        ([SASL, JWKS], "is set, but OAUTHBEARER is not enabled"),
        (
            [SASL, "sasl.oauthbearer.expected.issuer=x"],
            "expected.issuer is set, but OAUTHBEARER is not enabled: add it",
        ),
        ([SASL, OAUTH, JWKS, "sasl.oauthbearer.expected.issuer=x", "tenure.users.file=x"], "cannot be read"),
        ([SASL, "sasl.enabled.mechanisms="], "must be comma-separated names, not ''"),
        (["ssl.client.auth=required"], "ssl.client.auth (--set ssl.client.auth) is set, but no listener uses SSL"),
        (["ssl.key.password=x"], "is set, but no listener uses SSL or SASL_SSL: add such a listener to listeners"),
        (["ssl.enabled.protocols=TLSv1.3"], "is set, but no listener uses SSL or SASL_SSL"),
        (["connections.max.reauth.ms=1000"], "is set, but no listener uses SASL_SSL or SASL_PLAINTEXT"),
        (["sasl.oauthbearer.expected.audience=x"], "is set, but no listener uses SASL_SSL"),
        (["listener.name.plaintext.sasl.enabled.mechanisms=PLAIN"], "is set, but no listener uses SASL_SSL"),
        ([TLS], "there is no certificate: set ssl.keystore.location"),
        ([TLS, "ssl.keystore.location=/nowhere.pem"], "/nowhere.pem cannot be loaded (No such file or directory)"),
        ([TLS, "ssl.keystore.location=a", "ssl.keystore.key=b"], "are both set: remove one"),
        ([TLS, "ssl.keystore.location=a,b,c"], "names more than two files"),
        ([TLS, "ssl.keystore.location=a", "ssl.client.auth=required"], "no authority is trusted"),
        ([TLS, "ssl.keystore.location=a", "ssl.truststore.location=b"], "set ssl.client.auth to required"),
        ([TLS, "ssl.keystore.location=a", "ssl.enabled.protocols=TLSv1.1"], "is unknown or insecure: use TLSv1.2"),
        ([TLS, "ssl.keystore.location=a", "ssl.cipher.suites=TLS_AES_128_GCM_SHA256"], "which Python cannot restrict"),
        ([TLS, "ssl.keystore.location=a", "ssl.cipher.suites=NO_SUCH"], "names no suite that this machine has"),
        (
            [TLS, "ssl.keystore.location=a", "ssl.principal.mapping.rules=RULE:x"],
            "is not a rule: write DEFAULT, or RULE",
        ),
        ([TLS, "ssl.keystore.location=a", "ssl.principal.mapping.rules=RULE:(/x/"], "is not a regular expression"),
        (
            ["ssl.keystore.location=a"],
            "ssl.keystore.location (--set ssl.keystore.location) is set, but no listener uses",
        ),
        (["listener.name.x.max.connections=1"], "listener.name.x.* names no listener: name one of plaintext"),
        (["listener.name.plaintext.ssl.keystore.location=a"], "is set, but no listener uses SSL or SASL_SSL"),
        ([TLS, "listener.name.ssl.ssl.keystore.location=/nowhere"], "/nowhere cannot be loaded"),
        ([TLS, "listener.name.ssl.ssl.keystore.type=JKS"], "'listener.name.ssl.ssl.keystore.type' (--set listener."),
        (["listener.name.plaintext.sasl.jaas.config=x"], "asks for security of a single listener"),
        (["inter.broker.listener.name=x"], "inter.broker.listener.name = 'x' names no listener"),
        (["listeners=SSL://:9093", TLS_FILES], "or SSL with ssl.client.auth=required"),
        (["listeners=PLAINTEXT://:9092"], "every address of this machine is not a loopback address"),
    ],
)
def test_security_settings__contradict_listeners_or_each_other__error_names_key_and_remedy(
    flags: list[str], why: str
) -> None:
    assert why in why_refused(*flags)


def test_security_settings__set_to_their_default_values__accepted() -> None:
    check(
        "ssl.client.auth=none",
        "connections.max.reauth.ms=0",
        "sasl.enabled.mechanisms=SCRAM-SHA-256,SCRAM-SHA-512",
    )


def test_users_file__only_one_of_two_listeners_uses_it__accepted(tmp_path: Path) -> None:
    (tmp_path / "users").write_text("alice=secret\n")
    (tmp_path / "jwks.json").write_text(json.dumps(KeySet([ECKey.generate_key("P-256")]).as_dict(private=False)))
    check(
        "listener.security.protocol.map=IN:SASL_PLAINTEXT,OUT:SASL_PLAINTEXT",
        "listeners=IN://127.0.0.1:0,OUT://127.0.0.1:0",
        f"tenure.users.file={tmp_path}/users",
        "listener.name.out.sasl.enabled.mechanisms=OAUTHBEARER",
        f"listener.name.out.sasl.oauthbearer.jwks.endpoint.url=file://{tmp_path}/jwks.json",
        "listener.name.out.sasl.oauthbearer.expected.issuer=x",
    )


def test_certificate_and_key_files__do_not_belong_together__error_without_the_password(tmp_path: Path) -> None:
    write_certificates(tmp_path / "a", ["alice"])
    write_certificates(tmp_path / "b")
    key = load_pem_private_key((tmp_path / "a/broker-key.pem").read_bytes(), None)
    encryption = BestAvailableEncryption(b"right")
    (tmp_path / "encrypted.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption))
    (tmp_path / "empty.pem").write_text("")
    certificate = tmp_path / "a/broker.pem"
    for location, others in [
        (f"{certificate},{tmp_path}/b/broker-key.pem", ()),
        (f"{certificate},{tmp_path}/encrypted.pem", ("ssl.key.password=guess-9",)),
        (f"{certificate},{tmp_path}/encrypted.pem", ()),
        (f"{certificate}", ()),
        (f"{tmp_path}/empty.pem", ()),
        (f"{certificate}", ("ssl.keystore.type=PKCS12", "ssl.keystore.password=guess-9")),
    ]:
        message = why_refused(TLS, f"ssl.keystore.location={location}", *others)
        assert "the certificate and its key must belong together, and ssl.key.password must fit" in message
        assert "guess-9" not in message


def test_sasl_plaintext_listener__not_loopback_but_insecure_option__accepted() -> None:
    check("listeners=SASL_PLAINTEXT://10.0.0.1:9092", insecure=True)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"alice=secret\nbob\n", "line 2, is not a user"),
        (b"alice=secret\nalice=secret\n", "line 2, names a user again"),
        (b"alice=\n", "line 1, is not a user"),
        (b"# nothing\n", "contains no user"),
        (b"\xff=secret", "is not UTF-8"),
        (b"a=secret\n" * 200_000, "has more than 1048576 bytes"),
    ],
)
def test_users_file__invalid__error_without_its_passwords(tmp_path: Path, content: bytes, why: str) -> None:
    file = tmp_path / "users"
    file.write_bytes(content)
    message = why_refused(SASL, f"tenure.users.file={file}")
    assert why in message
    assert "secret" not in message
