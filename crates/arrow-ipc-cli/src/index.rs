//! `index`: writes the positions of the messages of streams, by which other commands find rows.

use std::{io::Write, slice};

use arrow_ipc::{Container, IpcError, IpcErrorKind};
use arrow_ipc_tools::{InputContext, ToolError, index_stream};

use crate::{
    args::IndexArgs,
    context::Context,
    destination::{CommandKind, OutputRule, OutputTarget},
    exit::{Failure, Status},
    output::Output,
};

pub(crate) fn run(context: &Context, args: &IndexArgs) -> Result<Status, Failure> {
    let rule = OutputRule {
        inputs: slice::from_ref(&args.input),
        schema: None,
        target: OutputTarget::LastPath { option: None },
        command: CommandKind::Index,
    };
    let output = rule.allow(&args.output)?;
    let index = index_stream(args.input.open(context)?).map_err(of_file)?;
    let bytes = index.to_buffer().in_input(&args.input)?;
    let mut file = Output::create(&output)?;
    file.write_all(&bytes).map_err(|error| Failure::Write { name: args.output.clone(), error })?;
    file.keep(&output)?;
    Ok(Status::Fine)
}

/// Changes the hint for a file.
fn of_file(error: ToolError) -> Failure {
    let kind = error.ipc_error().map(IpcError::kind);
    if matches!(kind, Some(IpcErrorKind::WrongContainer { found: Container::File, .. })) {
        let advice = "a file needs no index: its footer has the positions of its batches".into();
        return Failure::Advised { error, advice };
    }
    error.into()
}
