"""Deleted means gone from the file: SQLite's log is emptied once rows were deleted.

`secure_delete` zeroes what is freed inside the pages; the log beside the file still holds older
pages until it is copied back and cut to nothing.
"""

from sqlalchemy import text

from service.errors import StoreError
from service.store.database import Database


async def empty_log(database: Database) -> bool:
    """Copy the log back and cut it; False when somebody still reads from it."""
    if database.name != "sqlite":
        return True
    try:
        async with database.alone() as connection:
            busy = (await connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))).scalar()
    except StoreError:
        return False
    return busy == 0
