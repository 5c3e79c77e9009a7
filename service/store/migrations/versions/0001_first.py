"""The first tables. Running the step again is harmless: what exists stays."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.sql.schema import SchemaItem

revision: str = "0001"
down_revision: str | None = None


def upgrade() -> None:
    _table("owners", _id("id"), _text("name"), _when("created_at"), _key("owners", "id"))
    _table("usage_days", _day(), *_counts(), _key("usage_days", "day"))
    _access()
    _library()
    _interviews()
    _owned("usage", ("owner_id", "day", "session_id"), _day(), _id("session_id"), *_counts())


def _access() -> None:
    _owned(
        "api_keys",
        ("owner_id", "id"),
        _id("id"),
        _text("name"),
        sa.Column("key_hash", sa.String(128), nullable=False),
        _when("created_at"),
        sa.Column("revoked_at", sa.String(32)),
        sa.UniqueConstraint("key_hash", name="uq_api_keys_key_hash"),
    )
    _owned(
        "page_sessions",
        ("owner_id", "token_hash"),
        sa.Column("token_hash", sa.String(128), nullable=False),
        _when("created_at"),
        _when("expires_at"),
        sa.UniqueConstraint("token_hash", name="uq_page_sessions_token_hash"),
    )


def _library() -> None:
    _owned(
        "resumes",
        ("owner_id", "id"),
        _id("id"),
        _when("created_at"),
        _text("filename"),
        _word("quality"),
        sa.Column("content_hash", sa.String(128), nullable=False),
        *_payload(),
    )
    _owned("postings", ("owner_id", "id"), _id("id"), _when("created_at"), *_payload())
    _owned(
        "matches",
        ("owner_id", "id"),
        _id("id"),
        _when("created_at"),
        _id("resume_id"),
        _id("posting_id"),
        *_payload(),
        _points_at("matches", "resume_id", "resumes"),
        _points_at("matches", "posting_id", "postings"),
    )
    _index("matches", "owner_id", "resume_id")
    _index("matches", "owner_id", "posting_id")


def _interviews() -> None:
    _owned(
        "sessions",
        ("owner_id", "id"),
        _id("id"),
        _when("created_at"),
        _when("updated_at"),
        _text("title"),
        *(_word(name) for name in ("lang", "level", "mode", "status")),
        sa.Column("turn_count", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        *_payload(),
    )
    _index("sessions", "owner_id", "updated_at")
    _owned(
        "turns",
        ("owner_id", "session_id", "seq"),
        _id("session_id"),
        sa.Column("seq", sa.Integer, nullable=False),
        _word("status"),
        *_payload(),
        sa.Column("lease_token", sa.String(128)),
        sa.Column("lease_until", sa.String(32)),
        _points_at("turns", "session_id", "sessions"),
    )
    _requests()


def _requests() -> None:
    _owned(
        "requests",
        ("owner_id", "key"),
        sa.Column("key", sa.String(255), nullable=False),
        _text("route"),
        sa.Column("body_hash", sa.String(128), nullable=False),
        _when("created_at"),
        sa.Column("lease_until", sa.String(32)),
        sa.Column("session_id", sa.String(64)),
        sa.Column("seq", sa.Integer),
        sa.Column("status", sa.Integer),
        sa.Column("response", sa.Text),
        _points_at("requests", "session_id", "sessions"),
    )
    _index("requests", "owner_id", "session_id", "seq")
    _index("requests", "owner_id", "created_at")


def _id(name: str) -> SchemaItem:
    return sa.Column(name, sa.String(64), nullable=False)


def _text(name: str) -> SchemaItem:
    return sa.Column(name, sa.Text, nullable=False)


def _word(name: str) -> SchemaItem:
    return sa.Column(name, sa.String(32), nullable=False)


def _when(name: str) -> SchemaItem:
    return sa.Column(name, sa.String(32), nullable=False)


def _day() -> SchemaItem:
    return sa.Column("day", sa.String(10), nullable=False)


def _counts() -> tuple[SchemaItem, ...]:
    calls = sa.Column("calls", sa.Integer, nullable=False)
    return calls, sa.Column("tokens", sa.BigInteger, nullable=False)


def _payload() -> tuple[SchemaItem, ...]:
    return sa.Column("schema_version", sa.Integer, nullable=False), _text("payload")


def _key(table: str, *columns: str) -> SchemaItem:
    return sa.PrimaryKeyConstraint(*columns, name=f"pk_{table}")


def _points_at(table: str, column: str, target: str) -> SchemaItem:
    return sa.ForeignKeyConstraint(
        ["owner_id", column],
        [f"{target}.owner_id", f"{target}.id"],
        name=f"fk_{table}_owner_id_{column}",
        ondelete="CASCADE",
    )


def _owned(table: str, key: tuple[str, ...], *items: SchemaItem) -> None:
    owner = sa.ForeignKeyConstraint(
        ["owner_id"], ["owners.id"], name=f"fk_{table}_owner_id", ondelete="CASCADE"
    )
    _table(table, _id("owner_id"), *items, owner, _key(table, *key))


def _table(table: str, *items: SchemaItem) -> None:
    op.create_table(table, *items, if_not_exists=True)


def _index(table: str, *columns: str) -> None:
    name = f"ix_{table}_{'_'.join(columns)}"
    op.create_index(name, table, list(columns), if_not_exists=True)
