"""Host of a coordinator's shard, without I/O.

The host handles commands, returns the batches to append, and keeps each reply until the records that it waits for are
durable.
"""
