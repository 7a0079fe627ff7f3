"""Declarations by users: topics, processing, sinks and pipelines. Independent of Spark sessions and brokers."""
