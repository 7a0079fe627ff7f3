"""Access to the dashboard. Real requests to a real process, over TLS where a password is needed."""

import http.client
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from tenure.broker.handlers import api_versions
from tenure.protocol.apis import ApiKey
from tenure.testing import Broker
from tests.apache_kafka import free_ports
from tests.web.conftest import TIMEOUT_S, RunningDashboard, dashboard_of

pytestmark = pytest.mark.long
PASSWORD = "correct horse battery staple"
WHAT_IF = "/what-if?id=g&bounce=rolling&members=ten"


class Answer:
    """Status, headers and body of an answer."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status = answer.status
        self.headers = answer.headers
        self.body = answer.read().decode()


def request(url: str, path: str, form: Mapping[str, str] | None = None, **headers: str) -> Answer:
    """Send a GET, or a POST with a form, from the origin of the dashboard unless `Origin` is given."""
    at = urlsplit(url)
    context = ssl._create_unverified_context()
    connection: http.client.HTTPConnection = (
        http.client.HTTPSConnection(at.netloc, timeout=TIMEOUT_S, context=context)
        if at.scheme == "https"
        else http.client.HTTPConnection(at.netloc, timeout=TIMEOUT_S)
    )
    try:
        if form is None:
            connection.request("GET", path, headers=headers)
        else:
            connection.request("POST", path, urlencode(form), {"Origin": url, **headers})
        return Answer(connection.getresponse())
    finally:
        connection.close()


@pytest.fixture(scope="module")
def secured(broker: Broker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDashboard]:
    directory = tmp_path_factory.mktemp("web")
    command = [sys.executable, "-m", "tenure", "certificates", str(directory), "--host", "localhost"]
    subprocess.run(command, check=True, capture_output=True)
    password = directory / "password"
    password.write_text(PASSWORD)
    password.chmod(0o600)
    pair = f"{directory / 'broker.pem'},{directory / 'broker-key.pem'}"
    with dashboard_of(broker.address, "--tls", pair, "--password-file", str(password)) as running:
        yield running


def login(secured: RunningDashboard) -> Answer:
    """Log in with the right password, as soon as attempts are permitted again after a wrong one of another test."""
    while "Too many attempts" in (answer := request(secured.url, "/login", {"password": PASSWORD})).body:
        time.sleep(0.1)
    return answer


def logged_in(secured: RunningDashboard) -> str:
    answer = login(secured)
    assert answer.status == 303
    return answer.headers["Set-Cookie"].partition(";")[0]


def test_http_headers__any_answer__strict_content_security_policy(dashboard: RunningDashboard):
    for path in ("/", "/static/page.js", "/nothing", "/group?id=nothing"):
        headers = request(dashboard.url, path).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"


def test_host_header__name_that_is_not_loopback__refused(dashboard: RunningDashboard):
    assert request(dashboard.url, "/", Host="attacker.example").status == 400


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.9.1:1", "[::1]:8420"])
def test_host_header__name_or_address_of_loopback__answered(host: str, dashboard: RunningDashboard):
    assert request(dashboard.url, "/", Host=host).status == 200


@pytest.mark.parametrize("path", ["/change?kind=nothing", "/change", "/what-if?id=nothing&bounce=all"])
def test_web_page__its_object_does_not_exist__status_404(path: str, dashboard: RunningDashboard):
    assert request(dashboard.url, path).status == 404


def test_transactions_page__broker_does_not_support_list_transactions__page_says_so(monkeypatch: pytest.MonkeyPatch):
    missing = {ApiKey.LIST_TRANSACTIONS, ApiKey.DESCRIBE_PRODUCERS}
    kafka_2_7 = {key: api for key, api in api_versions.APIS.items() if key not in missing}
    monkeypatch.setattr(api_versions, "APIS", kafka_2_7)
    with Broker() as broker, dashboard_of(broker.address) as running:
        listed = request(running.url, "/transactions")
        searched = request(running.url, "/transactions?hanging=1")
    assert (listed.status, "This broker does not list transactions." in listed.body) == (200, True)
    assert (searched.status, "The broker does not support this" in searched.body) == (503, True)


def test_post_request__from_another_site__refused(dashboard: RunningDashboard):
    form = {"kind": "rebalance", "group": "g"}
    assert request(dashboard.url, "/change", form, Origin="https://attacker.example").status == 403
    assert request(dashboard.url, "/change", form, Origin="null").status == 403


def test_change_form__wrong_form_token__refused(dashboard: RunningDashboard):
    answer = request(dashboard.url, "/change", {"kind": "rebalance", "group": "g", "token": "0" * 64})
    assert answer.status == 403
    assert "out of date" in answer.body


@pytest.mark.parametrize("path", ["/change?kind=reset-offsets&group=g&target=shift&records=ten", WHAT_IF])
def test_dashboard_forms__text_instead_of_a_number__error_of_one_sentence(dashboard: RunningDashboard, path: str):
    answer = request(dashboard.url, path)
    assert answer.status == 400
    assert "&#39;ten&#39; is not a number: write digits only, such as 10 or -10." in answer.body


def test_change_page__dashboard_without_permission_to_change__status_404(secured: RunningDashboard):
    answer = request(secured.url, "/change?kind=rebalance&group=g", Cookie=logged_in(secured))
    assert answer.status == 404


def test_web_page__not_logged_in__redirected_to_the_login(secured: RunningDashboard):
    for path in ("/", "/group?id=g", "/topics", "/transactions", "/pipelines", "/static/vega.js", "/nothing"):
        answer = request(secured.url, path)
        assert (answer.status, answer.headers["Location"]) == (307, "/login")
    assert request(secured.url, "/events/").status == 401


def test_login__right_password__cookie_not_readable_by_scripts_and_other_sites(secured: RunningDashboard):
    answer = login(secured)
    assert {"HttpOnly", "Secure", "SameSite=strict"} <= {
        part.strip() for part in answer.headers["Set-Cookie"].split(";")
    }
    assert request(secured.url, "/", Cookie=logged_in(secured)).status == 200


def test_login__wrong_password_or_cookie__refused(secured: RunningDashboard):
    assert "Wrong password" in request(secured.url, "/login", {"password": "wrong"}).body
    assert request(secured.url, "/", Cookie="tenure-session=wrong").status == 307


def test_logout__cookie_used_again__login_needed(secured: RunningDashboard):
    cookie = logged_in(secured)
    assert request(secured.url, "/logout", {}, Cookie=cookie).status == 303
    assert request(secured.url, "/", Cookie=cookie).status == 307


def test_change_form__larger_than_the_limit__refused(dashboard: RunningDashboard):
    assert request(dashboard.url, "/change", {"kind": "rebalance", "group": "g" * 100_000}).status == 413


def test_serve_with_dashboard__broker_killed__dashboard_ends_too():
    at = "127.0.0.1:{}".format(*free_ports("127.0.0.1", 1))
    command = [sys.executable, "-m", "tenure", "serve", "--memory", "--listen", at, "--web", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as broker:
        assert broker.stdout is not None
        lines = sorted([broker.stdout.readline(), broker.stdout.readline()])
        assert lines[1] == f"tenure: ready at {at}\n"
        assert request(lines[0].split()[-1].rstrip("/"), "/").status == 200
        broker.kill()
        assert broker.stdout.read() == "tenure: dashboard stopped\n"


def test_serve_with_dashboard__address_of_the_broker_unknown__refused():
    command = [sys.executable, "-m", "tenure", "serve", "--memory", "--listen", "127.0.0.1:0", "--web"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert ended.returncode == 1
    assert "start `tenure web" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--listen", "0.0.0.0:0"], "needs --tls CERTIFICATE,KEY and --password-file FILE"),
        (["--listen", "8080"], "write it as HOST:PORT"),
        (["--tls", "one.pem"], "CERTIFICATE,KEY"),
        (["--tls", "no.pem,no.key"], "no.pem or no.key cannot be read: no such file or directory"),
        (["--password-file", "nothing"], "nothing cannot be read: no such file or directory"),
        (["--pipeline", "localhost:9400"], "http://HOST:PORT/metrics"),
    ],
)
def test_dashboard_start__invalid_options__error_of_one_sentence(arguments: list[str], sentence: str, tmp_path: Path):
    command = [sys.executable, "-m", "tenure", "web", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=TIMEOUT_S)
    assert ended.returncode in (1, 2)
    assert sentence in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(("text", "mode"), [("hunter2", 0o600), (PASSWORD, 0o644)])
def test_dashboard_start__password_short_or_readable_by_others__refused(text: str, mode: int, tmp_path: Path):
    file = tmp_path / "password"
    file.write_text(text)
    file.chmod(mode)
    command = [sys.executable, "-m", "tenure", "web", "--password-file", str(file)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert ended.returncode == 1
    assert str(file) in ended.stderr
    assert text not in ended.stderr
