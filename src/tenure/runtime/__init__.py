"""Host of a coordinator's shard, without I/O: handle commands, emit batches, hold replies until they are durable."""
