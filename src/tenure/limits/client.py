"""Bounds of `tenure.client`."""

from typing import Final

CONNECTION_BUFFER_BYTES: Final = 65_536
"""Receive buffer per connection. Nearly all responses fit into it; those of Fetch get a buffer of their own."""

LARGE_FRAMES_KEPT_BYTES: Final = 134_217_728
"""Maximum size of all receive buffers that a connection keeps for large responses: the fetched-ahead ones
(PREFETCH_BYTES), one that is being received and one that is being decoded. A kept buffer saves time, because clearing
the memory of a new one takes as long as receiving data into it."""

RESPONSE_HELD_FACTOR_MAX: Final = 8
"""Ratio of the size of a response to the records of one partition in it. Above this ratio, the records are copied,
because they would otherwise keep the whole response in memory."""

RESPONSE_BYTES_MAX: Final = 1_073_741_824
"""Maximum size of a response that a client accepts. A fetch may exceed the requested size by one batch of any size; a
peer that sends more than a gigabyte is no Kafka broker."""

FETCH_BYTES: Final = 16_777_216
"""Bytes requested in one Fetch: large enough that the fixed cost of a columnar decode does not matter."""

FETCH_LEAST_BYTES: Final = 65_536
"""Bytes requested for a few records: one or two batches of most producers."""

FETCH_RECORD_BYTES: Final = 1_024
"""Assumed size of a record before any was seen: a fetch of a short range of a long log then does not transfer 16 MB."""

FETCH_RECORD_BYTES_MARGIN: Final = 1.1
"""Factor by which the mean record size so far is multiplied, so that the last part of a range seldom needs a further
request."""

PREFETCH_BYTES: Final = 67_108_864
"""Bytes that a consumer fetches ahead of its user: one second at full speed, as in librdkafka's queue."""

PRODUCER_BUFFER_BYTES: Final = 33_554_432
"""Kafka's `buffer.memory`: size of unsent records at which a caller that is faster than the broker has to wait."""

RECORD_OVERHEAD_BYTES: Final = 16
"""Approximate size of a record in a batch besides its key and value."""

SEND_ARROW_BYTES: Final = 8_388_608
"""Bytes of a table that are encoded at once. They make many batches, so that numpy's fixed cost does not matter, and
are only a part of `buffer.memory`."""

PRODUCER_FAILURES_KEPT: Final = 10
"""Maximum number of undelivered batches that an error names; the others are counted."""

PRODUCER_BATCH_BYTES: Final = 131_072
"""Size at which a record batch is sent; several times Java's 16 kB, because batches cost more in Python."""

CONNECT_TIMEOUT_MS: Final = 10_000
"""Kafka's `socket.connection.setup.timeout.ms`."""

RETRY_BACKOFF_MS: Final = 50
RETRY_BACKOFF_MAX_MS: Final = 1_000
"""Longest pause between two attempts, Kafka's `retry.backoff.max.ms`. The first pause is RETRY_BACKOFF_MS, and each
further one is twice as long. A client finds a restarted broker within a second."""

TRANSACTION_BACKOFF_MS: Final = 2
TRANSACTION_BACKOFF_MAX_MS: Final = 20
"""Longest pause between two attempts while the markers of the previous transaction are written. That takes
milliseconds, so Kafka retries every 20 ms."""

PATIENCE_MS: Final = 60_000
"""Time for which a client retries before it reports an error: enough for a broker to restart and to read its log."""

STARTUP_PATIENCE_MS: Final = 5_000
"""Time for which a client retries before its first success: a wrong address is reported in less than a minute."""

OPTIONAL_REQUEST_TIMEOUT_MS: Final = 5_000
"""Time for requests that are optional: leaving a group, or asking which process has fenced this one."""

REQUEST_TIMEOUT_MS: Final = 30_000
"""Kafka's `request.timeout.ms`."""

FETCH_WAIT_MS: Final = 500
"""Kafka's `fetch.max.wait.ms`."""

FETCH_EMPTY_ANSWERS_MAX: Final = 10
"""Number of empty Fetch responses in a row after which records count as missing, although the broker has reported a
later end of the log. With FETCH_WAIT_MS, so many responses take five seconds."""

MEMBERSHIP_RETRY_BACKOFF_MS: Final = 100
"""Kafka's `retry.backoff.ms`: pause between two attempts of a member at the same request."""

TOPIC_NAMES_BACKOFF_MS: Final = 1_000
"""Pause before a member asks again for the name of an assigned topic that metadata lack, because the topic is new."""

OWN_MEMBER_IDS_KEPT: Final = 8
"""Number of its own earlier member ids that a member keeps. If the broker handles an old join late, the member
recognises its id."""

METADATA_AGE_MS: Final = 300_000
"""Kafka's `metadata.max.age.ms`: time until the leader of a classic group notices that a topic has more partitions."""

PARTITIONER_KEYS_CACHED: Final = 65_536
"""Maximum number of keys whose partition is cached: hashing one takes a microsecond or more, and keys repeat. A few MB
when full."""

CLAIM_DOUBTS_MAX: Final = 20
"""Maximum number of ignored claims of partitions that the leader of a classic group logs in one rebalance: enough to
find the cause."""

TLS_CONTEXTS_CACHED: Final = 64
"""Maximum number of TLS contexts of a process: one for each cluster and version of its files. A context takes some 100
kB with the authorities of the system."""

TOKEN_BYTES_MAX: Final = 65_536
"""Maximum size of a token file, and of an identity provider's answer; tokens have some kilobytes."""

TOKEN_TIMEOUT_S: Final = 10.0
"""Timeout of a request to an identity provider, the same as CONNECT_TIMEOUT_MS."""

TOKEN_LIFETIME_PART: Final = 0.8
"""Share of a token's lifetime after which new logins use a new token, as in librdkafka."""
