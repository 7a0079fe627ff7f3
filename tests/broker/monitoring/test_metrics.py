"""Pages of a running broker, as Prometheus and a probe read them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from tenure.broker.monitoring.catalogue import CATALOGUE
from tenure.monitoring.exposition import Kind, exposition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ConsumerGroupHeartbeatRequest,
    FindCoordinatorRequest,
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    OffsetCommitRequest,
)
from tenure.protocol.types import GenerationId, GroupId, MemberId, PartitionId, TopicName
from tests.broker.coordinators.test_transactions import NAME, Producer, until_state
from tests.broker.handlers.test_groups import LONG_MS, commit_of, join, join_and_sync
from tests.broker.handlers.test_records import Topic
from tests.broker.handlers.test_topics import create
from tests.broker.wire import Wire
from tests.monitoring_pages import read_page
from tests.serving import Serving, serving

DOCUMENT = Path(__file__).parents[3] / "docs" / "metrics.md"


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("watched"), options=("--metrics", "127.0.0.1:0")) as broker:
        yield broker


def address_of(broker: Serving) -> str:
    found = re.findall(r"are at (http://[^/]+)/metrics", broker.log)
    return str(found[-1])


def read(broker: Serving, page: str) -> tuple[int, str]:
    page_read = read_page(address_of(broker) + page)
    return page_read.status, page_read.text


def readiness(broker: Serving) -> tuple[int, str]:
    """Return the answer of /readyz once the probe's write to the shared disk has ended."""
    while "has not taken a write" in (answer := read(broker, "/readyz"))[1]:
        pass
    return answer


def metrics(broker: Serving) -> dict[str, Metric]:
    status, text = read(broker, "/metrics")
    assert status == 200, text
    return {family.name: family for family in text_string_to_metric_families(text)}


def value(found: dict[str, Metric], name: str, **labels: str) -> float:
    family = found[name.removesuffix("_total").removesuffix("_count").removesuffix("_sum")]
    (number,) = [sample.value for sample in family.samples if sample.name == name and sample.labels == labels]
    return float(number)


# --- metrics ----------------------------------------------------------------------------------------------------------


def test_metrics_page__requests_sent_to_the_broker__counted(watched: Serving) -> None:
    before = metrics(watched)
    group = GroupId("m-told")
    with Wire(watched) as wire:
        member_id = join_and_sync(wire, group)
        for generation in (1, 1, 9):
            wire.ask(HeartbeatRequest(group, GenerationId(generation), member_id))
        topics = [commit_of(Topic(wire, "m-told"), 10, PartitionId(0))]
        for generation in (1, 9):
            wire.ask(OffsetCommitRequest(group, generation, member_id, topics=topics))
        after = metrics(watched)

    def grew(name: str, **labels: str) -> float:
        try:
            was = value(before, name, **labels)
        except ValueError:  # it had not happened yet
            was = 0.0
        return value(after, name, **labels) - was

    assert grew("tenure_group_heartbeats_total") == grew("tenure_requests_total", api="Heartbeat", version="4") == 3
    assert grew("tenure_offset_commits_total", outcome="accepted") == 1
    assert grew("tenure_offset_commits_total", outcome="refused") == 1
    assert grew("tenure_group_fences_total", error="ILLEGAL_GENERATION") == 2
    assert grew("tenure_request_errors_total", api="Heartbeat", error="ILLEGAL_GENERATION") == 1
    assert grew("tenure_request_errors_total", api="JoinGroup", error="MEMBER_ID_REQUIRED") == 1
    assert grew("tenure_group_rebalances_total", cause="joined") == 1
    assert grew("tenure_groups", type="classic", state="Stable") == grew("tenure_group_members", kind="dynamic") == 1
    assert grew("tenure_log_sync_seconds_count") > 0
    assert grew("tenure_log_bytes", topic="__consumer_offsets") > 0
    assert value(after, "tenure_connections") == 1
    assert value(after, "process_resident_memory_bytes") > 1_000_000
    assert value(after, "tenure_coordinator_shards", state="down") == 0


def test_metrics_page__parked_join_and_heartbeat_of_an_unknown_member__counted(watched: Serving) -> None:
    group = GroupId("m-parked")
    before = metrics(watched)
    with Wire(watched) as leader, Wire(watched) as other:
        member_id = join_and_sync(leader, group)
        unknown = join(other, group)
        other.send(join_request(group, unknown.member_id))
        assert other.is_parked()
        parked = metrics(watched)
        assert value(parked, "tenure_requests_parked", api="JoinGroup") == 1
        assert value(parked, "tenure_groups", type="classic", state="PreparingRebalance") == 1
        stray = HeartbeatRequest(group, GenerationId(1), MemberId(f"{member_id}-stray"))
        assert leader.ask(stray).error_code == ErrorCode.UNKNOWN_MEMBER_ID
    after = metrics(watched)
    fences = [value(found, "tenure_group_fences_total", error="UNKNOWN_MEMBER_ID") for found in (before, after)]
    assert fences[1] - fences[0] == 1


def test_metrics_page__transaction_exceeds_its_timeout__counted_as_open_and_then_as_timed_out(watched: Serving) -> None:
    with Wire(watched) as wire:
        assert create(wire, "accounts", 1) == 0
        wire.ask(FindCoordinatorRequest(key_type=1, coordinator_keys=[NAME]))
        assert Producer(wire, timeout_ms=60_000).produce(0) == 0
        begun = metrics(watched)
        assert value(begun, "tenure_transactions", state="Ongoing") == 1
        assert value(begun, "tenure_producer_ids") == 1
        assert Producer(wire, timeout_ms=1).produce(0) in (0, ErrorCode.INVALID_PRODUCER_EPOCH)
        until_state(wire, "CompleteAbort")
    ended = metrics(watched)
    assert value(ended, "tenure_transactions", state="Ongoing") == 0
    assert value(ended, "tenure_transaction_timeouts_total") == 1
    assert value(ended, "tenure_partitions_with_late_transactions") == 0


def test_metrics_page__consumer_group_with_a_fenced_heartbeat__group_and_fence_counted(watched: Serving) -> None:
    before = metrics(watched)
    with Wire(watched) as wire:
        Topic(wire, "m-consumed")
        who = {"group_id": GroupId("m-consumers"), "member_id": MemberId("m-1")}
        joins = ConsumerGroupHeartbeatRequest(
            **who,
            member_epoch=0,
            rebalance_timeout_ms=1_000,
            subscribed_topic_names=[TopicName("m-consumed")],
            topic_partitions=[],
        )
        epoch = wire.ask(joins).member_epoch
        stray = wire.ask(ConsumerGroupHeartbeatRequest(**who, member_epoch=epoch + 1))
        assert stray.error_code == ErrorCode.FENCED_MEMBER_EPOCH
        after = metrics(watched)

    def grew(name: str, **labels: str) -> float:
        return value(after, name, **labels) - value(before, name, **labels)

    assert grew("tenure_groups", type="consumer", state="Stable") == 1
    assert grew("tenure_group_members", kind="dynamic") == 1
    assert grew("tenure_group_heartbeats_total") == 2
    assert grew("tenure_group_epoch_moves_total", cause="joined") == 1
    assert grew("tenure_group_rebalances_total", cause="joined") == 1
    assert grew("tenure_group_fences_total", error="FENCED_MEMBER_EPOCH") == 1
    assert "group m-consumers: epoch 1 ends: member m-1 joined" in watched.log
    assert (
        "group m-consumers: rebalance to epoch 2 has ended (stable), 1 member, 0 partitions moved, after "
        in watched.log
    )


def join_request(group: GroupId, member_id: MemberId) -> JoinGroupRequest:
    protocols = [JoinGroupRequestProtocol("range", b"subscription")]
    return JoinGroupRequest(group, LONG_MS, LONG_MS, member_id, None, "consumer", protocols)


def test_metrics_page__every_metric_of_the_catalogue__has_its_kind_help_and_labels(watched: Serving) -> None:
    with Wire(watched) as wire:
        join_and_sync(wire, "m-any")
    found = metrics(watched)
    assert len(found) == len(CATALOGUE)
    for metric in CATALOGUE:
        family = found[metric.name.removesuffix("_total") if metric.kind is Kind.COUNTER else metric.name]
        assert (family.type, family.documentation) == (metric.kind.value, metric.help)
        assert all(tuple(sample.labels) == metric.labels for sample in family.samples)
        assert family.samples, metric.name


def test_metrics_page__quotes_and_newlines_in_a_label__parsed_back_unchanged() -> None:
    odd = 'a "quoted"\\ topic\nof two lines'
    samples = {metric.name: [] for metric in CATALOGUE} | {"tenure_log_bytes": [((odd,), 7)]}
    (family,) = [
        f for f in text_string_to_metric_families(exposition(CATALOGUE, samples)) if f.name == "tenure_log_bytes"
    ]
    assert [(sample.labels, sample.value) for sample in family.samples] == [({"topic": odd}, 7.0)]


def test_documentation_of_metrics__compared_with_the_catalogue__same_rows() -> None:
    written = [line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert written == [
        f"| `{metric.name}` | {metric.kind.value} | {metric.unit or '-'} | {', '.join(metric.labels) or '-'} "
        f"| {metric.help} |"
        for metric in CATALOGUE
    ]


# --- health and readiness ---------------------------------------------------------------------------------------------


def test_start__metrics_listener_for_other_hosts__refused_without_insecure(tmp_path: Path) -> None:
    with (
        pytest.raises(AssertionError, match=r"0\.0\.0\.0 is not a loopback address"),
        serving(tmp_path, options=("--metrics", "0.0.0.0:0")),
    ):
        pass


def test_start__metrics_listener_in_the_configuration__pages_are_served(tmp_path: Path) -> None:
    with serving(tmp_path, "tenure.metrics.listener=127.0.0.1:0", options=("--memory",)) as broker:
        assert readiness(broker) == (200, "ready\n")


def test_health_and_readiness_pages__running_broker__ok_and_ready(watched: Serving) -> None:
    assert read(watched, "/healthz") == (200, "ok\n")
    assert readiness(watched) == (200, "ready\n")
