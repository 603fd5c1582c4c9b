"""Where Alembic starts: with the connection it is given, or the database of the environment."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection

from companion.store.database import database_url, make_engine, writing
from companion.store.tables import Base


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=True,
    )
    with context.begin_transaction():
        context.run_migrations()


given: Connection | None = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    with writing(make_engine(database_url())).begin() as own:
        run(own)
