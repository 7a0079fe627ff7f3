"""Tables of the wire protocol: one file per API, in the words of Kafka's schemas (rule 1.7).

The docstring of a table lists what each version has added: "v3 flexible" means that the flexible encoding of KIP-482
begins with version 3.
"""
