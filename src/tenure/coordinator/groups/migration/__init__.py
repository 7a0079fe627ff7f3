"""Between the two protocols: groups that go over from one to the other while they work, and groups that speak both."""
