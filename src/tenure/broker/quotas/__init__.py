"""Client quotas and limits on connections: decisions about rates, without I/O, and the requests that they throttle."""
