import pytest


@pytest.fixture
def long_holder_lookup(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a fenced member look up the new holder of its instance id for up to a minute, instead of 5 s."""
    monkeypatch.setattr("tenure.client.group.membership_runner.OPTIONAL_REQUEST_TIMEOUT_MS", 60_000)
