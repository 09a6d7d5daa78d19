//! Runs the readers of all implementations that can be installed over the corpus.

use std::process::Command;

use crate::command::execute;
use crate::failure::{Failure, Outcome};
use crate::root;

/// `cargo xtask conformance [--reader NAME]… [--case WORD] [--write]`
pub(crate) fn run(args: &[String]) -> Outcome {
    if cfg!(windows) {
        return Err(Failure::new("conformance needs a shell, and limits of processes as POSIX has them"));
    }
    execute(Command::new("testing/conformance/run.sh").current_dir(root()).args(args))?;
    Ok(())
}
