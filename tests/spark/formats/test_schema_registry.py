"""Values with schemas of a registry. Confluent's own serialisers write what we read, and read what we write."""

import json as text
import pickle
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer, AvroSerializer
from confluent_kafka.schema_registry.protobuf import ProtobufDeserializer, ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tenure.pipeline.errors import Code, PipelineConfigError, PipelineStopped
from tenure.spark import Pipeline, SchemaRegistry, Topic, avro, json, json_schema, map_batches, protobuf
from tenure.spark.formats.schema_registry import SchemaRegistryError
from tenure.spark.sinks.topic_sink import TopicRowEncoder, TopicSink
from tests.spark.formats.protobuf_messages import Flight, Other, simple
from tests.spark.formats.registry_server import Registry, schema_registry
from tests.spark.formats.test_values import records

AVRO: dict[str, Any] = {
    "type": "record",
    "name": "Row",
    "fields": [{"name": "word", "type": ["null", "string"], "default": None}, {"name": "n", "type": "long"}],
}
OLDER: dict[str, Any] = {
    "type": "record",
    "name": "Row",
    "fields": [{"name": "n", "type": "int"}, {"name": "gone", "type": "string"}],
}
JSON: dict[str, Any] = {
    "title": "Row",
    "type": "object",
    "properties": {"word": {"type": "string"}, "n": {"type": "integer"}},
    "required": ["n"],
}
ROWS = pa.table({"word": ["one", "two"], "n": [1, 2]})
Row = simple(word="string", n="int64")
VALUE_OF_T = SerializationContext("t", MessageField.VALUE)


@pytest.fixture
def registry() -> Iterator[Registry]:
    with schema_registry() as running:
        yield running


def values_of(kind: str, registry: SchemaRegistry | str) -> Any:
    match kind:
        case "avro":
            return avro(AVRO, registry=registry)
        case "json":
            return json_schema(JSON, registry=registry)
        case _:
            return protobuf(Row, registry=registry)


def theirs(kind: str, client: SchemaRegistryClient) -> tuple[Any, Any]:
    """Return Confluent's serialiser and deserialiser, which take and return dictionaries or messages."""
    match kind:
        case "avro":
            return AvroSerializer(client, text.dumps(AVRO)), AvroDeserializer(client)
        case "json":
            # Imported late: it builds grammars for more than a second, in each process that collects the tests.
            from confluent_kafka.schema_registry.json_schema import JSONDeserializer, JSONSerializer

            return JSONSerializer(text.dumps(JSON), client), JSONDeserializer(text.dumps(JSON))
        case _:
            return ProtobufSerializer(Row, client), ProtobufDeserializer(Row, {"use.deprecated.format": False})


def written(topic: Topic, rows: pa.Table) -> list[Any]:
    encoder = pickle.loads(pickle.dumps(TopicRowEncoder(topic)))  # Pickled, as for a task.
    return list(encoder(rows)["value"].to_pylist())


@pytest.mark.parametrize("kind", ["avro", "json", "protobuf"])
def test_registry__value_written_by_tenure__read_by_confluents_deserializer(kind: str, registry: Registry) -> None:
    topic = Topic("t", values_of(kind, registry.url))
    TopicSink(topic).check()
    assert list(registry.subjects) == ["t-value"]
    _, deserialize = theirs(kind, SchemaRegistryClient({"url": registry.url}))
    found = [deserialize(value, VALUE_OF_T) for value in written(topic, ROWS)]
    rows = [row if isinstance(row, dict) else {"word": row.word, "n": row.n} for row in found]
    assert rows == ROWS.to_pylist()
    assert registry.requests.count("POST /subjects/t-value/versions") == 1


@pytest.mark.parametrize("kind", ["avro", "json", "protobuf"])
def test_registry__value_written_by_confluents_serializer__read_by_tenure(kind: str, registry: Registry) -> None:
    serialize, _ = theirs(kind, SchemaRegistryClient({"url": registry.url}))
    given = ROWS.to_pylist()
    if kind == "protobuf":
        given = [Row(**row) for row in given]
    values = [serialize(row, VALUE_OF_T) for row in given]
    rows, bad = values_of(kind, registry.url).decode(records(*values, None), partition=0)
    assert bad == []
    assert rows.select(["word", "n"]).to_pylist() == [*ROWS.to_pylist(), {"word": None, "n": None}]


@pytest.mark.parametrize("kind", ["avro", "json", "protobuf"])
def test_registry__value_without_a_schema_id__bad_record(kind: str, registry: Registry) -> None:
    _, bad = values_of(kind, registry.url).decode(records(b"\x01", b""), partition=0)
    assert [record.offset for record in bad] == [40, 41]
    assert all("the header of framing='confluent' is missing" in record.reason for record in bad)


def test_registry__avro_value_of_an_older_schema__resolved_with_one_registry_request(registry: Registry) -> None:
    values = [
        AvroSerializer(SchemaRegistryClient({"url": registry.url}), text.dumps(OLDER))({"n": n, "gone": ""}, VALUE_OF_T)
        for n in (1, 2)
    ]
    registry.requests.clear()
    rows, bad = avro(AVRO, registry=registry.url).decode(records(*values, b"\x00\x00\x00\x00\x63"), partition=0)
    assert rows.select(["word", "n"]).to_pylist() == [{"word": None, "n": 1}, {"word": None, "n": 2}]
    assert [record.reason for record in bad] == [
        f"its value does not match the declared Avro schema (the schema registry {registry.url} has no schema 99)"
    ]
    assert registry.requests == ["GET /schemas/ids/1", "GET /schemas/ids/99"]


def test_registry__second_protobuf_message_of_a_file_with_imports__same_bytes_as_confluents_serializer(
    registry: Registry,
) -> None:
    """Write the same bytes and register the same schemas as the serializer of confluent-kafka.

    Flight is the second message of its file. The file imports another file, which must be registered first.
    """
    serialize = ProtobufSerializer(Flight, SchemaRegistryClient({"url": registry.url}))
    value = serialize(Flight(tailnum="N1", place={"city": "Ulm"}), VALUE_OF_T)
    subjects, schemas = dict(registry.subjects), list(registry.schemas)
    topic = Topic("t", protobuf(Flight, registry=registry.url))
    row = topic.value.decode(records(value), partition=0).rows.select(topic.value.columns.names)
    assert written(topic, row) == [value]
    assert (registry.subjects, registry.schemas) == (subjects, schemas)  # The same schemas were registered.


def test_registry__value_of_another_protobuf_message__bad_record(registry: Registry) -> None:
    client = SchemaRegistryClient({"url": registry.url})
    values = [
        ProtobufSerializer(Other, client)(Other(x=1), VALUE_OF_T),
        ProtobufSerializer(Flight, client)(Flight(tailnum="N1"), VALUE_OF_T),
    ]
    rows, bad = protobuf(Flight, registry=registry.url).decode(records(*values), partition=0)
    assert rows["tailnum"].to_pylist() == ["N1"]
    assert bad[0].reason.endswith("(in schema 2, the message indexes (0,) belong to another message)")


def test_registry__schema_not_registered_and_register_false__refused_before_the_pipeline_starts(
    registry: Registry,
) -> None:
    given = SchemaRegistry(registry.url, register=False, subject="rows")
    sink = TopicSink(Topic("t", avro(AVRO, registry=given)))
    with pytest.raises(
        PipelineConfigError, match=r"subjects/rows with 404 .*register the schema, or set register=True"
    ):
        sink.check()
    registry.add("rows", {"schema": text.dumps(AVRO), "schemaType": "AVRO", "references": []})
    sink.check()
    assert written(sink.topic, ROWS)[0].startswith(b"\x00\x00\x00\x00\x01")
    assert not any(asked.endswith("/versions") for asked in registry.requests)


def test_registry__incompatible_schema__refused_before_the_pipeline_starts(registry: Registry) -> None:
    registry.is_compatible = lambda _: False
    with pytest.raises(PipelineConfigError, match=r"409 .*incompatible.*change the schema"):
        TopicSink(Topic("t", avro(AVRO, registry=registry.url))).check()


def test_registry__does_not_answer__pipeline_stops_at_the_check_and_task_raises_an_error() -> None:
    with schema_registry() as gone:
        url = gone.url
    topic = Topic("t", avro(AVRO, registry=url))
    topic.check_readable()
    with pytest.raises(PipelineStopped, match="cannot be reached") as stopped:
        TopicSink(topic).check()
    assert stopped.value.code is Code.SINK_FAILED
    with pytest.raises(SchemaRegistryError, match="check its URL"):
        topic.value.decode(records(b"\x00\x00\x00\x00\x01"), partition=0)


def test_basic_auth__wrong_password__error_without_the_password() -> None:
    with schema_registry(user_and_password="web:open sesame") as registry:
        right = SchemaRegistry(registry.url, user="web", password="open sesame")
        assert "sesame" not in repr(right)
        Topic("t", avro(AVRO, registry=right)).check_readable()
        TopicSink(Topic("t", avro(AVRO, registry=right))).check()
        wrong = Topic("t", avro(AVRO, registry=SchemaRegistry(registry.url, user="web", password="sesame")))
        with pytest.raises(PipelineConfigError, match=r"401 .*check user and password") as refused:
            wrong.check_readable()
        assert "sesame" not in str(refused.value)


def make_certificate(directory: Path, name: str) -> tuple[str, str]:
    """Return the files of a certificate, which is its own authority, and of its key."""
    key, subject = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = directory / f"{name}.pem", directory / f"{name}.key"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    files[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    return str(files[0]), str(files[1])


def test_tls__registry_requires_a_client_certificate__verified_on_both_sides(tmp_path: Path) -> None:
    server, client = make_certificate(tmp_path, "localhost"), make_certificate(tmp_path, "web")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=client[0])
    context.load_cert_chain(*server)
    context.verify_mode = ssl.CERT_REQUIRED
    with schema_registry(tls=context) as registry:
        known = SchemaRegistry(
            registry.url, ca_location=server[0], certificate_location=client[0], key_location=client[1]
        )
        TopicSink(Topic("t", avro(AVRO, registry=known))).check()
        assert list(registry.subjects) == ["t-value"]
        with pytest.raises(PipelineConfigError, match=r"certificate verify failed.*check its URL, its files for TLS"):
            SchemaRegistry(registry.url).check()
        asked = len(registry.requests)
        with pytest.raises(SchemaRegistryError):
            SchemaRegistry(registry.url, ca_location=server[0]).schema(1)
        assert len(registry.requests) == asked


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda: SchemaRegistry("registry:8081"), "must be like https://"),
        (lambda: SchemaRegistry("https://user:secret@registry"), "must not contain a user: set user="),
        (lambda: SchemaRegistry("https://registry", user="u"), "needs both user= and password="),
        (lambda: avro(AVRO, registry="http://r", framing="single-object"), "registry= needs framing='confluent'"),
        (lambda: avro(AVRO, registry="http://r", writers={}), "writers= has no effect with registry="),
        (lambda: json_schema(JSON, framing="confluent"), "needs a schema registry for the id"),
        (lambda: protobuf(Flight, framing="confluent"), "needs a schema registry for the id"),
    ],
)
def test_registry__invalid_declaration__refused_at_once(declare: Any, message: str) -> None:
    with pytest.raises(PipelineConfigError, match=message):
        Pipeline("p", Topic("words", json("word string")), map_batches(len), Topic("t", declare()), "/state")


def test_registry__refuses_a_schema_while_the_pipeline_runs__task_raises_an_error(registry: Registry) -> None:
    registry.is_compatible = lambda _: False
    with pytest.raises(SchemaRegistryError, match="409"):
        written(Topic("t", avro(AVRO, registry=registry.url)), ROWS)
