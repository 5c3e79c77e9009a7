"""The `shardwise` command. Heavy imports happen inside the commands, so that help is instant."""

import sys
from collections.abc import Sequence
from typing import Final

import typer
from typer.exceptions import TyperException

from service.cli.ask import ask
from service.cli.backup import backup
from service.cli.check import check
from service.cli.doctor import doctor
from service.cli.interview import interview
from service.cli.keys import keys
from service.cli.learn import drill, learn
from service.cli.match import match
from service.cli.memory import memory
from service.cli.posting import posting
from service.cli.report_export import report
from service.cli.resume import resume
from service.cli.rewrite import rewrite
from service.cli.serve import serve
from service.errors import EngineUnavailable, SetupError, ShardwiseError, UserError

# Exit codes that other tools rely on.
USAGE: Final = 2
UNREACHABLE: Final = 4
INTERRUPTED: Final = 130

app = typer.Typer(
    name="shardwise",
    help=(
        "Mock interviews for large-model training roles that cannot be bluffed. "
        "大模型训练岗位的模拟面试：每个数字都会被重新计算。"
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(serve)
app.command()(interview)
app.command()(report)
app.command()(learn)
app.command()(drill)
app.command()(memory)
app.command()(check)
app.command()(ask)
app.command()(match)
app.command()(doctor)
app.command()(backup)
resume.command()(rewrite)
app.add_typer(resume, name="resume")
app.add_typer(posting, name="posting")
app.add_typer(keys, name="key")


@app.command(
    name="eval",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    add_help_option=False,
)
def evaluate(context: typer.Context) -> None:
    """Evaluate answers, and the grader itself. 评测回答，也评测评分器本身。"""
    from eval.cli import app as eval_app
    from service.observe.logs import configure_logs

    configure_logs("ERROR")  # on standard error: results alone stand on standard output
    code = eval_app(args=context.args, prog_name="shardwise eval", standalone_mode=False)
    if code:
        raise typer.Exit(code)


def run(words: Sequence[str] | None = None) -> None:
    """Run the command, by default with the process's own words.

    Errors a person can mend are one sentence, not a traceback.
    """
    try:
        code = app(words, standalone_mode=False)
    except ShardwiseError as error:
        print(f"shardwise: {_told(error)}", file=sys.stderr)
        sys.exit(_code_of(error))
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(INTERRUPTED)
    except typer.Exit as leaving:
        sys.exit(leaving.exit_code)
    except TyperException as error:
        print(f"shardwise: {error.format_message()}", file=sys.stderr)
        sys.exit(USAGE)
    sys.exit(code if isinstance(code, int) else 0)


def _told(error: ShardwiseError) -> str:
    """In the terminal's language, with every fault of a set-up on its own line."""
    from service.cli.language import reader_language
    from service.wording import load_wording

    sentence = load_wording().error(error, reader_language(""))
    faults = error.faults if isinstance(error, SetupError) else ()
    return "\n".join([sentence, *(f"  {fault}" for fault in faults)])


def _code_of(error: ShardwiseError) -> int:
    if isinstance(error, EngineUnavailable):
        return UNREACHABLE
    return USAGE if isinstance(error, UserError | SetupError) else 1


if __name__ == "__main__":
    run()
