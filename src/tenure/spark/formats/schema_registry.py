"""Client of a schema registry: Confluent's, or another one with its HTTP interface.

The schema of an id never changes, so each process requests each schema once.
"""

import json
import ssl
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, NamedTuple
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from tenure.limits.spark import SCHEMA_REGISTRY_TIMEOUT_S
from tenure.pipeline.errors import Code, PipelineConfigError, PipelineStopped, describe_error
from tenure.spark.formats.framing import UndecodableValue

MEDIA_TYPE: Final = "application/vnd.schemaregistry.v1+json"

ANSWER_BYTES_MAX: Final = 1_000
"""Maximum number of bytes of a registry's error response that an error message contains."""

REFUSALS: Final = range(400, 500)
TRY_LATER: Final = (408, 429)

_schemas: dict[tuple[str, str], str] = {}
"""Schemas that this process has fetched, by registry and path."""

_ids: dict[tuple[str, str, str], "Registered"] = {}
"""Schemas that this process has registered or found, by registry, subject and text."""


class SchemaRegistryError(ConnectionError):
    """The registry rejected a request or did not answer. The batch is retried."""

    def __init__(self, message: str, *, status: int | None = None, is_final: bool = False) -> None:
        super().__init__(message)
        self.status = status
        """Status code of the answer; None without an answer."""
        self.is_final = is_final
        """True if a retry would get the same answer."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A registered schema that another schema imports."""

    name: str
    subject: str
    version: int


class WriterSchema(NamedTuple):
    """Schema to register for written values."""

    kind: str
    """Type of the schema for the registry: AVRO, JSON or PROTOBUF."""
    text: str
    references: Sequence[Reference] = ()


class Registered(NamedTuple):
    """Id of a schema, and its version under its subject; the version is 0 if it was not requested."""

    schema_id: int
    version: int


@dataclass(frozen=True, slots=True)
class SchemaRegistry:
    """A schema registry with Confluent's HTTP interface, for `avro(…)`, `protobuf(…)` and `json_schema(…)`.

    The driver and each worker request each schema once. Files with certificates must exist on every host.
    """

    url: str
    """Base URL, such as `https://registry:8081`."""
    user: str | None = None
    """User for basic authentication."""
    password: str | None = field(default=None, repr=False)
    """Password of the user."""
    ca_location: str | None = None
    """PEM file of trusted authorities. Default: those of the system."""
    certificate_location: str | None = None
    """PEM file of the client's certificate, if the registry requires one."""
    key_location: str | None = None
    """PEM file of the client's private key."""
    subject: str | None = None
    """Subject of written schemas. Default: `<topic>-value`, as in Kafka's serialisers."""
    register: bool = True
    """Register the schema of written values. If false, it must be registered already."""

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise PipelineConfigError("The url of a SchemaRegistry must be like https://registry:8081.")
        if "@" in parts.netloc:
            raise PipelineConfigError(
                "The url of a SchemaRegistry must not contain a user: set user= and password= instead, because error"
                " messages show the url."
            )
        if (self.user is None) != (self.password is None):
            raise PipelineConfigError("A SchemaRegistry needs both user= and password=, or neither.")
        object.__setattr__(self, "url", self.url.rstrip("/"))

    def schema(self, schema_id: int, form: str = "") -> str:
        """Return the text of a schema.

        `form` selects a form of the text, if the registry offers several: "serialized" is Protobuf's descriptor.

        Raises:
            UndecodableValue: The registry has no schema with this id.
            SchemaRegistryError: The registry does not answer, or rejects the request.
        """
        path = f"/schemas/ids/{schema_id}" + (f"?format={form}" if form else "")
        if (self.url, path) not in _schemas:
            try:
                _schemas[self.url, path] = self.request(path)["schema"]
            except SchemaRegistryError as error:
                if error.status == 404:
                    raise UndecodableValue(f"the schema registry {self.url} has no schema {schema_id}") from error
                raise
        return _schemas[self.url, path]

    def schema_id(self, topic: str, schema: WriterSchema) -> int:
        """Return the id of a schema for the values of a topic. Register the schema, unless `self.register` is false.

        Raises:
            SchemaRegistryError: The registry does not answer, or refuses the schema.
        """
        return self.find_schema(self.subject or f"{topic}-value", schema, register=self.register).schema_id

    def find_schema(
        self, subject: str, schema: WriterSchema, *, register: bool, with_version: bool = False
    ) -> Registered:
        """Return the id and, with `with_version`, the version of a schema under a subject.

        With `register`, a missing schema is registered first. Without it, a missing schema is an error.
        """
        key = (self.url, subject, schema.text)
        if key not in _ids or (with_version and not _ids[key].version):
            path = f"/subjects/{quote(subject, safe='')}"
            body = {
                "schema": schema.text,
                "schemaType": schema.kind,
                "references": list(map(asdict, schema.references)),
            }
            found = self.request(f"{path}/versions", body) if register else {}
            if not register or with_version:
                found = self.request(path, body)
            _ids[key] = Registered(found["id"], found.get("version", 0) if with_version else 0)
        return _ids[key]

    def check(self) -> None:
        """Raise PipelineConfigError if the registry denies access. An outage is no error, because tasks retry."""
        try:
            self.request("/schemas/types")
        except SchemaRegistryError as error:
            if error.is_final and error.status not in (404, 405):  # Some registries do not have this path.
                raise PipelineConfigError(f"{error}.") from error

    def check_writable(self, topic: str, schema: Callable[[], WriterSchema]) -> None:
        """Register the schema that the function `schema` returns, before the pipeline starts.

        The function may register other schemas, which its result imports.

        Raises:
            PipelineConfigError: The registry refuses the schema.
            PipelineStopped: The registry does not answer.
        """
        try:
            self.schema_id(topic, schema())
        except SchemaRegistryError as error:
            if error.is_final:
                raise PipelineConfigError(f"{error}.") from error
            raise PipelineStopped(Code.SINK_FAILED, str(error)) from error

    def request(self, path: str, body: Any = None) -> Any:
        """Send a GET request, or a POST request if there is a body; return the answer. Raises SchemaRegistryError."""
        request = Request(self.url + path, headers={"Accept": f"{MEDIA_TYPE}, application/json"})
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", MEDIA_TYPE)
        if self.user is not None:
            login = b64encode(f"{self.user}:{self.password}".encode()).decode()
            request.add_unredirected_header("Authorization", f"Basic {login}")
        try:
            with urlopen(request, timeout=SCHEMA_REGISTRY_TIMEOUT_S, context=self.tls()) as response:
                return json.load(response)
        except HTTPError as error:
            raise self.refusal(path, error) from error
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise SchemaRegistryError(
                f"The schema registry {self.url} cannot be reached ({describe_error(reason)}): check its URL, its files"
                " for TLS, and whether it runs",
                is_final=isinstance(reason, ssl.SSLError),
            ) from error

    def refusal(self, path: str, error: HTTPError) -> SchemaRegistryError:
        """Return the error for an HTTP error response."""
        with error:
            reply = " ".join(error.read(ANSWER_BYTES_MAX).decode(errors="replace").split())
        is_final = error.code in REFUSALS and error.code not in TRY_LATER
        match error.code:
            case 401 | 403:
                remedy = "check user and password, and the user's rights"
            case 404 if path.startswith("/subjects/"):
                remedy = "register the schema, or set register=True"
            case 409 | 422:
                remedy = "change the schema, or the rules of compatibility of the subject"
            case _:
                remedy = "check the registry"
        return SchemaRegistryError(
            f"The schema registry {self.url} answers {path} with {error.code} ({reply}): {remedy}",
            status=error.code,
            is_final=is_final,
        )

    def tls(self) -> ssl.SSLContext | None:
        """Return the settings of TLS; None if the URL is not an https URL. Raises OSError if a file cannot be read."""
        if not self.url.startswith("https:"):
            return None
        context = ssl.create_default_context(cafile=self.ca_location)
        if self.certificate_location is not None:
            context.load_cert_chain(self.certificate_location, self.key_location)
        return context


def registry_of(given: SchemaRegistry | str | None) -> SchemaRegistry | None:
    """Return the given registry, or a registry at the given URL; None for None."""
    return SchemaRegistry(given) if isinstance(given, str) else given
