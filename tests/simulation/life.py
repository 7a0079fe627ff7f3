"""One life of a cluster: its seed determines the cluster and some hours of faults. Then no more faults happen.

While faults happen, all invariants are checked after every step. When they have stopped, the groups must become stable
in the time that the protocols promise (EventuallyStable).
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from tenure.client.group.memberships.membership_settings import FAIL, SEIZE, WAIT, MembershipSettings
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import InvariantError
from tenure.limits.client import METADATA_AGE_MS
from tenure.protocol.special_values import CLASSIC, CONSUMER
from tests.simulation.broken import Broken
from tests.simulation.cluster import Cluster, Seat
from tests.simulation.faults import Faults
from tests.simulation.process import Habits
from tests.simulation.subscriptions import TOPICS, drawn_subscription

NOTHING: Final[Mapping[str, Any]] = {}
HOUR_MS: Final = 3_600_000
MIXED: Final = "mixed"
"""Kind of a group whose members use either protocol, and may change it with a restart (rule 3.9)."""
ASSIGNORS: Final = (("range",), ("cooperative-sticky",), ("sticky",))
KINDS: Final = ((CONSUMER,), (CLASSIC,), (MIXED,), (CONSUMER, CLASSIC))
"""Kinds of groups of a life. Successive lives have different ones, so that a few lives contain all of them."""
CLOCK_RATE_MIN: Final = 970
CLOCK_RATE_MAX: Final = 1_030
"""Limits of clock rates per 1,000: no real clock is so inaccurate."""
LOOKS_EVERY_MS: Final = 500
HEARTBEATS_UNTIL_STABLE: Final = 3
LAST_TIMEOUT_MS: Final = 90_000
"""Time after which all requests from before the end of faults have timed out, and cause no further takeover."""
SLACK_MS: Final = 10_000
"""Time for back-offs, assignments that are late by configuration, and pending answers."""


class Life:
    """Life of a cluster. `drawn` has every parameter that the seed determines, and the `given` ones."""

    def __init__(
        self,
        seed: int,
        shard_class: type[GroupsShard] = GroupsShard,
        fencing: str = "assignment-epoch",
        given: Mapping[str, Any] = NOTHING,
    ) -> None:
        random = Random(seed)
        self.random: Final = random
        self.drawn: Final[dict[str, Any]] = {
            "seed": seed,
            "hours": random.choice((0.25, 0.5, 1.0)),
            "groups": KINDS[seed % len(KINDS)],
            "seats": random.randint(2, 5),
            "fault_every_ms": random.choice((10_000, 30_000, 60_000, 200_000)),
            "longest_ms": random.choice((10_000, 60_000, 200_000)),
            "session_timeout_ms": random.choice((10_000, 20_000, 45_000)),
            "heartbeat_interval_ms": random.choice((3_000, 5_000)),
            "rebalance_timeout_ms": random.choice((15_000, 60_000)),
            "max_poll_interval_ms": random.choice((60_000, 300_000)),
            "assignment_interval_ms": random.choice((0, 1_000, 5_000)),
            "initial_delay_ms": random.choice((0, 3_000)),
            "delay_ms": random.choice((2, 20, 200)),
            "assignors": random.choice(ASSIGNORS),
            **self._more_parameters(random),
            **given,
        }
        self.cluster: Final = self._new_cluster(self._group_settings(fencing), shard_class)
        self.cluster.network.quality.delay_ms = self.drawn["delay_ms"]
        self._put_topics()
        for kind in self.drawn["groups"]:
            self.cluster.seats.extend(self._seat(kind, number) for number in range(self.drawn["seats"]))
        self.faults: Final = self._new_faults()

    # --- parts that subclasses replace --------------------------------------------------------------------------------

    def _more_parameters(self, random: Random) -> Mapping[str, Any]:  # noqa: ARG002
        return NOTHING

    def _new_cluster(self, settings: GroupSettings, shard_class: type[GroupsShard]) -> Cluster:
        return Cluster(self.random, settings, shard_class)

    def _put_topics(self) -> None:
        for topic in TOPICS:
            self.cluster.put_topic(topic, self.random.randint(1, 6))

    def _new_faults(self) -> Faults:
        return Faults(self.cluster, self.drawn["longest_ms"])

    def _subscription(self, kind: str) -> tuple[tuple[str, ...], str | None]:
        return drawn_subscription(self.random, kind)

    # --- random parameters --------------------------------------------------------------------------------------------

    def _group_settings(self, fencing: str) -> GroupSettings:
        drawn = self.drawn
        configs = GroupConfigs(
            group_commit_fencing=fencing,
            consumer_session_timeout_ms=drawn["session_timeout_ms"],
            consumer_heartbeat_interval_ms=drawn["heartbeat_interval_ms"],
            consumer_assignment_interval_ms=drawn["assignment_interval_ms"],
            streams_session_timeout_ms=drawn["session_timeout_ms"],
            streams_heartbeat_interval_ms=drawn["heartbeat_interval_ms"],
            streams_assignment_interval_ms=drawn["assignment_interval_ms"],
        )
        return GroupSettings(configs=configs, group_initial_rebalance_delay_ms=drawn["initial_delay_ms"])

    def _seat(self, kind: str, number: int) -> Seat:
        random, drawn = self.random, self.drawn
        topics, pattern = self._subscription(kind)
        settings = MembershipSettings(
            group_id=kind,
            topics=topics,
            topic_pattern=pattern,
            group_instance_id=f"{kind}-seat-{number}" if random.random() < 0.6 else None,
            session_timeout_ms=drawn["session_timeout_ms"],
            rebalance_timeout_ms=drawn["rebalance_timeout_ms"],
            heartbeat_interval_ms=drawn["heartbeat_interval_ms"],
            max_poll_interval_ms=drawn["max_poll_interval_ms"],
            assignors=drawn["assignors"],
            holder=f"{kind} {number}",
            group_protocol=random.choice((CLASSIC, CONSUMER)) if kind == MIXED else kind,
            on_unreleased=random.choice((SEIZE, SEIZE, WAIT, FAIL)),
        )
        habits = Habits(
            clock_rate=random.randint(CLOCK_RATE_MIN, CLOCK_RATE_MAX),
            clock_ahead_ms=random.randrange(1_000_000),
            work_every_ms=random.choice((5_000, 20_000, 60_000)),
            work_takes_ms=random.choice((100, 5_000, 60_000)),
            release_delay_ms=random.choice((10, 2_000, drawn["rebalance_timeout_ms"])),
        )
        return Seat(f"{kind}-{number}", settings, habits)

    # --- run ----------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Run the life. Raises `Broken`."""
        try:
            for seat in self.cluster.seats:
                self.cluster.start(seat)
            self._run_with_faults()
            self._settle()
        except InvariantError as broken:
            raise Broken("Structure", broken) from broken

    def _run_with_faults(self) -> None:
        agenda = self.cluster.agenda
        end_ms = int(self.drawn["hours"] * HOUR_MS)
        while agenda.now_ms < end_ms:
            pause_ms = int(self.random.expovariate(1 / self.drawn["fault_every_ms"]))
            self._run_until(min(agenda.now_ms + pause_ms, end_ms))
            self.faults.happen()
            self.cluster.check()

    def _settle(self) -> None:
        """Wait until all groups are stable.

        Vanished members are removed after a session, and may have begun a rebalance just before.

        Leaders of classic groups check their topics every few minutes. A returning static leader is told to skip the
        assignment (KIP-814), and assumes that it fits the present topics. It notices earlier growth of a topic only
        with the next growth, as in Java's client. So the topics grow once more, and only then every partition has to be
        owned.

        A mixed group that became classic because a static member was replaced has not rebalanced (rule 3.9), so that no
        member knows that it leads. So all members join again first.
        """
        drawn, cluster = self.drawn, self.cluster
        heartbeats_ms = HEARTBEATS_UNTIL_STABLE * drawn["heartbeat_interval_ms"]
        patience_ms = drawn["session_timeout_ms"] + drawn["rebalance_timeout_ms"] + heartbeats_ms + SLACK_MS
        self.faults.stop()
        has_leaders = drawn["groups"] != (CONSUMER,)
        self._await_stability(patience_ms, is_all_owned=not has_leaders)
        if has_leaders:
            if MIXED in drawn["groups"]:
                for process in cluster.processes():
                    process.rejoin_as_new_member()
            self._run_until(cluster.agenda.now_ms + LAST_TIMEOUT_MS)
            self._await_stability(patience_ms, is_all_owned=False)
            for topic in list(cluster.topics):
                cluster.put_topic(topic.name, topic.partitions + 1)
            self._await_stability(METADATA_AGE_MS * 1_000 // CLOCK_RATE_MIN + patience_ms, is_all_owned=True)

    def _await_stability(self, patience_ms: int, *, is_all_owned: bool) -> None:
        agenda = self.cluster.agenda
        until_ms = agenda.now_ms + patience_ms
        why: str | None = "no check was made"
        while why is not None:
            if agenda.now_ms >= until_ms:
                raise Broken("EventuallyStable", f"nothing went wrong for {patience_ms} ms, and {why}")
            self.faults.supervise_at_once()
            self._run_until(agenda.now_ms + LOOKS_EVERY_MS)
            why = self.cluster.why_not_stable(is_all_owned=is_all_owned)

    def _run_until(self, until_ms: int) -> None:
        run_next, check = self.cluster.agenda.run_next, self.cluster.check
        while run_next(until_ms):
            check()

    @property
    def hours(self) -> float:
        return self.cluster.agenda.now_ms / HOUR_MS
