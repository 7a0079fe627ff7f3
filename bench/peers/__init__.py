"""Stream processors beside Tenure: the same work on Apache Kafka, in rows per processor second."""
