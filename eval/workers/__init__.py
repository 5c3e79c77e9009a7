"""One run spread over processes and machines: DBOS queues on PostgreSQL."""
