"""prompts/lock.toml: version and fingerprint of each prompt, so that no change goes unversioned.

`python -m service.prompting.lock [FOLDER]` checks and renews it.
"""

import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from service.errors import PromptInvalid
from service.prompting.load import load_prompts
from service.prompting.prompt import Prompts

LOCK: Final = "lock.toml"
PROMPTS_DIR: Final = Path(__file__).resolve().parent.parent.parent / "prompts"
_HEAD: Final = (
    "# Made by `python -m service.prompting.lock`. A changed text or reply form needs a new\n"
    "# version in the prompt's front matter, because stored grades name the version.\n"
)


@dataclass(frozen=True, slots=True)
class Locked:
    version: int
    fingerprint: str


def read_lock(folder: Path) -> Mapping[str, Locked]:
    """The recorded versions; none when there is no lock file yet.

    Raises:
        PromptInvalid: the lock file cannot be read.
    """
    path = folder / LOCK
    if not path.exists():
        return {}
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))
        return {n: Locked(int(e["version"]), str(e["fingerprint"])) for n, e in entries.items()}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise PromptInvalid("The lock of the prompts cannot be read.", [str(error)]) from error


def current(prompts: Prompts) -> Mapping[str, Locked]:
    return {n: Locked(p.head.version, p.fingerprint) for n, p in sorted(prompts.by_name.items())}


def unversioned(locked: Mapping[str, Locked], now: Mapping[str, Locked]) -> Iterator[str]:
    """Changes that hide behind an old version number."""
    for name, entry in now.items():
        was = locked.get(name)
        if was and entry.version < was.version:
            yield f"{name}: version {entry.version} is older than the recorded {was.version}"
        elif was and entry.fingerprint != was.fingerprint and entry.version == was.version:
            yield f"{name}: text or reply form changed, raise version {was.version} by one"


def lock_text(now: Mapping[str, Locked]) -> str:
    tables = (
        f'\n[{name}]\nversion = {entry.version}\nfingerprint = "{entry.fingerprint}"\n'
        for name, entry in now.items()
    )
    return _HEAD + "".join(tables)


def renew(folder: Path) -> tuple[str, ...]:
    """Write the lock anew unless a change has no new version; returns what stands against it.

    Raises:
        PromptInvalid: the prompts or the lock cannot be read.
    """
    now = current(load_prompts(folder))
    faults = tuple(unversioned(read_lock(folder), now))
    if not faults:
        (folder / LOCK).write_text(lock_text(now), encoding="utf-8")
    return faults


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else PROMPTS_DIR
    try:
        faults = renew(folder)
    except PromptInvalid as error:
        faults = (str(error),)
    sys.stderr.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
