//! The command lines of `completions` and `man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mkdir -p ~/.local/share/bash-completion/completions ~/.zfunc ~/.config/fish/completions
  arrow-ipc completions bash > ~/.local/share/bash-completion/completions/arrow-ipc
  arrow-ipc completions zsh > ~/.zfunc/_arrow-ipc    # ~/.zshrc: fpath+=~/.zfunc before compinit
  arrow-ipc completions fish > ~/.config/fish/completions/arrow-ipc.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  arrow-ipc man cat | man -l -
  arrow-ipc man --to ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The command [default: the program]
    pub(crate) command: Option<String>,
    /// Write the pages of the program and of all commands into this folder, which is made if it is not there
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub(crate) to: Option<PathBuf>,
}
