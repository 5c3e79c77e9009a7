"""The tables. Every row has its owner; every payload has the version of its form beside it.

Keys begin with the owner, so that a row can only point at rows of the same owner. `info` tags
what is no personal data and therefore stays out of an export, with the reason.
"""

from datetime import UTC, datetime
from typing import Annotated, Final

from sqlalchemy import (
    BigInteger,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from service.errors import TextInvalid

HEAD: Final = "0004"  # the newest step in migrations/versions
NOT_PERSONAL: Final = "not_personal"
LONGEST_KEY: Final = 255  # characters of an Idempotency-Key


class Moment(TypeDecorator[datetime]):
    """An aware datetime as UTC text of fixed width: sorts by time, alike on every database."""

    impl = String(32)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        del dialect
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored moment needs its time zone")
        return value.astimezone(UTC).isoformat(timespec="microseconds")

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:
        del dialect
        return None if value is None else datetime.fromisoformat(value)


class Ident(TypeDecorator[str]):
    """An id, hash or key. What is no text matches nothing, instead of being an error."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        del dialect
        if value is None:
            return None
        return value.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


class Prose(TypeDecorator[str]):
    """Text of any length. PostgreSQL cannot hold NUL, so it is refused on SQLite as well."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        del dialect
        if value is not None and ("\0" in value or not _is_text(value)):
            raise TextInvalid("The text holds characters that are no text.")
        return value


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


Id = Annotated[str, mapped_column(Ident(64))]
Hash = Annotated[str, mapped_column(Ident(128))]
Word = Annotated[str, mapped_column(String(32))]
Words = Annotated[str, mapped_column(Prose)]
Count = Annotated[int, mapped_column(Integer)]
BigCount = Annotated[int, mapped_column(BigInteger)]
When = Annotated[datetime, mapped_column(Moment)]
OwnerId = Annotated[
    str, mapped_column(Ident(64), ForeignKey("owners.id", ondelete="CASCADE"), primary_key=True)
]
Key = Annotated[str, mapped_column(Ident(64), primary_key=True)]

Lease = Annotated[str | None, mapped_column(Ident(128), info={NOT_PERSONAL: "who reads it now"})]
Until = Annotated[datetime | None, mapped_column(Moment, info={NOT_PERSONAL: "end of a lease"})]
FormVersion = Annotated[int, mapped_column(Integer)]


def _of_session() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["owner_id", "session_id"], ["sessions.owner_id", "sessions.id"], ondelete="CASCADE"
    )


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class OwnerRow(Base):
    __tablename__ = "owners"
    id: Mapped[Key]
    name: Mapped[Words]
    created_at: Mapped[When]


class ApiKeyRow(Base):
    __tablename__ = "api_keys"
    owner_id: Mapped[OwnerId]
    id: Mapped[Key]
    name: Mapped[Words]
    key_hash: Mapped[str] = mapped_column(
        Ident(128), unique=True, info={NOT_PERSONAL: "proves a secret; of no use to its owner"}
    )
    created_at: Mapped[When]
    revoked_at: Mapped[datetime | None] = mapped_column(Moment)


class PageSessionRow(Base):
    __tablename__ = "page_sessions"
    owner_id: Mapped[OwnerId]
    token_hash: Mapped[str] = mapped_column(
        Ident(128),
        primary_key=True,
        unique=True,
        info={NOT_PERSONAL: "proves a secret; of no use to its owner"},
    )
    created_at: Mapped[When]
    expires_at: Mapped[When]


class ResumeRow(Base):
    __tablename__ = "resumes"
    owner_id: Mapped[OwnerId]
    id: Mapped[Key]
    created_at: Mapped[When]
    filename: Mapped[Words]
    quality: Mapped[Word]
    content_hash: Mapped[Hash]
    schema_version: Mapped[FormVersion]
    payload: Mapped[Words]


class PostingRow(Base):
    __tablename__ = "postings"
    owner_id: Mapped[OwnerId]
    id: Mapped[Key]
    created_at: Mapped[When]
    schema_version: Mapped[FormVersion]
    payload: Mapped[Words]


class MatchRow(Base):
    __tablename__ = "matches"
    __table_args__ = (
        ForeignKeyConstraint(
            ["owner_id", "resume_id"], ["resumes.owner_id", "resumes.id"], ondelete="CASCADE"
        ),
        ForeignKeyConstraint(
            ["owner_id", "posting_id"], ["postings.owner_id", "postings.id"], ondelete="CASCADE"
        ),
        Index(None, "owner_id", "resume_id"),
        Index(None, "owner_id", "posting_id"),
    )
    owner_id: Mapped[OwnerId]
    id: Mapped[Key]
    created_at: Mapped[When]
    resume_id: Mapped[Id]
    posting_id: Mapped[Id]
    schema_version: Mapped[FormVersion]
    payload: Mapped[Words]


class ResumeVersionRow(Base):
    """`posting_id` is empty for the master; a posting may be deleted and its version stay."""

    __tablename__ = "resume_versions"
    __table_args__ = (
        ForeignKeyConstraint(
            ["owner_id", "resume_id"], ["resumes.owner_id", "resumes.id"], ondelete="CASCADE"
        ),
        UniqueConstraint("owner_id", "resume_id", "posting_id"),
    )
    owner_id: Mapped[OwnerId]
    id: Mapped[Key]
    created_at: Mapped[When]
    updated_at: Mapped[When]
    resume_id: Mapped[Id]
    posting_id: Mapped[Id]
    title: Mapped[Words]
    note: Mapped[Words]
    revision: Mapped[Count]


def _of_version() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["owner_id", "version_id"],
        ["resume_versions.owner_id", "resume_versions.id"],
        ondelete="CASCADE",
    )


class VersionRevisionRow(Base):
    __tablename__ = "version_revisions"
    __table_args__ = (_of_version(),)
    owner_id: Mapped[OwnerId]
    version_id: Mapped[Key]
    seq: Mapped[int] = mapped_column(Integer, primary_key=True)
    created_at: Mapped[When]
    change: Mapped[Word]
    about: Mapped[Words]
    schema_version: Mapped[FormVersion]
    payload: Mapped[Words]


class RewriteRow(Base):
    """Questions, answers and proposals of one version."""

    __tablename__ = "rewrites"
    __table_args__ = (_of_version(),)
    owner_id: Mapped[OwnerId]
    version_id: Mapped[Key]
    updated_at: Mapped[When]
    revision: Mapped[Count]
    schema_version: Mapped[FormVersion]
    payload: Mapped[Words]


class ApplicationRow(Base):
    """A card of the board. Its version may be deleted and the card stay."""

    __tablename__ = "applications"
    __table_args__ = (UniqueConstraint("owner_id", "version_id"),)
    owner_id: Mapped[OwnerId]
    id: Mapped[Key]
    created_at: Mapped[When]
    updated_at: Mapped[When]
    version_id: Mapped[str | None] = mapped_column(Ident(64))
    revision: Mapped[Count]
    schema_version: Mapped[FormVersion]
    payload: Mapped[Words]


class SessionRow(Base):
    """`payload` is the interview without its turns; the columns beside it are for lists."""

    __tablename__ = "sessions"
    __table_args__ = (Index(None, "owner_id", "updated_at"),)
    owner_id: Mapped[OwnerId]
    id: Mapped[Key]
    created_at: Mapped[When]
    updated_at: Mapped[When]
    title: Mapped[Words]
    lang: Mapped[Word]
    level: Mapped[Word]
    mode: Mapped[Word]
    status: Mapped[Word]
    turn_count: Mapped[Count]
    revision: Mapped[Count]
    schema_version: Mapped[FormVersion]
    payload: Mapped[Words]


class TurnRow(Base):
    """The lease says who reads the answer now; no lease and STORED means: awaits a retry."""

    __tablename__ = "turns"
    __table_args__ = (_of_session(),)
    owner_id: Mapped[OwnerId]
    session_id: Mapped[Key]
    seq: Mapped[int] = mapped_column(Integer, primary_key=True)
    status: Mapped[Word]
    schema_version: Mapped[FormVersion]
    payload: Mapped[Words]
    lease_token: Mapped[Lease]
    lease_until: Mapped[Until]


class LearnedRow(Base):
    """What one interview showed; made from it alone, and gone with it."""

    __tablename__ = "learned"
    __table_args__ = (_of_session(),)
    owner_id: Mapped[OwnerId]
    session_id: Mapped[Key]
    seen_at: Mapped[When]
    rules: Mapped[Count]
    schema_version: Mapped[FormVersion]
    payload: Mapped[Words]


class DrillRow(Base):
    """A short question and its answer."""

    __tablename__ = "drills"
    owner_id: Mapped[OwnerId]
    id: Mapped[Key]
    created_at: Mapped[When]
    updated_at: Mapped[When]
    revision: Mapped[Count]
    schema_version: Mapped[FormVersion]
    payload: Mapped[Words]


class SkillNoteRow(Base):
    """Where a person put a skill point, and why."""

    __tablename__ = "skill_notes"
    owner_id: Mapped[OwnerId]
    topic: Mapped[Key]
    updated_at: Mapped[When]
    revision: Mapped[Count]
    schema_version: Mapped[FormVersion]
    payload: Mapped[Words]


class RequestRow(Base):
    """One Idempotency-Key. No response yet means: under way, or broken off."""

    __tablename__ = "requests"
    __table_args__ = (
        _of_session(),
        Index(None, "owner_id", "session_id", "seq"),
        Index(None, "owner_id", "created_at"),
    )
    owner_id: Mapped[OwnerId]
    key: Mapped[str] = mapped_column(Ident(LONGEST_KEY), primary_key=True)
    route: Mapped[Words]
    body_hash: Mapped[Hash]
    created_at: Mapped[When]
    lease_until: Mapped[Until]
    session_id: Mapped[str | None] = mapped_column(Ident(64))
    seq: Mapped[int | None] = mapped_column(Integer)
    status: Mapped[int | None] = mapped_column(Integer)
    response: Mapped[str | None] = mapped_column(Prose)


class UsageRow(Base):
    """`session_id` is empty for calls outside an interview."""

    __tablename__ = "usage"
    owner_id: Mapped[OwnerId]
    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    session_id: Mapped[Key]
    calls: Mapped[Count]
    tokens: Mapped[BigCount]


class UsageDayRow(Base):
    """The total of a day, so that deleting data does not reset the budget."""

    __tablename__ = "usage_days"
    __table_args__ = ({"info": {NOT_PERSONAL: "a sum over all owners, without any id"}},)
    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    calls: Mapped[Count]
    tokens: Mapped[BigCount]
