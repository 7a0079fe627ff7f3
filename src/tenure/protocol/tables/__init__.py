"""Tables of the wire protocol: one file per API, in the words of Kafka's schemas (rule 1.7).

The docstring of a table lists the changes of each version. "Flexible encoding" is that of KIP-482.
"""
