"""Metadata of the cluster: topics with their ids and partitions, configs, quotas, ACLs, and producer ids."""
