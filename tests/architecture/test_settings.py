import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from service.assembly import require_safe_address
from service.errors import SettingsInvalid
from service.settings import Settings

ROOT = Path(__file__).resolve().parents[2]


def names() -> set[str]:
    """Every setting as it is written in the environment."""
    found: set[str] = set()
    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        choices = [str(c) for c in getattr(alias, "choices", [])]
        found.add(choices[0] if choices else f"SHARDWISE_{name.upper()}")
    return found


def test_the_example_names_exactly_the_settings():
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    written = {line[2:].split("=")[0] for line in lines if line.startswith("# ") and "=" in line}
    assert len(written) > 10
    assert written == names()


def test_compose_sets_only_known_settings_and_a_safe_address():
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    environment = compose["services"]["service"]["environment"]
    assert set(environment) <= names()
    assert environment["SHARDWISE_HOST"] == "0.0.0.0"  # noqa: S104
    assert environment["SHARDWISE_ACCESS"] == "key"
    port = environment["SHARDWISE_PORT"]
    assert compose["services"]["service"]["ports"] == [f"127.0.0.1:{port}:{port}"]
    Settings(port=int(port), access=environment["SHARDWISE_ACCESS"])


def test_compose_fits_the_compose_schema():
    done = subprocess.run(
        [
            sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec",
            str(ROOT / "docker-compose.yml"), "-o", "json",
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert json.loads(done.stdout)["status"] == "ok"


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "example.com", "::"])  # noqa: S104
def test_a_public_address_without_keys_is_refused(host: str):
    with pytest.raises(SettingsInvalid, match="SHARDWISE_ACCESS=key"):
        require_safe_address(Settings(host=host))
    require_safe_address(Settings(host=host, access="key"))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_the_own_machine_needs_no_key(host: str):
    settings = Settings(host=host)
    require_safe_address(settings)
    assert settings.access == "local"
