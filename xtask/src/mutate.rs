//! Mutants of the corpus, for all readers or for one target.

use crate::command::execute;
use crate::failure::Outcome;
use crate::{cargo_command, root};

/// `cargo xtask mutate [--n N] [--seed S] [--deep] …`: what the program `mutants` takes.
pub(crate) fn run(args: &[String]) -> Outcome {
    let mut command = cargo_command(&root());
    command.args(["run", "--quiet", "--profile", "hunt", "-p", "mutants", "--"]).args(args);
    execute(&mut command).map(|_| ())
}
