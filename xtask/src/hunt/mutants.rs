//! Runs readers on mutants of the corpus: all readers, or those of one target.

use crate::command::execute;
use crate::failure::Outcome;
use crate::{cargo_command, root};

/// `cargo xtask hunt mutants [--n N] [--seed S] [--deep] …`. The arguments are those of the program `mutants`.
pub(super) fn run(args: &[String]) -> Outcome {
    let mut command = cargo_command(&root());
    command.args(["run", "--quiet", "--profile", "hunt", "-p", "mutants", "--"]).args(args);
    execute(&mut command).map(|_| ())
}
