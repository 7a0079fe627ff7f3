"""Sources of settings, and refused settings."""

import re
from pathlib import Path

import pytest

from tenure.broker.config import keys
from tenure.broker.config.configuration import load_settings
from tenure.broker.config.key_values import principals_in
from tenure.broker.config.keys import ALLOW_EVERYONE_IF_NO_ACL_FOUND, KEYS, SUPER_USERS
from tenure.broker.config.settings import Settings
from tenure.broker.config.start_error import StartError
from tenure.broker.config.topic_settings import TOPIC_KEYS, TOPIC_SCHEMA, effective, log_settings
from tenure.protocol.batches import TimestampType


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tenure.toml"


def test_setting__in_flag_environment_and_file__flag_overrides_the_others(file: Path) -> None:
    file.write_text("num.partitions = 2\ngroup.max.size = 5\nmessage.max.bytes = 10\n")
    environment = {"TENURE_NUM_PARTITIONS": "3", "TENURE_GROUP_MAX_SIZE": "6", "TENURE_HOME": "/somewhere"}
    settings, warnings = load_settings(file=file, environment=environment, flags=["num.partitions=4"])
    assert (settings[keys.NUM_PARTITIONS], settings[keys.GROUP_MAX_SIZE], settings[keys.MESSAGE_MAX_BYTES]) == (
        4,
        6,
        10,
    )
    assert settings.origins == {
        "num.partitions": "--set num.partitions",
        "group.max.size": "environment variable TENURE_GROUP_MAX_SIZE",
        "message.max.bytes": str(file),
    }
    assert warnings == []


@pytest.mark.parametrize(
    "text",
    ["[tenure.data]\ndurability = 'fsync'", "tenure.data.durability = 'fsync'", "'tenure.data.durability' = 'fsync'"],
)
def test_configuration_file__key_is_dotted_nested_or_quoted__same_setting(file: Path, text: str) -> None:
    file.write_text(text)
    settings, _ = load_settings(file=file)
    assert settings[keys.DATA_DURABILITY] == "fsync"


def test_environment_variable__key_begins_with_tenure__prefix_not_repeated() -> None:
    settings, _ = load_settings(environment={"TENURE_DATA_DURABILITY": "fsync"})
    assert settings[keys.DATA_DURABILITY] == "fsync"


@pytest.mark.parametrize(
    ("flag", "why"),
    [
        ("num.partitions", "has no value: write --set num.partitions=VALUE"),
        (
            "num.partitions=0",
            "Invalid setting 'num.partitions' (--set num.partitions): must be an integer from 1 to 2147483647, not '0'",
        ),
        ("auto.create.topics.enable=perhaps", "must be true or false, not 'perhaps'."),
        ("tenure.data.durability=ram", "must be one of memory, os, fsync, not 'ram'."),
        ("grup.max.size=3", "did you mean 'group.max.size'?"),
        ("xyzzy=1", "`tenure serve --help` lists the keys"),
    ],
)
def test_set_flag__invalid_key_or_value__refused_with_a_remedy(flag: str, why: str) -> None:
    with pytest.raises(StartError) as refused:
        load_settings(flags=[flag])
    assert why in str(refused.value)


@pytest.mark.parametrize("content", [b"num.partitions = ", b"\xff\xfe", b"[a\n"])
def test_configuration_file__content_is_not_toml__start_refused(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(StartError, match="is not TOML"):
        load_settings(file=file)


def test_configuration_file__does_not_exist__start_refused(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="cannot read the configuration"):
        load_settings(file=tmp_path / "nowhere.toml")


def test_configuration_file__keys_without_effect_here__one_warning_per_key(file: Path) -> None:
    file.write_text("num.io.threads = 8\nlog.cleaner.threads = 2\n")
    _, warnings = load_settings(file=file)
    assert [warning.split(" ")[1] for warning in warnings] == ["num.io.threads", "log.cleaner.threads"]


@pytest.mark.parametrize(
    ("flag", "security"),
    [
        ("ssl.provider=BC", "TLS"),
        ("sasl.kerberos.service.name=kafka", "authentication"),
        ("sasl.jaas.config=PlainLoginModule required;", "authentication"),
        ("listener.name.external.scram-sha-512.sasl.jaas.config=x", "security of a single listener"),
        ("security.inter.broker.protocol=SASL_SSL", "TLS or authentication"),
        ("delegation.token.secret.key=x", "authentication"),
        ("principal.builder.class=com.example.Principals", "authentication"),
    ],
)
def test_security_key_of_kafka__feature_is_missing_here__start_refused(flag: str, security: str) -> None:
    key = flag.partition("=")[0]
    with pytest.raises(StartError) as refused:
        load_settings(flags=[flag])
    assert str(refused.value) == (
        f"setting {key} (--set {key}) asks for {security}, which Tenure does not have: "
        "remove it, and let only trusted machines reach the broker"
    )


def test_unsupported_security_key__in_file_or_environment__error_names_its_origin(file: Path) -> None:
    file.write_text("sasl.kerberos.service.name = 'kafka'\n")
    with pytest.raises(StartError, match=re.escape(f"sasl.kerberos.service.name ({file}) asks for")):
        load_settings(file=file)
    with pytest.raises(StartError, match="TENURE_SASL_JAAS_CONFIG"):
        load_settings(environment={"TENURE_SASL_JAAS_CONFIG": "x"})


@pytest.mark.parametrize("flag", ["principal.builder.class=", "security.inter.broker.protocol=PLAINTEXT"])
def test_security_key_of_kafka__its_value_disables_the_feature__warning_only(flag: str) -> None:
    _, warnings = load_settings(flags=[flag])
    assert [warning.split(" ")[1] for warning in warnings] == [flag.partition("=")[0]]


AUTHORIZER = "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer"


def test_authorizer_settings__authorizer_enabled__read_without_a_warning() -> None:
    settings, warnings = load_settings(flags=[AUTHORIZER, "super.users=User:admin; User:CN=ops,O=x"])
    assert principals_in(settings[SUPER_USERS]) == ["User:admin", "User:CN=ops,O=x"]
    assert not settings[ALLOW_EVERYONE_IF_NO_ACL_FOUND]
    assert not warnings


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["super.users=User:admin"], "super.users (--set super.users) protects nothing without an authorizer"),
        (["allow.everyone.if.no.acl.found=false"], "protects nothing without an authorizer"),
        (
            ["authorizer.class.name=com.example.Mine"],
            "org.apache.kafka.metadata.authorizer.StandardAuthorizer, not 'com.example.Mine'",
        ),
        (
            [AUTHORIZER, "super.users=admin"],
            "must be principals such as User:admin, separated by semicolons, not 'admin'",
        ),
        ([AUTHORIZER, "authorizer.cache.size=3"], "authorizer.cache.size (--set authorizer.cache.size) asks for"),
    ],
)
def test_authorizer_settings__contradict_each_other__refused(flags: list[str], why: str) -> None:
    with pytest.raises(StartError, match=re.escape(why)):
        load_settings(flags=flags)


@pytest.mark.parametrize("flag", ["authorizer.class.name=", "super.users=", "allow.everyone.if.no.acl.found=true"])
def test_authorizer_settings__authorizer_disabled__accepted_without_a_warning(flag: str) -> None:
    _, warnings = load_settings(flags=[flag])
    assert not warnings


def test_listener_security_protocol_map__value_of_kafkas_example_file__accepted() -> None:
    of_kafka = "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL"
    _, warnings = load_settings(flags=[f"listener.security.protocol.map={of_kafka}"])
    assert warnings == []


def test_default_of_a_setting__written_as_text_and_parsed__same_value() -> None:
    for key in KEYS.values():
        if key.default_text:
            assert key.parse(key.default_text) == key.default, key.name


def test_default_settings__of_groups_and_offsets__same_as_in_kafka() -> None:
    """Rule 2.19."""
    defaults = {
        "group.min.session.timeout.ms": 6_000,
        "group.max.session.timeout.ms": 1_800_000,
        "group.initial.rebalance.delay.ms": 3_000,
        "group.max.size": 2**31 - 1,
        "group.consumer.assignment.interval.ms": 1_000,
        "group.consumer.session.timeout.ms": 45_000,
        "group.consumer.heartbeat.interval.ms": 5_000,
        "group.consumer.min.heartbeat.interval.ms": 5_000,
        "group.consumer.max.size": 2**31 - 1,
        "group.consumer.assignors": "uniform,range",
        "group.consumer.migration.policy": "bidirectional",
        "group.consumer.regex.refresh.interval.ms": 600_000,
        "offset.metadata.max.bytes": 4_096,
        "offsets.retention.minutes": 10_080,
        "offsets.retention.check.interval.ms": 600_000,
        "offsets.topic.num.partitions": 50,
        "offsets.topic.segment.bytes": 104_857_600,
    }
    assert {name: KEYS[name].default for name in defaults} == defaults


@pytest.mark.parametrize(
    ("flags", "retention_ms"),
    [
        ([], 604_800_000),
        (["log.retention.hours=1"], 3_600_000),
        (["log.retention.hours=1", "log.retention.minutes=2"], 120_000),
        (["log.retention.minutes=2", "log.retention.ms=3"], 3),
        (["log.retention.hours=-1"], -1),
    ],
)
def test_log_retention__set_in_hours_minutes_and_ms__smallest_unit_overrides_the_others(
    flags: list[str], retention_ms: int
) -> None:
    assert load_settings(flags=flags)[0].retention_ms == retention_ms


def test_topic_configs__broker_settings_differ__topic_configs_override_them() -> None:
    settings, _ = load_settings(flags=["log.retention.ms=1000", "message.max.bytes=77", "producer.id.expiration.ms=9"])
    configs = {"retention.ms": "5", "message.timestamp.type": "LogAppendTime", "cleanup.policy": "compact"}
    log = log_settings(settings, configs)
    assert (log.retention_ms, log.max_message_bytes, log.deletes) == (5, 77, False)
    assert log.message_timestamp_type is TimestampType.LOG_APPEND_TIME
    assert log.producer_id_expiration_ms == 9, "topics have no such key"


def test_topic_configs__cleanup_policy_set_for_the_broker_only__is_the_default_of_topics() -> None:
    settings, _ = load_settings(flags=["log.cleanup.policy=compact"])
    log = log_settings(settings, {})
    assert (log.deletes, log.compacts) == (False, True)
    log = log_settings(settings, {"cleanup.policy": "delete"})
    assert (log.deletes, log.compacts) == (True, False)


@pytest.mark.parametrize(
    ("configs", "level"),
    [
        ({"compression.type": "zstd"}, None),
        ({"compression.type": "zstd", "compression.zstd.level": "-7", "compression.gzip.level": "2"}, -7),
        ({"compression.gzip.level": "2"}, None),
        ({"compression.type": "uncompressed", "compression.gzip.level": "2"}, None),
    ],
)
def test_compression_level__levels_of_several_codecs_set__level_of_the_topics_codec_used(
    configs: dict[str, str], level: int | None
) -> None:
    assert log_settings(Settings(), configs).compression_level == level


@pytest.mark.parametrize(
    ("name", "value", "valid"),
    [
        ("retention.ms", "9" * 5_000, "an integer from -1 to 9223372036854775807"),
        ("retention.ms", "1_000", "an integer from -1 to 9223372036854775807"),
        ("compression.gzip.level", "0", "-1 or an integer from 1 to 9"),
        ("min.cleanable.dirty.ratio", "nan", "a number from 0 to 1"),
        ("cleanup.policy", "delete,compress", "delete, compact, or both with a comma between them"),
        (
            "leader.replication.throttled.replicas",
            "*,1:2",
            "* for all replicas, or PARTITION:BROKER pairs with commas between them",
        ),
        ("remote.storage.enable", "true", "false"),
        ("preallocate", "yes", "true or false"),
    ],
)
def test_topic_config__invalid_value__error_lists_the_valid_values(name: str, value: str, valid: str) -> None:
    assert TOPIC_SCHEMA.why_refused({name: value}) == f"Invalid topic setting '{name}': must be {valid}, not {value!r}."


def test_topic_config__value_with_blanks_sign_or_capitals__valid_as_in_kafka() -> None:
    configs = {"retention.ms": " +5 ", "preallocate": " True", "cleanup.policy": "compact, delete"}
    assert TOPIC_SCHEMA.why_refused({**configs, "leader.replication.throttled.replicas": "0:1 , 2:3"}) is None


def test_topic_configs__defaults__valid_and_one_for_each_key() -> None:
    values = effective(Settings(), {})
    assert values.keys() == TOPIC_KEYS.keys()
    assert TOPIC_SCHEMA.why_refused(dict(values)) is None
