"""`tenure web`: groups, transactions, topics and pipelines of any Kafka cluster in a browser, live."""
