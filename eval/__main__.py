"""`python -m eval ...`, the same as `shardwise eval ...`."""

import sys

from service.cli.main import run

run(["eval", *sys.argv[1:]])
