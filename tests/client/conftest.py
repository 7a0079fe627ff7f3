import pytest


@pytest.fixture
def asks_for_its_holder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a fenced member ask for a minute for the new holder of its seat.

    Users get the error after 5 s in any case.
    """
    monkeypatch.setattr("tenure.client.group.membership_runner.GOODBYE_TIMEOUT_MS", 60_000)
