"""What users declare: topics, processing and sinks. Knows neither Spark sessions nor brokers."""
