"""Access of pipelines to Kafka: the interfaces of `tenure.pipeline`, implemented with `tenure.client`."""
