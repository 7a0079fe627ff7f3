"""Declarations by users: topics, processing, sinks and pipelines. They need no Spark session and no broker."""
