"""Tables of the wire protocol: one file per API, in the words of Kafka's schemas (rule 1.7)."""
