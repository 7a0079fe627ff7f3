"""Commands `tenure users ...` and `tenure certificates`."""

import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tenure.client import read_arrow
from tenure.client.errors import AuthenticationFailed
from tests.command_line import app
from tests.serving import serving


def tenure(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, [*arguments], catch_exceptions=False)
    return done.exit_code, done.stdout + done.stderr


def test_users_command__user_added_listed_and_removed__can_log_in_until_removed(tmp_path: Path) -> None:
    (tmp_path / "users").write_text("admin=secret\n")
    (tmp_path / "password").write_text("hers\n")
    options = ("--listen", "127.0.0.1:0", "--memory", "--users", str(tmp_path / "users"))
    with serving(tmp_path, options=options) as broker:
        sasl = {"bootstrap.servers": broker.address, "security.protocol": "SASL_PLAINTEXT"}
        of_admin = sasl | {"sasl.mechanism": "SCRAM-SHA-512", "sasl.username": "admin", "sasl.password": "secret"}
        config = tmp_path / "admin.properties"
        config.write_text("".join(f"{key}={value}\n" for key, value in of_admin.items()))
        at = ("--command-config", str(config))
        assert tenure("topics", "create", "t", *at)[0] == 0
        assert tenure("users", "add", "carol", "--password-file", str(tmp_path / "password"), *at) == (
            0,
            "User 'carol' can log in with SCRAM-SHA-256 and SCRAM-SHA-512.\n",
        )
        listed = "USER\tMECHANISM\tITERATIONS\ncarol\tSCRAM-SHA-256\t4096\ncarol\tSCRAM-SHA-512\t4096\n"
        assert tenure("users", "list", *at) == (0, listed)
        of_carol = of_admin | {"sasl.username": "carol", "sasl.password": "hers"}
        for mechanism in ("SCRAM-SHA-256", "SCRAM-SHA-512"):
            assert len(read_arrow(of_carol | {"sasl.mechanism": mechanism}, "t")) == 0
        assert tenure("users", "remove", "carol", *at)[0] == 0
        with pytest.raises(AuthenticationFailed):
            read_arrow(of_carol, "t")
        assert "has no credentials" in tenure("users", "remove", "carol", *at)[1]
        assert "hers" not in broker.log


@pytest.mark.parametrize(
    ("arguments", "status", "why"),
    [
        (["users", "add", "a"], 2, "pass --password-file FILE"),
        (["users", "add", "a", "--mechanism", "PLAIN"], 2, "Unknown mechanism 'PLAIN'"),
        (["users", "add", "a", "--password-file", "/nowhere"], 1, "/nowhere cannot be read"),
        (["users", "add", "a", "--password-file", "/dev/null"], 1, "The password is empty"),
        (["certificates", "/dev/null/x"], 1, "cannot be written to /dev/null/x: Not a directory"),
        (["certificates", "x", "--client", "../a"], 2, "it must not contain '/', and not be ca or broker"),
    ],
)
def test_users_command__invalid_arguments__error_of_one_sentence(arguments: list[str], status: int, why: str) -> None:
    code, said = tenure(*arguments)
    assert (code, said.count("\n")) == (status, 1), said
    assert why in said


def test_certificates_command__private_keys_written__readable_for_this_user_only(tmp_path: Path) -> None:
    assert tenure("certificates", str(tmp_path), "--client", "alice")[0] == 0
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.glob("*-key.pem")}
    assert modes == dict.fromkeys(["ca-key.pem", "broker-key.pem", "alice-key.pem"], 0o600)
