"""Coordinators of groups, transactions and metadata: deterministic state machines without clock, randomness or I/O."""
