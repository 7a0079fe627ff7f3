"""Declarations by users: topics, processing, sinks and pipelines. Knows neither Spark sessions nor brokers."""
