"""A schema registry over HTTP, with the requests that Confluent's clients and ours send.

It has subjects with versions, ids shared by equal schemas, references, compatibility (a rule of the test), basic
authentication and TLS.
"""

import json
import ssl
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import unquote, urlsplit


class Refusal(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class Registry:
    """Content of the registry, and the requests that it got."""

    schemas: list[dict[str, Any]] = field(default_factory=list)
    """Schemas by id, from 1."""
    subjects: dict[str, list[int]] = field(default_factory=dict)
    """Ids of the versions of each subject."""
    requests: list[str] = field(default_factory=list)
    is_compatible: Callable[[dict[str, Any]], bool] = lambda _: True
    user_and_password: str | None = None
    url: str = ""

    def answer(self, method: str, path: list[str], body: Any) -> Any:
        match (method, *path):
            case ("GET", "schemas", "types"):
                return ["AVRO", "JSON", "PROTOBUF"]
            case ("GET", "schemas", "ids", number):
                if not 0 < int(number) <= len(self.schemas):
                    raise Refusal(404, f"Schema {number} not found")
                return self.schemas[int(number) - 1]
            case ("POST", "subjects", subject, "versions"):
                if not self.is_compatible(body):
                    raise Refusal(409, "Schema being registered is incompatible with an earlier schema")
                return {"id": self.add(subject, stored(body))}
            case ("POST", "subjects", subject):
                versions = self.subjects.get(subject, [])
                number = self.schemas.index(stored(body)) + 1 if stored(body) in self.schemas else 0
                if number not in versions:
                    raise Refusal(404, f"Schema not found under subject {subject}")
                return {"subject": subject, "id": number, "version": versions.index(number) + 1, **stored(body)}
            case ("GET", "subjects", subject, "versions", version):
                number = self.subjects[subject][int(version) - 1]
                return {"subject": subject, "id": number, "version": int(version), **self.schemas[number - 1]}
        raise Refusal(404, f"no such path: {'/'.join(path)}")

    def add(self, subject: str, schema: dict[str, Any]) -> int:
        if schema not in self.schemas:
            self.schemas.append(schema)
        number = self.schemas.index(schema) + 1
        versions = self.subjects.setdefault(subject, [])
        if number not in versions:
            versions.append(number)
        return number


def stored(body: dict[str, Any]) -> dict[str, Any]:
    kind, references = body.get("schemaType") or "AVRO", body.get("references") or []
    return {"schema": body["schema"], "schemaType": kind, "references": references}


@contextmanager
def schema_registry(
    user_and_password: str | None = None, tls: ssl.SSLContext | None = None, registry: Registry | None = None
) -> Iterator[Registry]:
    registry = registry or Registry(user_and_password=user_and_password)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.answer(None)

        def do_POST(self) -> None:
            self.answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def answer(self, body: Any) -> None:
            registry.requests.append(f"{self.command} {self.path}")
            try:
                if registry.user_and_password is not None:
                    login = f"Basic {b64encode(registry.user_and_password.encode()).decode()}"
                    if self.headers["Authorization"] != login:
                        raise Refusal(401, "Unauthorized")
                path = [unquote(part) for part in urlsplit(self.path).path.strip("/").split("/")]
                self.send(200, registry.answer(self.command, path, body))
            except Refusal as refusal:
                self.send(refusal.status, {"error_code": refusal.status, "message": str(refusal)})

        def send(self, status: int, answer: Any) -> None:
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/vnd.schemaregistry.v1+json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        registry.url = f"{'http' if tls is None else 'https'}://localhost:{server.server_port}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield registry
        finally:
            server.shutdown()
            thread.join()
