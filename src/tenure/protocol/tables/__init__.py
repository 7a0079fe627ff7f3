"""The facts of the wire: one table file per API, in the words of Kafka's own schemas (rule 1.7)."""
