"""`monpro completion`: the words of the command, completed by the shell."""

from typing import Annotated, Literal

import typer
from typer.completion import get_completion_script  # type: ignore[attr-defined]  # documented, not listed

from monpro.cli import COMPLETION, NAME

Shell = Literal["bash", "zsh", "fish"]


def command(
    shell: Annotated[Shell, typer.Argument(help="The shell.", show_default=False)],
) -> int:
    """Print the script by which a shell completes the words of this command.

    For bash: monpro completion bash > ~/.local/share/bash-completion/completions/monpro

    For zsh: monpro completion zsh > "${fpath[1]}/_monpro"

    For fish: monpro completion fish > ~/.config/fish/completions/monpro.fish
    """
    typer.echo(get_completion_script(prog_name=NAME, complete_var=COMPLETION, shell=shell))
    return 0
