"""Bounds of `tenure.protocol`."""

from typing import Final

REQUEST_BYTES_MAX: Final = 104_857_600
"""Kafka's `socket.request.max.bytes`: a larger frame closes its connection (rule 1.1.1)."""

LARGE_FRAME_BYTES: Final = 524_288
"""Size from which a frame is received into one buffer and not copied again; smaller ones are joined faster from pieces.
"""

ANSWER_BYTES_MAX: Final = REQUEST_BYTES_MAX
"""Size of an answer without records. Clients accept what a broker accepts; a larger answer is a mistake or an attack.
"""

REQUEST_ELEMENTS_MAX: Final = 100_000
"""Elements of all arrays of one request, nested ones included: the partitions of ten topics of the largest kind.
Decoding them takes about 50 ms, during which the broker serves no other client. 2 MiB of the smallest elements would
take ten times as long."""

TEXT_BYTES_MAX: Final = 32_767
"""Size of a string of a request, as in Kafka: the classic encoding has 16 bits for the length."""

BATCH_UNPACKED_BYTES_MAX: Final = REQUEST_BYTES_MAX
"""Size of a compressed batch after decompression. An uncompressed batch of this size fits into one request; a larger
one is a decompression bomb."""

BATCH_RECORDS_MAX: Final = 1_000_000
"""Largest `batch.num.messages` of librdkafka: no client makes a larger batch."""

BATCH_HEADERS_MAX: Final = 1_000_000
"""Headers of all records of a batch: ten for each of 100,000 records. Reading them takes 0.2 s."""

RECORD_HEADERS_MAX: Final = 10_000
"""Headers of one record, read without a pause: a few milliseconds, and far more than clients write."""

ARROW_BUFFER_BYTES_MAX: Final = 2_147_483_647
"""Largest buffer that Arrow's views can point into: their offsets have 32 bits."""

UNCOPIED_BYTES_MIN: Final = 65_536
"""Size from which the records of an answer go to the socket without a copy; smaller ones are copied faster."""

NAMES_REMEMBERED_MAX: Final = 65_536
"""Cached pairs of group and topic while a log is read, each shared by all its partitions; about 15 MB."""

OFFSET_KEYS_REMEMBERED_MAX: Final = 16_384
"""Cached encoded keys of offset records: each is written again at the next commit, every few seconds."""

PLACES_REMEMBERED_MAX: Final = 16_384
"""Cached partitions of groups and transactional ids: hashing a name takes about 2 us, and an entry about 300 bytes."""

PLACE_CHARACTERS_MAX: Final = 256
"""Length of a name whose partition is cached: a name may have 32 kB, and a client that sends many such names must not
fill the memory."""
