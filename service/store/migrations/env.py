"""Runs the steps on the connection that service.store.migrate hands over, in its transaction."""

from alembic import context

from service.store.schema import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    transactional_ddl=True,  # SQLite's DDL is transactional once BEGIN is ours
)
with context.begin_transaction():
    context.run_migrations()
