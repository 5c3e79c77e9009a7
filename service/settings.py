"""The only door to the environment. Made once by app, cli and eval; parts receive values."""

from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from service.errors import SettingsInvalid

ROOT = Path(__file__).resolve().parent.parent


class Settings(BaseSettings):
    """Every setting has a default that works with no key and no network."""

    model_config = SettingsConfigDict(
        env_prefix="SHARDWISE_", env_file=".env", extra="ignore", frozen=True, populate_by_name=True
    )

    # Where things are
    data_dir: Path = Field(default=ROOT / "data", description="Database and built knowledge index.")
    knowledge_dir: Path = Field(
        default=ROOT / "knowledge", description="The vetted knowledge base."
    )
    prompts_dir: Path = Field(default=ROOT / "prompts", description="The prompt files.")
    database_url: str | None = Field(
        default=None, description="SQLAlchemy URL; empty means SQLite in data_dir."
    )
    workers_url: str | None = Field(
        default=None,
        description="PostgreSQL on which `eval run` meets its workers; empty: it grades by itself.",
    )

    # The service
    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(default=8000, ge=1, le=65535, description="Port to listen on.")
    access: Literal["local", "key"] = Field(
        default="local", description="local: one silent user; key: API key and page session needed."
    )
    max_upload_bytes: int = Field(default=5_000_000, ge=1_000, description="Largest résumé file.")
    max_posting_chars: int = Field(
        default=200_000, ge=100, description="Longest posting or pasted résumé, code points."
    )
    max_answer_chars: int = Field(
        default=50_000, ge=100, description="Longest answer, code points."
    )
    parse_seconds: float = Field(default=10.0, gt=0, description="Time limit of the file reader.")
    parse_memory_bytes: int = Field(
        default=1_000_000_000, ge=100_000_000, description="Memory limit of the file reader."
    )

    # The engine
    engine: Literal["auto", "builtin", "llm"] = Field(
        default="auto",
        description="auto: the model when one is set, with the built-in engine behind it.",
    )
    openai_base_url: str | None = Field(
        default=None, validation_alias=AliasChoices("OPENAI_BASE_URL", "SHARDWISE_OPENAI_BASE_URL")
    )
    openai_api_key: SecretStr | None = Field(
        default=None, validation_alias=AliasChoices("OPENAI_API_KEY", "SHARDWISE_OPENAI_API_KEY")
    )
    model: str | None = Field(
        default=None, validation_alias=AliasChoices("SHARDWISE_MODEL", "OPENAI_MODEL")
    )
    model_seconds: float = Field(
        default=60.0, gt=0, description="Deadline of one act of the model."
    )
    model_votes: int = Field(
        default=1,
        ge=1,
        le=9,
        description="How many times the model reads an answer; the majority counts.",
    )
    model_second_reader: bool = Field(
        default=False,
        description="The built-in engine reads beside the model; where the two differ, the report "
        "says that a point is to be checked. Costs some 15 ms an answer.",
    )
    lease_seconds: float = Field(
        default=15.0,
        gt=0,
        description="How long a turn stays held after the process that read it was killed; "
        "a reading that goes on renews it.",
    )
    model_calls_per_session: int = Field(default=200, ge=1, description="Budget of one interview.")
    model_tokens_per_day: int = Field(default=2_000_000, ge=1, description="Budget of one day.")

    # Seeing what happens
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    telemetry: bool = Field(
        default=False,
        description="FastAPI's own OpenTelemetry hook; exporters by OTEL_* variables.",
    )

    @property
    def store_url(self) -> str:
        return self.database_url or f"sqlite+aiosqlite:///{self.data_dir / 'shardwise.sqlite'}"


def read_settings() -> Settings:
    """Read environment and .env; every fault at once.

    Raises:
        SettingsInvalid: a value is missing or outside its range.
    """
    try:
        return Settings()
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
        raise SettingsInvalid("The settings are not usable:", faults) from error
