"""The halves that labelled cases come in, by the names of their files."""

from pathlib import Path

from service.errors import InputInvalid


def case_file(folder: Path, split: str, suffix: str) -> Path:
    """The file of a split.

    Raises:
        InputInvalid: there is none of that name; names those that are there.
    """
    path = folder / f"{split}{suffix}"
    known = sorted(p.stem for p in folder.glob(f"*{suffix}"))
    if split not in known:
        raise InputInvalid(
            "There is no split {split}; there are {known}.", split=split, known=", ".join(known)
        )
    return path
