"""Object store on this host: S3's API in a thread of the test process."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import fsspec

NUMBERS = itertools.count(1)
"""Numbers of buckets: objects in a server of this process outlive a test."""


class ObjectStore(NamedTuple):
    url: str
    """URL of an empty bucket."""
    options: dict[str, Any]
    """fsspec's storage options."""


@contextmanager
def object_store() -> Iterator[ObjectStore]:
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        options = {"key": "any", "secret": "any", "endpoint_url": f"http://{host}:{port}"}
        bucket = f"tenure-{next(NUMBERS)}"
        fsspec.filesystem("s3", use_listings_cache=False, **options).mkdir(bucket)
        yield ObjectStore(f"s3://{bucket}", options)
    finally:
        server.stop()
