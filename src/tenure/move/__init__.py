"""`tenure move`: copies topics, groups and ACLs from one Kafka cluster, the source, to another one, the target."""
