"""`spark.read.format("tenure")` and `spark.readStream.format("tenure")`: Kafka's topics as rows, at least once.

A query is a member of its group, so it shares partitions with others, and ordinary tools see its lag. Spark's
checkpoint remains what it goes by; `source_stream.py` says how the two get on.
"""
