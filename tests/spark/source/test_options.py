"""Options of `format("tenure")`."""

import pytest

from tenure.client.configuration import ConfigurationError
from tenure.client.consumer.consumer_settings import CONSUMER_KEYS
from tenure.client.values import TopicPartition
from tenure.protocol.special_values import EARLIEST, LATEST
from tenure.spark.source.offset_bounds import OffsetBound
from tenure.spark.source.options import CANONICAL, REFUSED, batch_bounds, source_options, stream_start

BASE = {"kafka.bootstrap.servers": "localhost:9092", "subscribe": "t"}


def test_source_options__sparks_option_names_in_any_case__accepted() -> None:
    given = BASE | {"STARTINGOFFSETS": '{"t":{"0":23,"1":-2}}', "maxoffsetspertrigger": "10", "includeHeaders": "true"}
    options = source_options(given | {"kafka.group.id": "g", "kafka.isolation.level": "read_committed"})
    assert options.starting == OffsetBound(EARLIEST, {TopicPartition("t", 0): 23, TopicPartition("t", 1): EARLIEST})
    assert (options.max_offsets, options.include_headers, options.isolation_level) == (10, True, 1)
    assert options.group_id == "g"
    assert stream_start(options) == options.starting


def test_source_options__jaas_config__parsed_and_password_not_in_repr() -> None:
    line = 'org.apache.kafka.common.security.scram.ScramLoginModule required username="u" password="hidden";'
    secured = {"kafka.security.protocol": "SASL_PLAINTEXT", "kafka.sasl.mechanism": "SCRAM-SHA-256"}
    options = source_options(BASE | secured | {"kafka.sasl.jaas.config": line})
    assert (options.cluster["sasl.username"], options.cluster["sasl.password"]) == ("u", "hidden")
    assert "hidden" not in repr(options)
    with pytest.raises(ConfigurationError) as refused:
        source_options(BASE | secured | {"kafka.sasl.jaas.config": line.replace("username", "user")})
    assert "hidden" not in str(refused.value)


def test_source_options__starting_timestamp_and_starting_offsets__timestamp_applies() -> None:
    options = source_options(BASE | {"startingTimestamp": "1700000000000", "startingOffsets": "earliest"})
    assert options.starting == OffsetBound(1_700_000_000_000, {}, True, "error")


def test_source_options__no_offsets_given__batch_reads_everything_and_stream_starts_at_the_end() -> None:
    options = source_options(BASE | {"kafka.group.id": "g"})
    assert batch_bounds(options) == (OffsetBound(EARLIEST), OffsetBound(LATEST))
    assert stream_start(options) == OffsetBound(LATEST)


def test_source_options__ending_offset_of_one_partition__others_end_at_their_log_end() -> None:
    options = source_options(BASE | {"endingOffsets": '{"t":{"0":23}}'})
    assert batch_bounds(options)[1] == OffsetBound(LATEST, {TopicPartition("t", 0): 23})


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"startingOffset": "earliest"}, "Unknown setting 'startingOffset': did you mean 'startingOffsets'?"),
        ({"kafka.group.idd": "g"}, "did you mean 'kafka.group.id'?"),
        ({"assign": '{"t":[0]}'}, "one of the options 'subscribe', 'subscribePattern' and 'assign'"),
        ({"startingOffsets": "23"}, "'startingOffsets': must be earliest, latest or JSON"),
        ({"startingOffsets": '{"t":{"0":-3}}'}, "'startingOffsets': must be earliest, latest or JSON"),
        ({"maxOffsetsPerTrigger": "0"}, "'maxOffsetsPerTrigger': must be an integer from 1"),
        ({"maxTriggerDelay": "soon"}, "'maxTriggerDelay': must be a time like 30s or 15m"),
        ({"kafka.auto.offset.reset": "latest"}, "is not supported: set 'startingOffsets'"),
        (
            {"kafka.check.crcs": "true"},
            "The option 'kafka.check.crcs' is not supported: Tenure's client has no such key",
        ),
        ({"kafka.default.api.timeout.ms": "9"}, "is not supported: set 'kafka.request.timeout.ms'"),
        ({"kafkaconsumer.polltimeoutms": "1"}, "'kafkaConsumer.pollTimeoutMs' is not supported"),
        ({"kafka.sasl.jaas.config": "x"}, "must be Kafka's PlainLoginModule or ScramLoginModule"),
        ({"kafka.bootstrap.servers": "nowhere:x"}, "nowhere:x"),
        ({"kafka.security.protocol": "SASL_SSL"}, "'sasl.mechanism': it is required with security.protocol SASL_SSL"),
        ({"kafka.group.protocol": "consumer", "kafka.session.timeout.ms": "9000"}, "no effect with group protocol"),
        ({"kafka.heartbeat.interval.ms": "45000"}, "must be smaller than 'kafka.session.timeout.ms'"),
    ],
)
def test_source_options__invalid__refused_with_the_remedy(given: dict[str, str], sentence: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        source_options(BASE | given)
    assert sentence in str(refused.value)


def test_source_options__fetch_sizes_of_a_consumer__accepted_and_the_smaller_one_applies() -> None:
    sizes = {"kafka.fetch.max.bytes": "70000", "kafka.max.partition.fetch.bytes": "90000"}
    waits = {"kafka.fetch.min.bytes": "1000", "kafka.fetch.max.wait.ms": "100"}
    assert source_options(BASE | sizes | waits).max_bytes == 70_000
    assert source_options(BASE | sizes | {"kafka.fetch.max.bytes": "99999"}).max_bytes == 90_000
    assert source_options(BASE | {"kafka.max.partition.fetch.bytes": "900000000"}).max_bytes == 900_000_000


@pytest.mark.parametrize("key", [key.name for key in CONSUMER_KEYS])
def test_source_options__each_key_of_tenures_consumer__accepted_or_refused_with_a_remedy(key: str) -> None:
    name = f"kafka.{key}"
    assert (name in CANONICAL.values()) != (name in REFUSED)


def test_source_options__invalid_subscribe_pattern__refused() -> None:
    with pytest.raises(ConfigurationError, match="'subscribePattern': must be a regular expression"):
        source_options({"kafka.bootstrap.servers": "localhost:9092", "subscribePattern": "("})


def test_source_options__stream_with_ending_offsets_or_without_group__refused() -> None:
    with pytest.raises(ConfigurationError, match="A stream has no end"):
        stream_start(source_options(BASE | {"kafka.group.id": "g", "endingOffsets": "latest"}))
    with pytest.raises(ConfigurationError, match=r"option 'kafka\.group\.id' is missing: a stream reads as a member"):
        stream_start(source_options(BASE))


@pytest.mark.parametrize("given", [{"startingOffsets": "latest"}, {"endingOffsets": "earliest"}])
def test_source_options__batch_starts_at_latest__refused(given: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError, match="A batch read cannot"):
        batch_bounds(source_options(BASE | given))
