"""Records in the logs of coordinators: groups and offsets, transactions, and the metadata of the cluster."""
