//! `validate`: reads and checks everything in files and streams.

use arrow_ipc_tools::{ToolError, ValidateOptions};

use crate::{
    args::ValidateArgs,
    exit::{Failure, Status},
    names::InputName,
    progress::Watcher,
};

/// Continues after an invalid input; returns the worst status.
pub(crate) fn run(args: &ValidateArgs) -> Result<Status, Failure> {
    let n_times = args.files.iter().filter(|name| **name == InputName::Stdin).count();
    if n_times > 1 {
        return Err(Failure::RepeatedStdin { n_times });
    }
    let options = ValidateOptions::new();
    let options = if args.strict { options.strict() } else { options };
    let options = if args.require_end { options.requiring_end() } else { options };
    let statuses = args.files.iter().map(|name| match validate(name, &options) {
        Ok(()) => Status::Fine,
        Err(error) => Failure::from(error).report_line(),
    });
    Ok(statuses.max().unwrap_or(Status::Fine))
}

fn validate(name: &InputName, options: &ValidateOptions) -> Result<(), ToolError> {
    arrow_ipc_tools::validate(name.open()?, options, &mut Watcher::default())
}
