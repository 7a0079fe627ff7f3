"""Moving of topics, groups and ACLs from one Kafka cluster to another: `tenure move`."""
