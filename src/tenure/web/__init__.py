"""Dashboard `tenure web`: live pages about groups, transactions, topics and pipelines of any Kafka cluster."""
