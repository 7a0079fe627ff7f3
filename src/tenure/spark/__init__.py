"""Spark pipelines, stateful or not, that are members of a Kafka group and publish each record's work exactly once.

    from tenure.spark import KeyedState, Parquet, Pipeline, Topic, json, stateful

Declaring a pipeline and testing its function need no Spark; running it needs pyspark and a Java runtime, and says so
where one is missing.
"""
