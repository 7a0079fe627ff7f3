"""Members, producers and fetchers for any Kafka broker.

`GroupMember` holds a seat in a group, `Producer` writes, `fetch_arrow` reads in bulk. Each blocks, and leaves the
sockets to one event loop of the process.
"""
