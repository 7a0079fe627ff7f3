"""Short form of the attacks for CI: one after the other on one broker, beside the probe.

It asserts only what does not depend on a quiet machine. `make adversary` runs all attacks and checks the latencies.
"""

from collections.abc import Callable, Iterator

import pytest

from tests.adversary.attacks import ATTACKS
from tests.adversary.generated import generated_attacks
from tests.adversary.login_attacks import PASSWORD, login_arena, login_attacks
from tests.adversary.mutated import mutated_frames
from tests.adversary.trial import Arena, Attack, arena

SHORT = (
    "connections-closed-inside-a-frame",
    "describe-group-200-times",
    "describe-group-5000-times",
    "fetch-of-one-partition-many-times",
    "half-sent-http-requests",
    "large-frame-without-records",
    "long-protocol-type",
    "produce-of-null-partitions",
    "produce-of-one-record-batches",
    "refused-produce-without-answer",
    "unread-fetches-of-one-connection",
)


pytestmark = [
    pytest.mark.long,
    pytest.mark.repeats("the broker removes suspended members without any attack, too"),
]

STANDSTILL_MAX_S = 1.0
"""Longest time for which the probe may not run. After a longer one, sessions of 6 s may end for this reason."""

SAMPLE = generated_attacks()[::16]
"""Sample of one in 16 of the 300 generated attacks, from all parts of the protocol: all of them take minutes."""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """One broker for all attacks of this module, with the settings that they need."""
    settings = {setting for each in ATTACKS if each.name in SHORT for setting in each.settings}
    with arena(tmp_path_factory.mktemp("adversary"), *settings) as found:
        yield found


@pytest.mark.parametrize(
    "attack",
    [*(each for each in ATTACKS if each.name in SHORT), mutated_frames(1, 5_000), *SAMPLE],
    ids=lambda each: each.name,
)
def test_attack__other_clients_connected__no_member_lost_and_memory_bounded(
    shared: Arena, attack: Attack, repeated: Callable[[object], None]
) -> None:
    outcome = shared.stage(attack)
    while outcome.probe.lost and outcome.probe.stood_still_s > STANDSTILL_MAX_S:
        repeated(f"the probe stood still for {outcome.probe.stood_still_s:.1f} s")
        outcome = shared.stage(attack)
    assert outcome.failures == []


@pytest.fixture(scope="module")
def with_logins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with login_arena(tmp_path_factory.mktemp("logins")) as found:
        yield found


@pytest.mark.parametrize("attack", login_attacks(1, 5_000), ids=lambda each: each.name)
def test_attack__before_authentication__no_member_lost_and_memory_bounded(
    with_logins: Arena, attack: Attack, repeated: Callable[[object], None]
) -> None:
    outcome = with_logins.stage(attack)
    while outcome.probe.lost and outcome.probe.stood_still_s > STANDSTILL_MAX_S:
        repeated(f"the probe stood still for {outcome.probe.stood_still_s:.1f} s")
        outcome = with_logins.stage(attack)
    assert outcome.failures == []
    assert PASSWORD not in with_logins.broker.log
