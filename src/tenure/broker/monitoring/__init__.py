"""Metrics, health and readiness of a running broker. Loaded only if monitoring is configured."""
