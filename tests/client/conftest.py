import pytest


@pytest.fixture
def asks_for_its_holder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a fenced member wait up to a minute for the name of its seat's new holder, instead of 5 s."""
    monkeypatch.setattr("tenure.client.group.membership_runner.OPTIONAL_REQUEST_TIMEOUT_MS", 60_000)
