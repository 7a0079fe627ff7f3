"""Delays between retries."""

from tenure.backoff import Backoff, BackoffBounds


def test_backoff__several_retries_in_turn__delay_doubles_up_to_the_maximum() -> None:
    backoff = Backoff(BackoffBounds(0.1, 1.0))
    assert [backoff.next_s() for _ in range(6)] == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]
    assert backoff.retries == 6


def test_backoff__reset__next_delay_is_the_first_one() -> None:
    backoff = Backoff(BackoffBounds(0.1, 1.0))
    backoff.next_s()
    backoff.next_s()
    backoff.reset()
    assert (backoff.next_s(), backoff.retries) == (0.1, 1)
