"""Metrics in Prometheus' format, and the HTTP server for collectors and probes.

The broker and pipelines share it. Nothing here is loaded unless monitoring is switched on.
"""
