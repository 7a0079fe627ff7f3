"""Quotas of clients and limits on connections: pure decisions about rates, and the requests that they throttle."""
