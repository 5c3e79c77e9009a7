"""`python -m eval ...`, the same as `shardwise eval ...`."""

from eval.cli import app

app(prog_name="python -m eval")
