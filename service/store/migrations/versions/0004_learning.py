"""What interviews showed of each skill point, short questions with their answers, and notes."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.sql.schema import SchemaItem

revision: str = "0004"
down_revision: str | None = "0002"


def upgrade() -> None:
    _owned(
        "learned",
        ("owner_id", "session_id"),
        _id("session_id"),
        _when("seen_at"),
        sa.Column("rules", sa.Integer, nullable=False),
        *_payload(),
        sa.ForeignKeyConstraint(
            ["owner_id", "session_id"],
            ["sessions.owner_id", "sessions.id"],
            name="fk_learned_owner_id_session_id",
            ondelete="CASCADE",
        ),
    )
    _owned(
        "drills",
        ("owner_id", "id"),
        _id("id"),
        _when("created_at"),
        _when("updated_at"),
        sa.Column("revision", sa.Integer, nullable=False),
        *_payload(),
    )
    _owned(
        "skill_notes",
        ("owner_id", "topic"),
        _id("topic"),
        _when("updated_at"),
        sa.Column("revision", sa.Integer, nullable=False),
        *_payload(),
    )


def _id(name: str) -> SchemaItem:
    return sa.Column(name, sa.String(64), nullable=False)


def _when(name: str) -> SchemaItem:
    return sa.Column(name, sa.String(32), nullable=False)


def _payload() -> tuple[SchemaItem, ...]:
    version = sa.Column("schema_version", sa.Integer, nullable=False)
    return version, sa.Column("payload", sa.Text, nullable=False)


def _owned(table: str, key: tuple[str, ...], *items: SchemaItem) -> None:
    owner = sa.ForeignKeyConstraint(
        ["owner_id"], ["owners.id"], name=f"fk_{table}_owner_id", ondelete="CASCADE"
    )
    key_of = sa.PrimaryKeyConstraint(*key, name=f"pk_{table}")
    op.create_table(table, _id("owner_id"), *items, owner, key_of, if_not_exists=True)
