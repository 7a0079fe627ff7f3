"""Audit of the consumer groups of any Kafka cluster: `tenure audit`, and its tables as DataFrames."""

from tenure.audit.reading import read

__all__ = ["read"]
