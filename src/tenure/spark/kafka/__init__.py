"""The interfaces of `tenure.pipeline` to Kafka, over `tenure.client`: membership, logs, transactions, dead letters."""
