"""Records of the coordinators' logs: groups and their offsets, transactions, and the metadata of the cluster."""
