"""Versions of résumés with their revisions, rewrites, and the board of applications."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.sql.schema import SchemaItem

revision: str = "0002"
down_revision: str | None = "0001"


def upgrade() -> None:
    _owned(
        "resume_versions",
        ("owner_id", "id"),
        _id("id"),
        _when("created_at"),
        _when("updated_at"),
        _id("resume_id"),
        _id("posting_id"),
        _text("title"),
        _text("note"),
        sa.Column("revision", sa.Integer, nullable=False),
        _points_at("resume_versions", "resume_id", "resumes"),
        sa.UniqueConstraint(
            "owner_id",
            "resume_id",
            "posting_id",
            name="uq_resume_versions_owner_id_resume_id_posting_id",
        ),
    )
    _owned(
        "version_revisions",
        ("owner_id", "version_id", "seq"),
        _id("version_id"),
        sa.Column("seq", sa.Integer, nullable=False),
        _when("created_at"),
        sa.Column("change", sa.String(32), nullable=False),
        _text("about"),
        *_payload(),
        _points_at("version_revisions", "version_id", "resume_versions"),
    )
    _owned(
        "rewrites",
        ("owner_id", "version_id"),
        _id("version_id"),
        _when("updated_at"),
        sa.Column("revision", sa.Integer, nullable=False),
        *_payload(),
        _points_at("rewrites", "version_id", "resume_versions"),
    )
    _owned(
        "applications",
        ("owner_id", "id"),
        _id("id"),
        _when("created_at"),
        _when("updated_at"),
        sa.Column("version_id", sa.String(64)),
        sa.Column("revision", sa.Integer, nullable=False),
        *_payload(),
        sa.UniqueConstraint("owner_id", "version_id", name="uq_applications_owner_id_version_id"),
    )


def _id(name: str) -> SchemaItem:
    return sa.Column(name, sa.String(64), nullable=False)


def _text(name: str) -> SchemaItem:
    return sa.Column(name, sa.Text, nullable=False)


def _when(name: str) -> SchemaItem:
    return sa.Column(name, sa.String(32), nullable=False)


def _payload() -> tuple[SchemaItem, ...]:
    return sa.Column("schema_version", sa.Integer, nullable=False), _text("payload")


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
    key_of = sa.PrimaryKeyConstraint(*key, name=f"pk_{table}")
    op.create_table(table, _id("owner_id"), *items, owner, key_of, if_not_exists=True)
