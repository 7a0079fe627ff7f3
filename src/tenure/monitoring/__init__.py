"""Metrics in Prometheus' format, and the HTTP server for collectors and probes.

The broker and pipelines share this package. It is loaded only if monitoring is switched on.
"""
