import pytest


@pytest.fixture
def asks_for_its_holder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a fenced member ask for a minute who has its seat. Users hear of the fence after 5 s in any case."""
    monkeypatch.setattr("tenure.client.group.membership_runner.GOODBYE_TIMEOUT_MS", 60_000)
