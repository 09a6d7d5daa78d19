//! Runs a command for several inputs. Continues if one input fails.

pub(crate) mod import;
pub(crate) mod schema_file;
pub(crate) mod text_rows;

use std::ops::ControlFlow;

use crate::{
    context::Context,
    exit::{Failure, Status},
    names::{InputArg, OutputName},
};

/// Checks that standard input is read only once.
///
/// # Errors
/// If standard input is given more than once.
pub(crate) fn check_stdin<'a>(names: impl IntoIterator<Item = &'a InputArg>) -> Result<(), Failure> {
    match names.into_iter().filter(|name| **name == InputArg::Stdin).count() {
        0 | 1 => Ok(()),
        n_times => Err(Failure::RepeatedStdin { n_times }),
    }
}

/// Replaces each data set by its files, for commands that read the bytes of each file.
pub(crate) fn files_of(names: &[InputArg]) -> Vec<InputArg> {
    names.iter().flat_map(InputArg::files).collect()
}

/// Runs `run` for each input, reports failures, and returns the worst status. Stops after a failure of standard output.
///
/// # Errors
/// If standard input is given more than once.
pub(crate) fn each(
    context: &Context,
    names: &[InputArg],
    mut run: impl FnMut(&InputArg) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    check_stdin(names)?;
    let mut worst = Status::Fine;
    for name in names {
        if attempt(context, run(name), &mut worst).is_break() {
            break;
        }
    }
    Ok(worst)
}

/// Reports a failure, and updates the worst status. Breaks after a failure of standard output.
pub(crate) fn attempt(
    context: &Context,
    done: Result<Status, Failure>,
    worst: &mut Status,
) -> ControlFlow<()> {
    let status = match &done {
        Ok(status) => *status,
        Err(failure) => failure.report(context),
    };
    *worst = status.max(*worst);
    match done {
        Err(Failure::Write { name: OutputName::Stdout, .. }) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    }
}
