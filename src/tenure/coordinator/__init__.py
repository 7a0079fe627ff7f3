"""The rules: deterministic state machines without clock, randomness, sockets, asyncio or logging."""
