"""Bounds of `tenure.protocol`."""

from typing import Final

REQUEST_BYTES_MAX: Final = 104_857_600
"""Kafka's `socket.request.max.bytes`: a larger frame closes its connection (rule 1.1.1)."""

LARGE_FRAME_BYTES: Final = 524_288
"""Size from which on a frame is received into one buffer, without a copy; joining pieces is faster for smaller ones."""

ANSWER_BYTES_MAX: Final = REQUEST_BYTES_MAX
"""Maximum size of a response without records, the same as of a request. A larger one is an error or an attack."""

REQUEST_ELEMENTS_MAX: Final = 100_000
"""Maximum number of elements of all arrays of a request, nested ones included: the partitions of ten topics of the
greatest size. Decoding them takes about 50 ms, during which no other client is served. 2 MiB of the smallest elements
would take ten times as long."""

TEXT_BYTES_MAX: Final = 32_767
"""Maximum size of a string in a request, as in Kafka: classic encoding has 16 bits for the length."""

BATCH_UNPACKED_BYTES_MAX: Final = REQUEST_BYTES_MAX
"""Maximum size of a batch after decompression. An uncompressed batch of this size fits into one request, so a larger
one is a decompression bomb."""

BATCH_RECORDS_MAX: Final = 1_000_000
"""Maximum number of records in a batch: the greatest `batch.num.messages` of librdkafka, which no client exceeds."""

BATCH_HEADERS_MAX: Final = 1_000_000
"""Maximum number of headers of all records of a batch: ten for each of 100,000 records. Decoding them takes 0.2 s."""

RECORD_HEADERS_MAX: Final = 10_000
"""Maximum number of headers of one record, which are read without a pause: a few milliseconds, and far more than
clients write."""

UNPACKED_TOGETHER_BYTES: Final = 4_194_304
"""Size of the decompressed records that are decoded together: few enough for the processor's cache, and so many that
the fixed cost of a columnar decode does not matter."""

UNPACKED_BUFFER_BYTES: Final = UNPACKED_TOGETHER_BYTES + 1_048_576
"""Memory for records that are decompressed and decoded together: for one more batch of the greatest default size."""

UNPACKED_FACTOR: Final = 16
"""The memory for records that are decompressed together (UNPACKED_BUFFER_BYTES) is at most this many times the size of
the response: text shrinks to a tenth."""

ARROW_BUFFER_BYTES_MAX: Final = 2_147_483_647
"""Maximum size of a buffer to which Arrow's views can refer, with positions of 32 bits."""

UNCOPIED_BYTES_MIN: Final = 65_536
"""Size from which on the records of a response are sent without a copy; copying is faster for smaller ones."""

GROUP_TOPIC_NAMES_CACHED_MAX: Final = 65_536
"""Maximum number of cached pairs of group and topic while a log is read, each shared by all its partitions; about 15
MB."""

OFFSET_KEYS_CACHED_MAX: Final = 16_384
"""Maximum number of cached encoded keys of committed offsets. Each is written again with the next commit, every few
seconds."""

NAME_PARTITIONS_CACHED_MAX: Final = 16_384
"""Maximum number of groups and transactional ids whose partition of the coordinator's log is cached. Hashing a name
takes about 2 us; an entry has about 300 bytes."""

CACHED_NAME_CHARACTERS_MAX: Final = 256
"""Maximum length of a name whose partition is cached. Names may have 32 kB, and a client could fill the memory with
them."""
