"""Host of a coordinator's shard, without I/O.

It handles commands, returns the batches to append, and holds replies until the records that they wait for are durable.
"""
